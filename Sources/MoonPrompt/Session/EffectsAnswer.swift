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

  package func lines(_ layout: TextLayout) -> [String] {
    step.map { $0.changes.changes.isEmpty ? [] : layout.changes($0) } ?? []
  }

  package var record: Map? {
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
