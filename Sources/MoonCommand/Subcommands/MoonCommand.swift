import ArgumentParser
import Glibc
import MoonTerminal
import Moonwire

/// The `moonwire` program.
@main
struct MoonCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moonwire", abstract: Messages.abstract, discussion: Messages.discussion,
    version: Version.current,
    subcommands: [RunSubcommand.self, CheckSubcommand.self, RoutesSubcommand.self],
    defaultSubcommand: RunSubcommand.self)

  static func main() async {
    do throws(ProcessSetupError) {
      try ProcessSetup.prepare()
    } catch {
      let report = Messages.processSetup(error)
      try? Output(descriptor: STDERR_FILENO).write(report.text(.plain) + "\n")
      Glibc.exit(ExitStatus.internalError)
    }
    await main(nil)
  }
}

/// How the program ends; sysexits(3) where it has a word.
enum ExitStatus {
  static let problemsFound: Int32 = 1
  static let dataError: Int32 = 65
  static let noInput: Int32 = 66
  static let internalError: Int32 = 70
  static let cannotCreate: Int32 = 73
  static let outputError: Int32 = 74

  /// Ended by a signal, as shells count it.
  static func signal(_ number: Int32) -> Int32 { 128 + number }
}
