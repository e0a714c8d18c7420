package import Moonwire

/// The answer to a line.
package protocol PromptAnswer: Sendable {
  /// Returns the answer as text; empty if there is nothing to say.
  func lines(_ layout: TextLayout) -> [String]
  /// The answer as a record, without its version; nil if there is nothing to say.
  var record: Map? { get }
  /// The state before and after; nil if the line couldn't change it.
  var step: StateStep? { get }
  /// The condition for showing the screen on top below the answer.
  var screenDisplay: ScreenDisplay { get }
  /// The screen that the answer itself shows.
  var shownScreen: ShownScreen? { get }
  /// Whether an action that followed has failed.
  var hasFailures: Bool { get }
  /// Whether the prompt ends.
  var endsPrompt: Bool { get }
}

/// The condition for showing the screen on top.
package enum ScreenDisplay: Sendable {
  case never
  /// Shown if another screen has come to the top.
  case whenNew
  case always

  /// Returns the condition after an action by a person; a routing that waits for a guard shows
  /// nothing.
  static func after(_ outcome: Outcome) -> ScreenDisplay {
    outcome.waiting.isEmpty ? .always : .whenNew
  }
}

extension PromptAnswer {
  package var step: StateStep? { nil }
  package var screenDisplay: ScreenDisplay { .never }
  package var shownScreen: ShownScreen? { nil }
  package var hasFailures: Bool { false }
  package var endsPrompt: Bool { false }

  /// Whether the navigation has changed.
  var hasMoved: Bool { step?.newNavigation != nil }
}

/// The answer to an empty line.
struct NoAnswer: PromptAnswer {
  func lines(_ layout: TextLayout) -> [String] { [] }
  var record: Map? { nil }
}

/// The answer to an action, dispatched directly, by a URL or by a control.
struct OutcomeAnswer: PromptAnswer {
  /// The `kind` of its record: `dispatch`, or the command's name.
  let kind: String
  /// The type of the dispatched action.
  var type: String?
  let outcome: Outcome
  var screenDisplay: ScreenDisplay = .always

  var step: StateStep? { StateStep(outcome) }
  var hasFailures: Bool { !outcome.failures.isEmpty || !outcome.faults.isEmpty }

  func lines(_ layout: TextLayout) -> [String] {
    // Without an action, only the screen has changed, and it is shown.
    guard let step, type != nil || outcome.id != 0 else { return [] }
    let waiting = outcome.waiting.map { layout.dim($0.text) }
    let notes =
      waiting
      + outcome.stopped.filter { $0.action.meta.id == outcome.id }.map { layout.dim($0.text) }
    return notes + (notes.isEmpty ? layout.changes(step) : layout.anyChanges(step))
  }

  var record: Map? {
    var map: Map = [
      "kind": .string(Text(kind)), "id": .int(outcome.id),
      "changes": JSONRecord.changes(outcome.changes),
      "following": .int(Int64(outcome.followingCount)),
    ]
    map["failures"] = JSONRecord.failures(outcome.failures, outcome.faults)
    map["type"] = type.map { .string(Text($0)) }
    if !outcome.waiting.isEmpty { map["waiting"] = JSONRecord.list(outcome.waiting, \.record) }
    if !outcome.stopped.isEmpty { map["stopped"] = JSONRecord.list(outcome.stopped, \.record) }
    return map
  }
}

/// The answer to evaluated Lua.
struct EvaluationAnswer: PromptAnswer {
  let values: [EvaluatedValue]
  let step: StateStep?

  var screenDisplay: ScreenDisplay { .whenNew }

  func lines(_ layout: TextLayout) -> [String] {
    values.map(layout.evaluated) + layout.anyChanges(step)
  }

  var record: Map? {
    let values = JSONRecord.list(values) { value in
      switch value {
      case .value(let value): ["value": value]
      case .described(let text): ["text": .string(Text(text))]
      }
    }
    return [
      "kind": "evaluate", "values": values,
      "changes": step.map { JSONRecord.changes($0.changes) } ?? [],
    ]
  }
}
