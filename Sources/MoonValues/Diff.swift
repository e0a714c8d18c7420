/// A change at one path of a value.
public struct Change: Equatable, Sendable {
  /// The path.
  ///
  /// In a list, an inserted value has its new position, and a removed value its old one.
  public let path: Path
  /// The value before; nil if there was none.
  public let before: Value?
  /// The value after; nil if there is none.
  public let after: Value?

  /// Makes a change of its parts.
  public init(path: Path, before: Value?, after: Value?) {
    self.path = path
    self.before = before
    self.after = after
  }
}

/// The differences between two values, in path order.
///
/// Both values are walked side by side and shared parts are skipped, so the cost depends on the
/// size of the changes. A list or map that is new or gone is one change. Lists are compared by
/// position after a common beginning. If their lengths differ, the surplus is one run of values,
/// inserted or removed before a common end. To turn the old value into the new one, apply
/// replacements and insertions in order, and each list's removals from last to first.
public struct Diff: Sendable {
  /// The default maximum number of changes: as many as a person can look through.
  public static let changeCountMax = 10_000

  /// The changes, in path order.
  public let changes: [Change]
  /// Whether there are more changes than the limit.
  public let isTruncated: Bool
  /// The number of tree nodes visited, which tests use to check the cost.
  package let visitCount: Int

  /// Finds the differences of two values, at most `limit` of them.
  ///
  /// - Complexity: O(size of the parts that the values don't share), times log n.
  public static func changes(
    from old: Value, to new: Value, limit: Int = changeCountMax
  ) -> Diff {
    var walk = DiffWalk(limit: limit)
    walk.compare(old, new)
    return Diff(
      changes: walk.changes, isTruncated: walk.isTruncated, visitCount: walk.visitCount)
  }
}

private struct DiffWalk {
  let limit: Int
  private(set) var changes: [Change] = []
  private(set) var isTruncated = false
  private(set) var visitCount = 0
  private var path: [Path.Component] = []

  init(limit: Int) {
    self.limit = limit
  }

  mutating func compare(_ old: Value, _ new: Value) {
    if isTruncated || old.isIdentical(to: new) { return }
    switch (old, new) {
    case (.map(let old), .map(let new)): compare(old, new)
    case (.list(let old), .list(let new)): compare(old, new)
    default: if old != new { report(old, new) }
    }
  }

  private mutating func compare(_ old: Value, _ new: Value, at component: Path.Component) {
    path.append(component)
    compare(old, new)
    path.removeLast()
  }

  private mutating func report(_ old: Value?, _ new: Value?) {
    if changes.count >= limit {
      isTruncated = true
    } else {
      changes.append(Change(path: Path(path), before: old, after: new))
    }
  }

  private mutating func report(_ old: Value?, _ new: Value?, at component: Path.Component) {
    path.append(component)
    report(old, new)
    path.removeLast()
  }
}

// MARK: Maps

extension DiffWalk {
  private mutating func compare(_ old: Map, _ new: Map) {
    var left = TreeCursor(old.node, .forward)
    var right = TreeCursor(new.node, .forward)
    while !isTruncated {
      if let a = left.ahead, let b = right.ahead, a.toOpaque() == b.toOpaque() {
        left.skip()
        right.skip()
        continue
      }
      switch (left.firstKey, right.firstKey) {
      case (nil, nil):
        visitCount += left.visitCount + right.visitCount
        return
      case (.some, nil): takeRemoved(&left)
      case (nil, .some): takeInserted(&right)
      case (.some(let a), .some(let b)):
        if a < b {
          takeRemoved(&left)
        } else if b < a {
          takeInserted(&right)
        } else {
          enterOrCompare(&left, &right)
        }
      }
    }
    visitCount += left.visitCount + right.visitCount
  }

