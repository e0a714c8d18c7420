import ArgumentParser
import Glibc
import MoonPrompt
import MoonTerminal
import MoonTesting
import Moonwire

/// Runs the tests of a directory of scripts.
struct TestSubcommand: AsyncParsableCommand, HostCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Runs the tests of a directory of modules.",
    discussion: """
      The tests are the Lua files in DIR/tests. Each returns a table of functions by name, such as \
      { ["adds an item"] = function(t) t.dispatch("cart/add") t.equal(t.state("cart.n"), 1) end }. \
      Each test has an app of its own, whose clock stands still until t.advance(seconds), and \
      whose services the test answers; the guide "Testing modules" has all functions of t.

      A file may instead return a table with steps: actions, and all that each changes in the \
      state. Effects don't run then, and what follows from an action is a step of its own. \
      `moonwire replay --test` writes such a file from a recording.

      With --watch, the tests run again when files are saved: those in which a saved module, \
      library or test can have changed something. Ctrl-C ends it.

      With --cover, each file is listed with the share of its lines with code that have run. \
      Counting takes time, so that code that is close to a limit of time may exceed it.

      The exit code is 0 if all tests pass, 1 if one fails, 65 if a file isn't a test or a module \
      has a problem, 66 if there are no tests, and 73 if the file of --cover-file can't be written.
      """)

  @OptionGroup var scripts: DirectoryArgument

  @Argument(help: "Only the tests whose names, or whose files' paths, contain this.")
  var pattern: String?

  @Flag(help: "Runs tests again when files are saved that concern them.")
  var watch = false

  @Flag(help: "Counts the lines of Lua that run, and prints their share for each file.")
  var cover = false

  @Option(
    name: .customLong("cover-file"),
    help: ArgumentHelp("Does so, and writes the counts in the format of lcov.", valueName: "file"))
  var coverFile: String?

  @Option(help: "How results are written: text, json (as with --json), tap or junit.")
  var format = TestFormat.text

  @OptionGroup var limits: LimitOptions

  @OptionGroup var grants: GrantOptions

  @OptionGroup var urls: URLOptions

  @OptionGroup var data: DataOption

  @OptionGroup var moduleSettings: SettingOptions

  @OptionGroup var builtIns: BuiltInOptions

  @OptionGroup var display: DisplayOptions

  private var chosenFormat: TestFormat { display.json ? .json : format }

  func validate() throws {
    if watch, cover || coverFile != nil {
      throw ValidationError("--cover counts the lines of one run, which --watch doesn't end")
    }
  }

  func run() async throws {
    if cover || coverFile != nil { CoverageReport.begin() }
    if watch { return try await keepRunning() }
    let inspection = try await Inspection(of: scripts, display, settings) { $0.isolateTests() }
    let problems = await inspection.host.moduleInfos().flatMap(\.problems)
    for report in ModuleProblem.reports(problems, running: nil) {
      inspection.output.printNotice(report)
    }
    guard problems.isEmpty else {
      await inspection.host.close()
      throw ExitCode(ExitStatus.dataError)
    }
    let runs: [TestResult]
    do throws(TestFilesError) {
      let files = try TestFiles(in: scripts.directory, matching: pattern)
      if let note = files.note { inspection.output.printNotice(note) }
      runs = try await files.run(
        InspectedApp(
          host: inspection.host, options: inspection.options, addBuiltIns: inspection.addBuiltIns))
    } catch {
      await inspection.host.close()
      throw inspection.refusal(error.report, error.code)
    }
    await inspection.host.close()
    inspection.output.printResult(runs.lines(chosenFormat, inspection.output.resultStyle))
    try report(inspection.output)
    if runs.failedCount > 0 { throw ExitCode(ExitStatus.problemsFound) }
  }

  /// Writes how many lines have run, if they were counted.
  private func report(_ output: TerminalOutput) throws {
    guard cover || coverFile != nil else { return }
    let coverage = CoverageReport(
      of: ScriptDirectory(
        root: scripts.directory, followingLinksInto: scripts.linkedDirectories))
    let lines = coverage.lines
    if chosenFormat == .text {
      output.printResult(lines)
    } else {
      output.printNotice(lines.joined(separator: "\n"))
    }
    guard let coverFile else { return }
    do throws(SystemError) {
      try coverage.write(to: coverFile)
    } catch {
      output.report(Report("\(coverFile) can't be written: \(error)"), inJSON: display.json)
      throw ExitCode(ExitStatus.cannotCreate)
    }
  }

  private func keepRunning() async throws {
    let output = TerminalOutput(
      editor: nil, color: display.color.mode, environment: ProcessEnvironment.variables)
    let watch = TestWatch(
      inspection: settings.inspection(
        of: scripts.directory, followingLinksInto: scripts.linkedDirectories, on: output),
      directory: ScriptDirectory(
        root: scripts.directory, followingLinksInto: scripts.linkedDirectories),
      pattern: pattern, format: chosenFormat, output: output)
    do throws(FilesError) {
      try await watch.run()
    } catch {
      output.report(error.watchReport, inJSON: display.json)
      throw ExitCode(ExitStatus.internalError)
    }
  }
}

extension TestFormat: ExpressibleByArgument {}
