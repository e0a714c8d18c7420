import ArgumentParser
import MoonJournal
import MoonTerminal
import Moonwire

/// Runs a recording against the modules as they are.
struct ReplaySubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Carries out again what a journal or a recording holds, and compares the states.",
    discussion: """
      Effects and services don't run; times, ids and so random numbers are as recorded.

      A verdict comes first: fine, if the modules are those of the recording; risky, if any has \
      changed, which needs --accept-risky; impossible, if actions are gone.

      With --tasks, the durable tasks that haven't ended run through their journals instead, on \
      the modules as they are, and nothing is changed.

      The exit code is 0 if all states, or tasks, are as recorded, 1 if one differs, 65 if the \
      recording is damaged or not replayed, and 66 if there is no such directory or recording.
      """)

  @Argument(help: "The journal, or a recording.", completion: .file())
  var file: String

  @OptionGroup var scripts: DirectoryArgument

  @Flag(help: "Check whether the durable tasks could go on with the modules as they are.")
  var tasks = false

  @Flag(help: "Replay although modules have changed.")
  var acceptRisky = false

  @OptionGroup var settings: HostSettings

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let inspection = try await Inspection(of: scripts, display, settings)
    let (output, host) = (inspection.output, inspection.host)
    let run: RecordedRun
    let result: ReplayRun.Result
    do {
      run = try RecordedRun(file)
      if tasks { return try await checkTasks(of: run, inspection) }
      let verdict = try await ReplayRun.verdict(on: run, with: host)
      try report(verdict, inspection)
      result = try await ReplayRun.result(of: run, on: host)
    } catch let error as JournalError {
      await host.close()
      throw inspection.refusal(error.report, error.code)
    }
    await host.close()
    output.printResult(
      display.json
        ? [JSONRecord.line(result.record)]
        : result.lines(output.resultStyle, columns: output.columns))
    if result.difference != nil { throw ExitCode(ExitStatus.problemsFound) }
  }

  private func report(_ verdict: ReplayVerdict, _ inspection: Inspection) throws {
    switch verdict {
    case .fine:
      inspection.output.printNotice(Report(.note, "fine: the modules are those of the recording"))
    case .risky(let changes):
      let weight: Report.Weight = acceptRisky ? .warning : .error
      let report = Report(
        weight, "risky: the modules aren't those of the recording",
        rows: changes.map { .init("changed", $0) }
          + (acceptRisky ? [] : [.init("help", "to replay nevertheless: --accept-risky")]))
      guard acceptRisky else { throw inspection.refusal(report, ExitStatus.dataError) }
      inspection.output.printNotice(report)
    case .impossible(let types):
      throw inspection.refusal(
        Report(
          "impossible: no module knows these actions of the recording",
          rows: types.map { .init("gone", $0) }), ExitStatus.dataError)
    }
  }
}

/// The replay of a journal or a recording.
enum ReplayRun {
  /// The result of a replay.
  struct Result: Sendable {
    /// The number of actions that were carried out again.
    let count: Int
    /// The first difference; nil if there was none.
    let difference: Replay.Difference?
  }

  /// Compares a recording with the modules of a host.
  ///
  /// - Throws: ``JournalError`` if the recording is damaged.
  static func verdict(
    on run: RecordedRun, with host: Host
  ) async throws(JournalError) -> ReplayVerdict {
    var surroundings: Surroundings?
    var types: Set<Text> = []
    try run.read { _, entry in
      switch entry {
      // The last of them has what the end of the recording ran on.
      case .state(let entry): surroundings = entry.surroundings
      case .commit(let commit): types.formUnion(commit.actions.map(\.type))
      case .change, .task: break
      }
      return true
    }
    guard let surroundings else { throw JournalError(run.path, .empty) }
    return await host.perform { [types] host in
      ReplayVerdict(on: surroundings, types: types, with: host)
    }
  }

  /// Carries out all entries until the first difference.
  ///
  /// - Throws: ``JournalError`` if the recording is damaged.
  static func result(
    of run: RecordedRun, on host: Host
  ) async throws(JournalError) -> Result {
    try await host.perform { (host) throws(JournalError) in
      var replay: Replay?
      var count = 0
      var difference: Replay.Difference?
      var problem: JournalError.Reason?
      try run.read { number, entry in
        do throws(JournalError.Reason) {
          guard let begun = replay else {
            if case .state(let state) = entry { replay = try Replay(from: state, on: host) }
            return true
          }
          difference = try begun.carryOut(number, entry, on: host)
          if case .commit(let commit) = entry { count += commit.actions.count }
        } catch {
          problem = error
        }
        return difference == nil && problem == nil
      }
      if let problem { throw JournalError(run.path, problem) }
      return Result(count: count, difference: difference)
    }
  }
}

extension ReplayRun.Result {
  /// The result for people.
  func lines(_ style: Style, columns: Int) -> [String] {
    let replayed = Wording.counted(count, "action")
    guard let difference else {
      return ["\(replayed) replayed: every state is as recorded"]
    }
    let action = difference.action
    var lines = ["\(replayed) replayed; #\(action.meta.id) \(action.type) differs:"]
    if let error = difference.error { lines.append("  it failed: \(error)") }
    return lines
      + ChangeText(style: style, columns: columns).lines(difference.diff).map { "  \($0)" }
  }

  /// The result for programs.
  var record: Map {
    var map: Map = ["kind": "replay", "actions": .int(Int64(count))]
    if let difference {
      map["differs"] = [
        "id": .int(difference.action.meta.id), "type": .string(difference.action.type),
        "changes": JSONRecord.changes(difference.diff),
      ]
    }
    return map
  }
}
