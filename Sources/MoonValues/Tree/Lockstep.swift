/// A position in a tree that can skip whole subtrees, forward or backward.
struct TreeCursor {
  enum Direction {
    case forward
    case backward
  }

  private struct Frame {
    let node: Node
    /// The number of slots of the node that the cursor has passed.
    var passed: Int
  }

  private let direction: Direction
  private var frames: [Frame] = []
  /// The next node, which hasn't been entered.
  private(set) var ahead: Node?
  /// The number of nodes entered.
  private(set) var visitCount = 0

  init(_ root: Node?, _ direction: Direction) {
    self.direction = direction
    ahead = root
  }

  var isAtEnd: Bool { ahead == nil && frames.isEmpty }

  /// The next leaf and slot, if the cursor is before a value in a leaf that it has entered.
  var place: (leaf: Node, slot: Int)? {
    guard ahead == nil, let frame = frames.last else { return nil }
    return (frame.node, slot(of: frame))
  }

  /// Enters the next node, one level down.
  mutating func enter() {
    guard let node = ahead else { return }
    visitCount += 1
    frames.append(Frame(node: node, passed: 0))
    settle()
  }

  /// Skips the next node or value.
  mutating func skip() {
    ahead = nil
    guard var frame = frames.popLast() else { return }
    frame.passed += 1
    frames.append(frame)
    while let last = frames.last, last.passed == last.node.slotCount {
      frames.removeLast()
      if let parent = frames.popLast() {
        frames.append(Frame(node: parent.node, passed: parent.passed + 1))
      }
    }
    settle()
  }

  private mutating func settle() {
    ahead = nil
    guard let frame = frames.last else { return }
    ahead = frame.node.height == 0 ? nil : frame.node.child(slot(of: frame))
  }

  private func slot(of frame: Frame) -> Int {
    switch direction {
    case .forward: frame.passed
    case .backward: frame.node.slotCount - 1 - frame.passed
    }
  }
}

/// Walks two trees side by side, skipping the nodes that they share.
enum Lockstep {
  /// Advances both cursors, which must be equally far from their starts, to the next pair of
  /// values.
  ///
  /// Shared nodes that begin at the same position are skipped; `passed` counts the values in them.
  /// Returns false if either cursor is at its end.
  static func advance(
    _ left: inout TreeCursor, _ right: inout TreeCursor, passed: inout Int
  ) -> Bool {
    while !left.isAtEnd, !right.isAtEnd {
      switch (left.ahead, right.ahead) {
      case (nil, nil): return true
      case (.some, nil): left.enter()
      case (nil, .some): right.enter()
      case (.some(let a), .some(let b)):
        if a === b {
          passed += a.count
          left.skip()
          right.skip()
          continue
        }
        if a.height >= b.height { left.enter() }
        if b.height >= a.height { right.enter() }
      }
    }
    return false
  }

  /// Like ``areEqual(_:_:)``, for nodes of the same shape; nil for others.
  private static func areEqualIfAlike(_ left: Node, _ right: Node) -> Bool? {
    guard left.height == right.height, left.slotCount == right.slotCount else { return nil }
    if left.height == 0 {
      return haveEqualKeys(left, right)
        && (0..<left.slotCount).allSatisfy { left.values[$0] == right.values[$0] }
    }
    for slot in 0..<left.slotCount {
      let (a, b) = (left.children[slot], right.children[slot])
      if a.node === b.node { continue }
      guard a.count == b.count else { return nil }
      let answer = areEqualIfAlike(a.node, b.node)
      guard answer == true else { return answer }
    }
    return true
  }

  /// Whether both trees have the same values and keys in the same order.
  static func areEqual(_ left: Node?, _ right: Node?) -> Bool {
    if left === right { return true }
    guard let left, let right, left.count == right.count else { return false }
    // Equal values have the same text, and so the same size. Most changes change it.
    if left.size != right.size, !left.size.isSaturated, !right.size.isSaturated { return false }
    // A change of one value keeps the shape, and then no cursors are needed.
    return areEqualIfAlike(left, right) ?? areEqualByCursors(left, right)
  }

  private static func areEqualByCursors(_ left: Node, _ right: Node) -> Bool {
    var first = TreeCursor(left, .forward)
    var second = TreeCursor(right, .forward)
    var passed = 0
    while advance(&first, &second, passed: &passed) {
      guard let a = first.place, let b = second.place else { break }
      guard slotsAreEqual(a, b) else { return false }
      first.skip()
      second.skip()
    }
    return true
  }

  private static func haveEqualKeys(_ left: Node, _ right: Node) -> Bool {
    guard let a = left.keys, let b = right.keys else { return true }
    return a === b || (0..<left.slotCount).allSatisfy { a.key(at: $0) == b.key(at: $0) }
  }

  private static func slotsAreEqual(
    _ left: (leaf: Node, slot: Int), _ right: (leaf: Node, slot: Int)
  ) -> Bool {
    guard left.leaf.values[left.slot] == right.leaf.values[right.slot] else { return false }
    guard let keys = left.leaf.keys, let others = right.leaf.keys else { return true }
    if keys === others, left.slot == right.slot { return true }
    return keys.key(at: left.slot) == others.key(at: right.slot)
  }
}
