import MoonValues

/// The changes of a state in a journal: a list with one list for each change.
///
/// `["=", path, value]` replaces a value, `["+", path, value]` inserts one, and `["-", path]`
/// removes one. A path is a list of texts and of integers from 1. Replacements and insertions are
/// made in order, then removals from last to first; see `Diff`.
struct StateEdits: Equatable {
  /// The maximum number of single changes; if there are more, whole slices are replaced.
  static let countMax = 10_000

  /// The changes as data.
  let value: Value

  /// Finds the changes between two states.
  ///
  /// - Complexity: O(what changed).
  init(from old: Map, to new: Map) {
    let diff = Diff.changes(from: .map(old), to: .map(new), limit: Self.countMax)
    value = .list(
      List(diff.isTruncated ? Self.slices(from: old, to: new) : diff.changes.map(Self.edit)))
  }

  init(_ value: Value) { self.value = value }

  private static func edit(_ change: Change) -> Value {
    let path = Value.list(List(change.path.components.map(step)))
    guard let after = change.after else { return ["-", path] }
    return [change.before == nil ? "+" : "=", path, after]
  }

  private static func step(_ component: Path.Component) -> Value {
    switch component {
    case .key(let text): .string(text)
    case .index(let number): .int(number)
    }
  }

  private static func slices(from old: Map, to new: Map) -> [Value] {
    let changed = new.filter { entry in
      !(old[entry.key].map { $0.isIdentical(to: entry.value) } ?? false)
    }
    return changed.map { ["=", [step(Path.Component($0.key))], $0.value] }
      + old.keys.filter { new[$0] == nil }.map { ["-", [step(Path.Component($0))]] }
  }

  /// Returns the state after the changes; nil if they don't fit the state, or if it would be deeper
  /// than a state may be.
  ///
  /// - Complexity: O(changes · log n).
  func applied(to state: Map) -> Map? {
    guard let edits = value.listValue else { return nil }
    var whole = Value.map(state)
    var removals: [List] = []
    for edit in edits {
      guard let parts = edit.listValue, parts.count >= 2, let path = parts[1].listValue else {
        return nil
      }
      switch (parts[0].stringValue, parts.count) {
      case ("=", 3), ("+", 3):
        let change = StateEdit(value: parts[2], isInsertion: parts[0] == "+")
        guard change.carryOut(at: path, 0, in: &whole) else { return nil }
      case ("-", 2): removals.append(path)
      default: return nil
      }
    }
    for path in removals.reversed() {
      guard StateEdit(value: nil, isInsertion: false).carryOut(at: path, 0, in: &whole) else {
        return nil
      }
    }
    return whole.depth <= Value.stateDepthMax ? whole.mapValue : nil
  }
}

/// One change of a state.
private struct StateEdit {
  /// The new value; nil to remove the value.
  let value: Value?
  /// Whether the value is inserted into a list, which otherwise has one at the place.
  let isInsertion: Bool

  /// Changes the value at a path, whose first steps are left out; returns false if there is no such
  /// place.
  func carryOut(at path: List, _ depth: Int, in whole: inout Value) -> Bool {
    guard depth < path.count else {
      guard let value else { return false }
      whole = value
      return true
    }
    let step = path[depth]
    let isLast = depth == path.count - 1
    switch whole {
    case .map(var map):
      guard let key = key(step) else { return false }
      if isLast {
        map[key] = value
      } else {
        guard var inner = map[key], carryOut(at: path, depth + 1, in: &inner) else { return false }
        map[key] = inner
      }
      whole = .map(map)
    case .list(var list):
      guard let position = position(step, in: list, isLast) else { return false }
      if isLast {
        change(&list, at: position)
      } else {
        var inner = list[position]
        guard carryOut(at: path, depth + 1, in: &inner) else { return false }
        list[position] = inner
      }
      whole = .list(list)
    default: return false
    }
    return true
  }

  private func key(_ step: Value) -> Key? {
    switch step {
    case .string(let text): .string(text)
    case .int(let number): .int(number)
    default: nil
    }
  }

  /// Returns the position in a list, from 0; nil if there is none.
  private func position(_ step: Value, in list: List, _ isLast: Bool) -> Int? {
    guard case .int(let number) = step, let position = Int(exactly: number), position >= 1,
      position <= list.count + (isLast && isInsertion ? 1 : 0)
    else { return nil }
    return position - 1
  }

  private func change(_ list: inout List, at position: Int) {
    if let value {
      if isInsertion { list.insert(value, at: position) } else { list[position] = value }
    } else {
      list.remove(at: position)
    }
  }
}
