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
  package init(path: Path, before: Value?, after: Value?) {
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
  package static let changeCountMax = 10_000

  /// The changes, in path order.
  public let changes: [Change]
  /// Whether there are more changes than the limit.
  public let isTruncated: Bool
  /// The number of tree nodes visited, which tests use to check the cost.
  package let visitCount: Int

  /// Finds the differences of two values, at most `limit` of them.
  ///
  /// - Complexity: O(size of the parts that the values don't share), times log n.
  package static func changes(
    from old: Value, to new: Value, limit: Int = changeCountMax
  ) -> Diff {
    var changes: [Change] = []
    let walk = walk(from: old, to: new, limit: limit) { path, before, after in
      changes.append(Change(path: Path(path), before: before, after: after))
    }
    return Diff(changes: changes, isTruncated: walk.isTruncated, visitCount: walk.visitCount)
  }

  /// Passes on each difference of two values without keeping it, at most `limit` of them, as the
  /// steps of its path, the value before and the value after; returns whether there are more.
  ///
  /// - Complexity: As that of ``changes(from:to:limit:)``.
  package static func forEachChange(
    from old: Value, to new: Value, limit: Int = changeCountMax,
    _ report: ([Path.Component], _ before: Value?, _ after: Value?) -> Void
  ) -> Bool {
    walk(from: old, to: new, limit: limit, report).isTruncated
  }

  private static func walk(
    from old: Value, to new: Value, limit: Int, _ report: DiffWalk.Report
  ) -> DiffWalk {
    var walk = DiffWalk(limit: limit)
    walk.compare(old, new, report)
    return walk
  }
}

private struct DiffWalk {
  typealias Report = ([Path.Component], _ before: Value?, _ after: Value?) -> Void

  let limit: Int
  private(set) var isTruncated = false
  private(set) var visitCount = 0
  private var changeCount = 0
  private var path: [Path.Component] = []

  init(limit: Int) {
    self.limit = limit
    path.reserveCapacity(8)
  }

  mutating func compare(_ old: Value, _ new: Value, _ report: Report) {
    if isTruncated || old.isIdentical(to: new) { return }
    switch (old, new) {
    case (.map(let old), .map(let new)): compare(old, new, report)
    case (.list(let old), .list(let new)): compare(old, new, report)
    default: if old != new { take(old, new, report) }
    }
  }

  private mutating func compare(
    _ old: Value, _ new: Value, at component: Path.Component, _ report: Report
  ) {
    path.append(component)
    compare(old, new, report)
    path.removeLast()
  }

  private mutating func take(_ old: Value?, _ new: Value?, _ report: Report) {
    if changeCount >= limit {
      isTruncated = true
    } else {
      changeCount += 1
      report(path, old, new)
    }
  }

  private mutating func take(
    _ old: Value?, _ new: Value?, at component: Path.Component, _ report: Report
  ) {
    path.append(component)
    take(old, new, report)
    path.removeLast()
  }
}

// MARK: Nodes

extension DiffWalk {
  /// Two nodes that hold all differences of two trees.
  private struct Pair {
    let old: Node
    let new: Node
    /// The number of values before them.
    let offset: Int
  }

  /// Goes down as long as a single child differs, without cursors.
  ///
  /// That is what a change of one value leaves, for it keeps the shape of the tree.
  private mutating func narrowed(_ old: Node, _ new: Node) -> Pair {
    var pair = Pair(old: old, new: new, offset: 0)
    while pair.old.height > 0, pair.old.height == pair.new.height,
      pair.old.slotCount == pair.new.slotCount
    {
      var found: Int?
      var offset = pair.offset
      for slot in 0..<pair.old.slotCount {
        let (a, b) = (pair.old.children[slot], pair.new.children[slot])
        if a.node === b.node {
          if found == nil { offset += a.count }
        } else {
          guard found == nil else { return pair }
          found = slot
        }
      }
      guard let found else { return pair }
      visitCount += 2
      pair = Pair(old: pair.old.child(found), new: pair.new.child(found), offset: offset)
    }
    return pair
  }
}

// MARK: Maps

extension DiffWalk {
  private mutating func compare(_ old: Map, _ new: Map, _ report: Report) {
    guard let old = old.node, let new = new.node else {
      return compare(TreeCursor(old.node, .forward), TreeCursor(new.node, .forward), report)
    }
    let pair = narrowed(old, new)
    if pair.old.height == 0, pair.new.height == 0, let keys = pair.old.keys,
      keys === pair.new.keys
    {
      compare(pair.old, pair.new, keys, report)
    } else {
      compare(TreeCursor(pair.old, .forward), TreeCursor(pair.new, .forward), report)
    }
  }

