import Moonwire
import Synchronization

/// Waits for what the lines of a script have begun, a line at a time.
///
/// A task that only an action can wake isn't waited for, since a later line may dispatch it. One
/// that has outlasted a wait isn't waited for again.
final class TaskPatience: Sendable {
  private let session: PromptSession
  private let time: Duration
  private let outlasting = Mutex<Set<TaskID>>([])

  init(_ session: PromptSession, _ time: Duration) {
    self.session = session
    self.time = time
  }

  /// Waits; returns what tasks have done since the last line, and a report on those that still run
  /// and weren't reported before.
  func rest() async -> (answer: EffectsAnswer, report: Report?) {
    let others = outlasting.withLock { $0 }
    let work = await session.host.tasksRested(in: session.id, besides: others, within: time)
    let left = work.running.filter { $0.endsByItself && !others.contains($0.id) }
    outlasting.withLock { known in
      known.formUnion(left.map(\.id))
      known.formIntersection(work.running.map(\.id))
    }
    let step = work.states.map { StateStep(from: $0.before, to: $0.after) }
    return (
      EffectsAnswer(work: work, step: step),
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
