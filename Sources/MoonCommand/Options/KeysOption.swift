import ArgumentParser
import MoonPrompt

/// The option that names the file of the person's keys.
struct KeysOption: ParsableArguments {
  @Option(
    name: .customLong("keys"),
    help: ArgumentHelp(
      """
      A JSON file with what keys do, such as {"/srv/app": {"ctrl+n": "todo/add"}}, in place of the \
      person's own. :keys reads it again.
      """, valueName: "file"),
    completion: .file())
  var file: String?

  func validate() throws {
    if file == "" { throw ValidationError("--keys: the name of the file is empty") }
  }
}
