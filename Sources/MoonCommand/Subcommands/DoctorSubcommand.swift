import ArgumentParser
import Glibc
import MoonAuthoring
import MoonLink
import MoonPrompt
import MoonTerminal
import Moonwire

/// Looks for what is wrong with the machine.
struct DoctorSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Looks for what keeps apps from running well on this machine.",
    discussion: "The exit code is 1 if there is something to do, and 0 otherwise.")

  @OptionGroup var data: DataOption

  @Flag(help: "Write one JSON object a line to standard output, each with \"v\":1.")
  var json = false

  @Option(help: "When to use colours: auto, always or never. auto respects NO_COLOR.")
  var color = ColorOption.auto

  func run() async throws {
    let environment = ProcessEnvironment.variables
    let output = TerminalOutput(editor: nil, color: color.mode, environment: environment)
    let facts = MachineFacts(
      environment, sockets: SocketPlace.folder(environment), data: data.directory(for: "."),
      columns: TerminalSize.columns(of: STDOUT_FILENO))
    let diagnoses = Diagnosis.all(about: facts)
    output.printResult(
      json
        ? diagnoses.map { JSONRecord.line($0.record) }
        : diagnoses.flatMap { $0.lines(output.resultStyle) })
    if diagnoses.contains(where: { $0.state != .good }) {
      throw ExitCode(ExitStatus.problemsFound)
    }
  }
}
