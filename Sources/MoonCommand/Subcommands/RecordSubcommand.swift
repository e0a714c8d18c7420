import ArgumentParser
import MoonJournal
import Moonwire

/// Runs a directory of scripts and records what happens.
struct RecordSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Runs a directory like run, and records what happens as lines of JSON.",
    discussion: """
      The recording replays on any machine: moonwire replay FILE DIR. Besides these, all options \
      of run apply.
      """)

  @Option(
    name: .customLong("out"),
    help: ArgumentHelp("The recording to make, a new file.", valueName: "file"))
  var file: String

  @OptionGroup var redaction: RedactionOption

  @OptionGroup var command: RunSubcommand

  func validate() throws {
    if command.journal.setting != nil {
      throw ValidationError("record and a journal can't go together: a journal exports a recording")
    }
  }

  func run() async throws {
    var options = command.options
    options.journal = JournalSetting(place: .recording(file, redaction.rules), level: .process)
    try await command.run(options)
  }
}
