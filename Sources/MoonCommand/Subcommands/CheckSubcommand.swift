import ArgumentParser
import MoonAuthoring
import MoonPrompt
import MoonTerminal
import Moonwire

/// Loads a directory of scripts and reports its problems.
struct CheckSubcommand: AsyncParsableCommand, HostCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Loads a directory of modules and reports its problems.",
    discussion: """
      No module is started. The exit code is 0 without problems, 1 with problems, and 66 if the \
      directory doesn't exist. Warnings, which are likely mistakes, and notes don't change it. A \
      module that isn't granted what it needs is a problem, and is checked nevertheless.

      Each finding has a code, which `moonwire explain CODE` explains. A comment \
      `-- moonwire: ignore CODE`, in the same line or alone in the line before, leaves out a \
      warning or a note.

      With --format concise, each finding is a line of standard output such as \
      todo.lua:3:9: warning: local x is never read [unused_local]. With --format sarif, all are \
      one object of the format SARIF 2.1.0. Names of files are relative to the directory.
      """)

  @OptionGroup var scripts: DirectoryArgument

  @OptionGroup var limits: LimitOptions

  @OptionGroup var grants: GrantOptions

  @OptionGroup var urls: URLOptions

  @OptionGroup var data: DataOption

  @OptionGroup var moduleSettings: SettingOptions

  @OptionGroup var builtIns: BuiltInOptions

  @OptionGroup var display: DisplayOptions

  @Option(help: "What is written: full, concise, json (as with --json) or sarif.")
  var format = CheckFormat.full

  func run() async throws {
    let inspection = try await Inspection(of: scripts, display, settings)
    let findings = await CheckFindings(
      of: inspection.host, in: scripts.directory, followingLinksInto: scripts.linkedDirectories,
      inspection.settings)
    await inspection.host.close()
    let output = inspection.output
    switch display.json ? .json : format {
    case .full:
      for report in findings.reports { output.printNotice(report, showingCode: true) }
      output.printResult(findings.lastLines)
    case .concise: output.printResult(findings.all.map { TerminalText.singleLine($0.line) })
    case .json: output.printResult([JSONRecord.line(findings.record)])
    case .sarif:
      let root = ScriptDirectory(root: scripts.directory).root
      output.printResult([
        SARIFLog(findings.all, in: root, version: "\(Version.current)").text
      ])
    }
    if case .failed(let code) = output.failure {
      output.printNotice(Report("\(OutputError.failed(code: code))"))
      throw ExitCode(ExitStatus.outputError)
    }
    if !findings.problems.isEmpty { throw ExitCode(ExitStatus.problemsFound) }
  }
}

/// The forms in which findings are written.
enum CheckFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  case full, concise, json, sarif
}