  /// Brings two cursors at the same key to the same height, or compares the values there.
  private mutating func enterOrCompare(_ left: inout TreeCursor, _ right: inout TreeCursor) {
    let leftHeight = left.height
    let rightHeight = right.height
    guard max(leftHeight, rightHeight) >= 0 else {
      if let old = left.entry, let new = right.entry {
        compare(old.value, new.value, at: Path.Component(new.key))
      }
      left.skip()
      right.skip()
      return
    }
    if leftHeight >= rightHeight { left.enter() }
    if rightHeight >= leftHeight { right.enter() }
  }

  private mutating func takeRemoved(_ cursor: inout TreeCursor) {
    guard let entry = cursor.entry else { return cursor.enter() }
    report(entry.value, nil, at: Path.Component(entry.key))
    cursor.skip()
  }

  private mutating func takeInserted(_ cursor: inout TreeCursor) {
    guard let entry = cursor.entry else { return cursor.enter() }
    report(nil, entry.value, at: Path.Component(entry.key))
    cursor.skip()
  }
}

extension TreeCursor {
  /// The height of the next node; -1 before a value.
  fileprivate var height: Int { ahead?._withUnsafeGuaranteedRef(\.height) ?? -1 }

  /// The map's next entry; nil before a node.
  fileprivate var entry: (key: Key, value: Value)? {
    place.map { place in place.leaf._withUnsafeGuaranteedRef { $0.entry(place.slot) } }
  }

  /// The key of the next entry; nil at the end.
  fileprivate var firstKey: Key? {
    if let ahead {
      let (leaf, slot) = ahead._withUnsafeGuaranteedRef { $0.leaf(holding: 0) }
      return leaf._withUnsafeGuaranteedRef { $0.keys?.key(at: slot) }
    }
    return place.flatMap { place in
      place.leaf._withUnsafeGuaranteedRef { $0.keys?.key(at: place.slot) }
    }
  }
}

// MARK: Lists

extension DiffWalk {
  private mutating func compare(_ old: List, _ new: List) {
    if old.count == new.count {
      compareInPlace(old, new)
      return
    }
    let shorter = min(old.count, new.count)
    let prefix = commonCount(old, new, .forward, upTo: shorter)
    let suffix = commonCount(old, new, .backward, upTo: shorter - prefix)
    let runStart = shorter - suffix
    for position in prefix..<runStart {
      if isTruncated { return }
      compare(old[position], new[position], at: .index(Int64(position) + 1))
    }
    for position in runStart..<(old.count - suffix) {
      if isTruncated { return }
      report(old[position], nil, at: .index(Int64(position) + 1))
    }
    for position in runStart..<(new.count - suffix) {
      if isTruncated { return }
      report(nil, new[position], at: .index(Int64(position) + 1))
    }
  }

  private mutating func compareInPlace(_ old: List, _ new: List) {
    var left = TreeCursor(old.node, .forward)
    var right = TreeCursor(new.node, .forward)
    var position = 0
    while !isTruncated, Lockstep.advance(&left, &right, passed: &position) {
      guard let a = left.value, let b = right.value else { break }
      position += 1
      compare(a, b, at: .index(Int64(position)))
      left.skip()
      right.skip()
    }
    visitCount += left.visitCount + right.visitCount
  }

  /// The number of equal values from one end on, at most `limit`.
  private mutating func commonCount(
    _ old: List, _ new: List, _ direction: TreeCursor.Direction, upTo limit: Int
  ) -> Int {
    var left = TreeCursor(old.node, direction)
    var right = TreeCursor(new.node, direction)
    var count = 0
    while count < limit, Lockstep.advance(&left, &right, passed: &count) {
      guard count < limit, let a = left.value, let b = right.value, a == b else { break }
      count += 1
      left.skip()
      right.skip()
    }
    visitCount += left.visitCount + right.visitCount
    return min(count, limit)
  }
}

extension TreeCursor {
  /// The list's next value; nil before a node.
  fileprivate var value: Value? {
    guard let (leaf, slot) = place else { return nil }
    return leaf._withUnsafeGuaranteedRef { $0.values[slot] }
  }
}