  /// Compares two leaves with the same keys.
  private mutating func compare(_ old: Node, _ new: Node, _ keys: KeyBlock, _ report: Report) {
    visitCount += 2
    for slot in 0..<old.slotCount where !old.values[slot].isIdentical(to: new.values[slot]) {
      if isTruncated { return }
      compare(old.values[slot], new.values[slot], at: Path.Component(keys.key(at: slot)), report)
    }
  }

  private mutating func compare(
    _ old: consuming TreeCursor, _ new: consuming TreeCursor, _ report: Report
  ) {
    var left = old
    var right = new
    while !isTruncated {
      if let a = left.ahead, let b = right.ahead, a === b {
        left.skip()
        right.skip()
        continue
      }
      switch (left.firstKey, right.firstKey) {
      case (nil, nil):
        visitCount += left.visitCount + right.visitCount
        return
      case (.some, nil): takeRemoved(&left, report)
      case (nil, .some): takeInserted(&right, report)
      case (.some(let a), .some(let b)):
        if a < b {
          takeRemoved(&left, report)
        } else if b < a {
          takeInserted(&right, report)
        } else {
          enterOrCompare(&left, &right, report)
        }
      }
    }
    visitCount += left.visitCount + right.visitCount
  }

  /// Brings two cursors at the same key to the same height, or compares the values there.
  private mutating func enterOrCompare(
    _ left: inout TreeCursor, _ right: inout TreeCursor, _ report: Report
  ) {
    let leftHeight = left.height
    let rightHeight = right.height
    guard max(leftHeight, rightHeight) >= 0 else {
      if let old = left.entry, let new = right.entry {
        compare(old.value, new.value, at: Path.Component(new.key), report)
      }
      left.skip()
      right.skip()
      return
    }
    if leftHeight >= rightHeight { left.enter() }
    if rightHeight >= leftHeight { right.enter() }
  }

  private mutating func takeRemoved(_ cursor: inout TreeCursor, _ report: Report) {
    guard let entry = cursor.entry else { return cursor.enter() }
    take(entry.value, nil, at: Path.Component(entry.key), report)
    cursor.skip()
  }

  private mutating func takeInserted(_ cursor: inout TreeCursor, _ report: Report) {
    guard let entry = cursor.entry else { return cursor.enter() }
    take(nil, entry.value, at: Path.Component(entry.key), report)
    cursor.skip()
  }
}

extension TreeCursor {
  /// The height of the next node; -1 before a value.
  fileprivate var height: Int { ahead?.height ?? -1 }

  /// The map's next entry; nil before a node.
  fileprivate var entry: (key: Key, value: Value)? {
    place.map { $0.leaf.entry($0.slot) }
  }

  /// The key of the next entry; nil at the end.
  fileprivate var firstKey: Key? {
    guard let (leaf, slot) = ahead?.leaf(holding: 0) ?? place else { return nil }
    return leaf.keys?.key(at: slot)
  }
}

// MARK: Lists

extension DiffWalk {
  private mutating func compare(_ old: List, _ new: List, _ report: Report) {
    if old.count == new.count {
      compareInPlace(old, new, report)
      return
    }
    let shorter = min(old.count, new.count)
    let prefix = commonCount(old, new, .forward, upTo: shorter)
    let suffix = commonCount(old, new, .backward, upTo: shorter - prefix)
    let runStart = shorter - suffix
    for position in prefix..<runStart {
      if isTruncated { return }
      compare(old[position], new[position], at: .index(Int64(position) + 1), report)
    }
    for position in runStart..<(old.count - suffix) {
      if isTruncated { return }
      take(old[position], nil, at: .index(Int64(position) + 1), report)
    }
    for position in runStart..<(new.count - suffix) {
      if isTruncated { return }
      take(nil, new[position], at: .index(Int64(position) + 1), report)
    }
  }

  private mutating func compareInPlace(_ old: List, _ new: List, _ report: Report) {
    guard let old = old.node, let new = new.node else { return }
    let pair = narrowed(old, new)
    var left = TreeCursor(pair.old, .forward)
    var right = TreeCursor(pair.new, .forward)
    var position = pair.offset
    while !isTruncated, Lockstep.advance(&left, &right, passed: &position) {
      guard let a = left.value, let b = right.value else { break }
      position += 1
      compare(a, b, at: .index(Int64(position)), report)
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
    return leaf.values[slot]
  }
}
