/// A place in a tree from which whole subtrees can be skipped, forward or backward.
///
/// Nodes are unretained: whoever walks keeps the tree.
struct TreeCursor {
  enum Direction {
    case forward
    case backward
  }

  private struct Frame {
    let node: Unmanaged<Node>
    /// How many slots of the node are behind the cursor.
    var passed: Int
  }

  private let direction: Direction
  private var frames: [Frame] = []
  /// A node that lies ahead and hasn't been entered.
  private(set) var ahead: Unmanaged<Node>?
  /// How many nodes were entered.
  private(set) var visitCount = 0

  init(_ root: Node?, _ direction: Direction) {
    self.direction = direction
    if let root { ahead = Unmanaged.passUnretained(root) }
  }

  var isAtEnd: Bool { ahead == nil && frames.isEmpty }

  /// The leaf and slot ahead, if the cursor stands before a value in a leaf it has entered.
  var place: (leaf: Unmanaged<Node>, slot: Int)? {
    guard ahead == nil, let frame = frames.last else { return nil }
    return (frame.node, slot(of: frame))
  }

  /// Goes into the node ahead, one level down.
  mutating func enter() {
    guard let node = ahead else { return }
    visitCount += 1
    frames.append(Frame(node: node, passed: 0))
    settle()
  }

  /// Goes into nodes until a value is ahead.
  mutating func enterLeaf() {
    while ahead != nil { enter() }
  }

  /// Passes the node or value ahead.
  mutating func skip() {
    ahead = nil
    guard var frame = frames.popLast() else { return }
    frame.passed += 1
    frames.append(frame)
    while let last = frames.last, last.passed == last.node._withUnsafeGuaranteedRef(\.slotCount) {
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
    let slot = slot(of: frame)
    ahead = frame.node._withUnsafeGuaranteedRef { node in
      node.height == 0 ? nil : node.children[slot].reference
    }
  }

  private func slot(of frame: Frame) -> Int {
    switch direction {
    case .forward: frame.passed
    case .backward: frame.node._withUnsafeGuaranteedRef(\.slotCount) - 1 - frame.passed
    }
  }
}

/// Walks two trees side by side, skipping the nodes that they share.
enum Lockstep {
  /// Steps both cursors, which are equally far from their starts, to the next pair of values.
  ///
  /// Shared nodes that begin at the same place are skipped; `passed` counts the values in them.
  /// False if either is at its end.
  static func advance(
    _ left: inout TreeCursor, _ right: inout TreeCursor, passed: inout Int
  ) -> Bool {
    while !left.isAtEnd, !right.isAtEnd {
      switch (left.ahead, right.ahead) {
      case (nil, nil): return true
      case (.some, nil): left.enter()
      case (nil, .some): right.enter()
      case (.some(let a), .some(let b)):
        if a.toOpaque() == b.toOpaque() {
          passed += a._withUnsafeGuaranteedRef(\.count)
          left.skip()
          right.skip()
          continue
        }
        let leftHeight = a._withUnsafeGuaranteedRef(\.height)
        let rightHeight = b._withUnsafeGuaranteedRef(\.height)
        if leftHeight >= rightHeight { left.enter() }
        if rightHeight >= leftHeight { right.enter() }
      }
    }
    return false
  }

  /// As ``areEqual(_:_:)`` for nodes that divide the same number of values alike; nil for others.
  private static func areEqualIfAlike(_ left: Node, _ right: Node) -> Bool? {
    guard left.height == right.height, left.slotCount == right.slotCount else { return nil }
    if left.height == 0 {
      return haveEqualKeys(left, right)
        && (0..<left.slotCount).allSatisfy { left.values[$0] == right.values[$0] }
    }
    for slot in 0..<left.slotCount {
      let (a, b) = (left.children[slot], right.children[slot])
      if a.reference.toOpaque() == b.reference.toOpaque() { continue }
      guard a.count == b.count else { return nil }
      let answer = a.reference._withUnsafeGuaranteedRef { a in
        b.reference._withUnsafeGuaranteedRef { b in areEqualIfAlike(a, b) }
      }
      guard answer == true else { return answer }
    }
    return true
  }

  /// Whether both trees have the same values and keys in the same order.
  static func areEqual(_ left: Node?, _ right: Node?) -> Bool {
    if left === right { return true }
    guard let left, let right, left.count == right.count else { return false }
    // A change in place leaves the shape as it was: then no cursors are needed.
    if let answer = areEqualIfAlike(left, right) { return answer }
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
    _ left: (leaf: Unmanaged<Node>, slot: Int), _ right: (leaf: Unmanaged<Node>, slot: Int)
  ) -> Bool {
    left.leaf._withUnsafeGuaranteedRef { a in
      right.leaf._withUnsafeGuaranteedRef { b in
        guard a.values[left.slot] == b.values[right.slot] else { return false }
        guard let aKeys = a.keys, let bKeys = b.keys else { return true }
        if aKeys === bKeys, left.slot == right.slot { return true }
        return aKeys.key(at: left.slot) == bKeys.key(at: right.slot)
      }
    }
  }
}
