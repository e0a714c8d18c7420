import ArgumentParser
import Glibc
import MoonLink
import MoonPrompt
import MoonTerminal
import Moonwire

/// The hosts that run.
struct PsSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ps", abstract: "Lists the hosts that run under moonwire serve.")

  @Flag(help: "Write one JSON object a line to standard output, each with \"v\":1.")
  var json = false

  func run() async throws {
    let environment = ProcessEnvironment.variables
    let output = TerminalOutput(editor: nil, color: .never, environment: environment)
    var count = 0
    for place in SocketPlace.all(environment) {
      guard let link = try? HostLink(to: place.path),
        let host = try? await link.call("host/describe")
      else { continue }
      defer { link.close() }
      count += 1
      let (pid, directory) = (host["pid"] ?? .null, host["directory"] ?? .null)
      if json {
        let record: Map = [
          "kind": "host", "pid": pid, "directory": directory,
          "socket": .string(Text(place.path)), "version": host["version"] ?? .null,
        ]
        output.printResult([JSONRecord.line(record)])
      } else {
        let name = TerminalText.singleLine(directory.stringValue ?? "")
        output.printResult(["\(pid)  \(name)  \(place.path)"])
      }
    }
    if count == 0 { output.printNotice(HostChoiceError.none.report(.note)) }
  }
}
