import Moonwire

extension BuiltIn {
  /// `logger`: shows each committed action, with its number, its cause, its payload and what it
  /// changed.
  ///
  /// The actions of one commit share their states, so each is shown with everything that the commit
  /// changed.
  public static let logger = BuiltIn(
    "logger", "Shows each action with what it changed"
  ) { module, surroundings in
    module.afterReduce = [
      AfterReduce(priority: .low) { action, before, after, _ in
        surroundings.show(LoggedAction(action, from: before, to: after).description)
        return []
      }
    ]
  }
}

/// The text of a committed action: a line for the action, and one for each change.
///
///     #3 cart/add {"item":"tea"} from the prompt
///       cart.items[1]: + "tea"
///       cart.count: 0 → 1
struct LoggedAction: CustomStringConvertible {
  /// The maximum number of changes shown.
  static let changeCountMax = 20
  /// The maximum number of characters of a value.
  static let valueLengthMax = 200

  let description: String

  init(_ action: Action, from before: Value, to after: Value) {
    let diff = Diff.changes(from: before, to: after, limit: Self.changeCountMax)
    var head = "#\(action.meta.id) \(action.type)"
    if action.payload != .null { head += " \(Self.text(action.payload))" }
    head += " (\(action.meta.cause)"
    if let parent = action.meta.parent { head += ", after #\(parent)" }
    var lines = [head + ")"] + diff.changes.map(Self.line)
    if diff.isTruncated { lines.append("  … and more") }
    if diff.changes.isEmpty { lines.append("  nothing changed") }
    description = lines.joined(separator: "\n")
  }

  private static func line(_ change: Change) -> String {
    let path = change.path.components.isEmpty ? "state" : "\(change.path)"
    return switch (change.before, change.after) {
    case (let before?, let after?): "  \(path): \(text(before)) → \(text(after))"
    case (nil, let after?): "  \(path): + \(text(after))"
    case (let before?, nil): "  \(path): − \(text(before))"
    case (nil, nil): "  \(path)"
    }
  }

  private static func text(_ value: Value) -> String {
    let text = value.canonicalText
    return text.count <= valueLengthMax ? text : text.prefix(valueLengthMax) + "…"
  }
}
