import ArgumentParser
import MoonJournal
import MoonPrompt
import MoonTerminal
import Moonwire

extension ReplaySubcommand {
  /// Checks whether the durable tasks of a recording could be resumed.
  func checkTasks(of run: RecordedRun, _ inspection: Inspection) async throws {
    var checks = TaskChecks()
    try run.read { _, entry in
      checks.take(entry)
      return true
    }
    let results = await inspection.host.perform { [checks] in checks.results(on: $0) }
    await inspection.host.close()
    inspection.output.printResult(
      display.json
        ? [JSONRecord.line(results.record)] : results.lines(inspection.output.resultStyle))
    if results.contains(where: { $0.problem != nil }) { throw ExitCode(ExitStatus.problemsFound) }
  }
}
