package import Moonwire

/// The results of tasks between two lines.
package struct EffectsAnswer: PromptAnswer {
  private let work: BackgroundResults
  package let step: StateStep?

  package init(work: BackgroundResults = BackgroundResults(), step: StateStep?) {
    self.work = work
    self.step = step
  }

  package var screenDisplay: ScreenDisplay { .whenNew }
  package var hasFailures: Bool { !work.faults.isEmpty || !work.failures.isEmpty }

  package func lines(_ layout: TextLayout) -> [String] { layout.anyChanges(step) }

  package var record: Map? {
    let changes = step?.changes
    let failures = JSONRecord.failures(work.failures, work.faults)
    if changes?.changes.isEmpty ?? true, failures == nil { return nil }
    var map: Map = ["kind": "effects", "changes": changes.map(JSONRecord.changes) ?? []]
    map["failures"] = failures
    return map
  }
}
