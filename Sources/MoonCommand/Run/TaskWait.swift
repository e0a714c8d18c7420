import Moonwire
import Synchronization

/// The wait for tasks between two lines of a script.
///
/// It doesn't include tasks that wait for an action or a change, since a later line may cause it.
/// Tasks that outlast one wait aren't waited for again.
final class TaskWait: Sendable {
  private let session: PromptSession
  private let time: Duration
  private let outlasting = Mutex<Set<TaskID>>([])

  init(_ session: PromptSession, _ time: Duration) {
    self.session = session
    self.time = time
  }

  /// Waits; returns the results of tasks since the last line, and a report on tasks that are still
  /// running and weren't reported before.
  func run() async -> (answer: EffectsAnswer, report: Report?) {
    let others = outlasting.withLock { $0 }
    let work = await session.host.waitForTasks(in: session.id, besides: others, within: time)
    let left = work.running.filter { $0.endsWithoutAction && !others.contains($0.id) }
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

/// The results of tasks between two lines.
struct EffectsAnswer: PromptAnswer {
  var work = BackgroundResults()
  let step: StateStep?

  var screenDisplay: ScreenDisplay { .whenNew }
  var hasFailures: Bool { !work.faults.isEmpty || !work.failures.isEmpty }

  func lines(_ layout: TextLayout) -> [String] {
    step.map { $0.changes.changes.isEmpty ? [] : layout.changes($0) } ?? []
  }

  var record: Map? {
    let changes = step?.changes
    let failures =
      work.failures.map { $0.report.value }
      + work.faults.map { $0.report.value }
    if changes?.changes.isEmpty ?? true, failures.isEmpty { return nil }
    var map: Map = ["kind": "effects", "changes": changes.map(JSONRecord.changes) ?? []]
    if !failures.isEmpty { map["failures"] = .list(List(failures)) }
    return map
  }
}
