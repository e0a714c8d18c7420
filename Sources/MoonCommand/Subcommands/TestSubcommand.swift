import ArgumentParser
import Glibc
import MoonPrompt
import MoonTerminal
import MoonTesting
import Moonwire

/// Runs the tests of a directory of scripts.
struct TestSubcommand: AsyncParsableCommand {
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

      The exit code is 0 if all tests pass, 1 if one fails, 65 if a file isn't a test or a module \
      has a problem, and 66 if there are no tests.
      """)

  @OptionGroup var scripts: DirectoryArgument

  @Argument(help: "Only the files whose names contain this.")
  var pattern: String?

  @OptionGroup var settings: HostSettings

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let inspection = try await Inspection(of: scripts, display, settings) {
      // Modules reach only what a test answers.
      $0.grants.allowsAll = true
    }
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
      runs = try await files.run(
        InspectedApp(
          host: inspection.host, options: inspection.options, addBuiltIns: inspection.addBuiltIns))
    } catch {
      await inspection.host.close()
      throw inspection.refusal(error.report, error.code)
    }
    await inspection.host.close()
    inspection.output.printResult(
      display.json
        ? runs.map { JSONRecord.line($0.record) } : runs.lines(inspection.output.resultStyle))
    if runs.failedCount > 0 { throw ExitCode(ExitStatus.problemsFound) }
  }
}
