import ArgumentParser
import MoonPrompt
import MoonTerminal
import Moonwire

/// Loads a directory of scripts and reports its problems.
struct CheckSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Loads a directory of modules and reports its problems.",
    discussion: """
      No module is started. The exit code is 0 without problems, 1 with problems, and 66 if the \
      directory doesn't exist. Conflicting routes, registrations that are never called because \
      of their names, globals, and settings that no module has are warnings. Fields of the state \
      that nothing has, files whose names only look like a script's, and durable effects, which \
      need a journal, are notes. Neither changes the exit code. A module that isn't granted what \
      it needs is a problem, and is checked nevertheless.
      """)

  @OptionGroup var scripts: DirectoryArgument

  @OptionGroup var settings: HostSettings

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let inspection = try await Inspection(of: scripts, display, settings)
    let findings = await CheckFindings(
      of: inspection.host, in: scripts.directory, followingLinksInto: scripts.linkedDirectories,
      inspection.settings)
    await inspection.host.close()
    if display.json {
      inspection.output.printResult([JSONRecord.line(findings.record)])
    } else {
      for report in findings.reports { inspection.output.printNotice(report) }
      inspection.output.printResult(findings.lastLines)
    }
    if case .failed(let code) = inspection.output.failure {
      inspection.output.printNotice(Report("\(OutputError.failed(code: code))"))
      throw ExitCode(ExitStatus.outputError)
    }
    if !findings.problems.isEmpty { throw ExitCode(ExitStatus.problemsFound) }
  }
}
