import Moonwire
import Synchronization

/// Waits for what the lines of a script have begun, a line at a time.
///
/// A task that only an action can wake isn't waited for, since a later line may dispatch it. One
/// that has outlasted a wait isn't waited for again.
final class TaskPatience: Sendable {
  private struct Known {
    var outlasting: Set<TaskID> = []
    /// The state as it was shown last.
    var state: Value?
  }

  private let session: PromptSession
  private let time: Duration
  private let known = Mutex(Known())

  init(_ session: PromptSession, _ time: Duration) {
    self.session = session
    self.time = time
  }

  /// Notes the state that a line has left.
  func note(_ state: Value) { known.withLock { $0.state = state } }

  /// Waits; returns what tasks have done since the last line, and a report on those that still run
  /// and weren't reported before.
  func rest() async -> (answer: EffectsAnswer, report: Report?) {
    let others = known.withLock { $0.outlasting }
    let (id, time) = (session.id, time)
    let work = await session.host.tasksRested(in: id, besides: others, within: time)
    let after = await session.host.state(of: id) ?? .null
    let left = work.running.filter { $0.endsByItself && !others.contains($0.id) }
    let before = known.withLock { known in
      defer { known.state = after }
      known.outlasting = Set(work.running.map(\.id)).intersection(
        known.outlasting.union(left.map(\.id)))
      return known.state ?? after
    }
    return (
      EffectsAnswer(work: work, step: StateStep(from: before, to: after)),
      left.isEmpty ? nil : Report(stillRunning: left, after: time)
    )
  }
}

/// What tasks have done between two lines.
struct EffectsAnswer: PromptAnswer {
  var work = BackgroundWork()
  let step: StateStep?

  var screenDisplay: ScreenDisplay { .whenNew }
  var hasFailures: Bool { !work.faults.isEmpty || !work.failures.isEmpty }

  func lines(_ layout: TextLayout) -> [String] {
    step.map { $0.changes.changes.isEmpty ? [] : layout.changes($0) } ?? []
  }

  var record: Map? {
    let changes = step?.changes
    let failures =
      work.failures.map { $0.error.report(on: $0.action).value }
      + work.faults.map { $0.report.value }
    if changes?.changes.isEmpty ?? true, failures.isEmpty { return nil }
    var map: Map = ["kind": "effects", "changes": changes.map(JSONRecord.changes) ?? []]
    if !failures.isEmpty { map["failures"] = .list(List(failures)) }
    return map
  }
}
