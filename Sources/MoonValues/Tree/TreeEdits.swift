/// Edits of a tree: in place where the edit holds the only reference, by copying elsewhere.
enum TreeEdits {
  /// The point where a full node is divided.
  enum Division {
    case inTheMiddle
    /// Keeps the full node whole, so that a tree made by appending has full nodes.
    case atTheEnd
  }

  /// Replaces the value at the end of `route`.
  static func replace(_ root: NodeSlot, _ route: Route, with value: consuming Value) {
    let place = root.pointee.place(at: route)
    let old = place.pointee.size
    let new = value.size
    put(root, route, value)
    if old != new { updateSizes(root, route, replacing: old, with: new) }
  }

  private static func put(_ root: NodeSlot, _ route: Route, _ value: consuming Value) {
    var slot = root
    while true {
      if !isKnownUniquelyReferenced(&slot.pointee) { slot.pointee = slot.pointee.copy() }
      let height = slot.pointee.height
      if height == 0 { break }
      slot = slot.pointee.childSlot(route[height])
    }
    slot.pointee.values[route[0]] = value
  }

  /// Updates the sizes of the nodes along `route`.
  ///
  /// Other nodes are read only if the replaced value may have been the deepest.
  static func updateSizes(
    _ root: NodeSlot, _ route: Route, replacing old: Size, with new: Size
  ) {
    // If a sum is saturated, so is the root's.
    if new.depth < old.depth || root.pointee.size.isSaturated {
      return addSizesUp(root, route)
    }
    let change = new.byteCount &- old.byteCount
    var slot = root
    while true {
      let node = slot.pointee
      if new.differsOnlyInBytes(from: old) {
        node.addBytes(change)
      } else {
        var size = node.size
        size -= old
        size += new
        node.size = size
      }
      let height = node.height
      if height == 0 { return }
      slot = node.childSlot(route[height])
    }
  }

  /// Recomputes the sizes of the nodes along `route`, from the leaf up.
  private static func addSizesUp(_ slot: NodeSlot, _ route: Route) {
    let node = slot.pointee
    if node.height > 0 { addSizesUp(node.childSlot(route[node.height]), route) }
    node.size = node.measured(0..<node.slotCount)
  }
}

// MARK: Insertion

extension TreeEdits {
  /// Inserts a value into the tree in `root`, which may grow by a level.
  static func insert(
    _ root: NodeSlot, _ route: Route, key: PackedKey?, value: consuming Value, _ division: Division
  ) {
    guard let right = insertBelow(root, route, key: key, value: value, division) else { return }
    let left = root.pointee
    let keys: KeyBlock? =
      if let leftKeys = left.keys, let rightKeys = right.keys {
        KeyBlock.single(leftKeys.packedKey(at: 0)).inserting(rightKeys.packedKey(at: 0), at: 1)
      } else {
        nil
      }
    let parent = Node.makeInner(height: left.height + 1, keys: keys)
    parent.append(child: left)
    parent.append(child: right)
    root.pointee = parent
  }

  /// Inserts a value.
  ///
  /// Returns the new right neighbour if the node in `slot` had to be divided.
  private static func insertBelow(
    _ slot: NodeSlot, _ route: Route, key: PackedKey?, value: consuming Value, _ division: Division
  ) -> Node? {
    let height = slot.pointee.height
    let index = route[height]
    if height == 0 {
      return insert(slot, at: index, value, key: key, division)
    }
    if !isKnownUniquelyReferenced(&slot.pointee) { slot.pointee = slot.pointee.copy() }
    if index == 0, let key, let keys = slot.pointee.keys, keys.begins(after: key) {
      // Otherwise a later neighbour of the first child could have a bound below the first child's.
      slot.pointee.keys = keys.replacing(at: 0, with: key)
    }
    let childSlot = slot.pointee.childSlot(index)
    let before = childSlot.pointee.size
    let right = insertBelow(childSlot, route, key: key, value: value, division)
    slot.pointee.children[index].count = childSlot.pointee.count
    slot.pointee.count += 1
    slot.pointee.updateSize(replacing: before, with: childSlot.pointee.size)
    guard let right else { return nil }
    slot.pointee.count -= right.count
    return insert(slot, at: index + 1, child: right, division)
  }

  private static func insert(
    _ slot: NodeSlot, at index: Int, _ value: consuming Value, key: PackedKey?,
    _ division: Division
  ) -> Node? {
    let slotCount = slot.pointee.slotCount
    if slotCount == Node.widthMax {
      let (middle, rightHalf) = divide(slot, at: index, division)
      var right = rightHalf
      if index > middle || middle == Node.widthMax {
        _ = insert(&right, at: index - middle, value, key: key, division)
      } else {
        _ = insert(slot, at: index, value, key: key, division)
      }
      return right
    }
    if let key, let keys = slot.pointee.keys {
      let longer = keys.inserting(key, at: index)
      makeRoom(slot, at: index)
      slot.pointee.keys = longer
    } else {
      makeRoom(slot, at: index)
    }
    let leaf = slot.pointee
    leaf.size += value.size.item(keyByteCount: leaf.keyByteCount(at: index))
    (leaf.values + index).initialize(to: value)
    leaf.slotCount += 1
    leaf.count += 1
    return nil
  }

  /// Makes the leaf uniquely referenced, with an uninitialized slot at `index`.
  private static func makeRoom(_ slot: NodeSlot, at index: Int) {
    let isUnique = isKnownUniquelyReferenced(&slot.pointee)
    let leaf = slot.pointee
    let slotCount = leaf.slotCount
    if isUnique, leaf.slotMax > slotCount {
      (leaf.values + index + 1).moveInitialize(from: leaf.values + index, count: slotCount - index)
      return
    }
    let capacity = min(Node.widthMax, max(4, slotCount * 2))
    let larger = Node.makeLeaf(capacity: capacity, keys: leaf.keys)
    if isUnique {
      larger.values.moveInitialize(from: leaf.values, count: index)
      (larger.values + index + 1).moveInitialize(
        from: leaf.values + index, count: slotCount - index)
      leaf.slotCount = 0
    } else {
      for position in 0..<slotCount {
        (larger.values + (position < index ? position : position + 1)).initialize(
          to: leaf.values[position])
      }
    }
    larger.slotCount = slotCount
    larger.count = slotCount
    larger.size = leaf.size
    slot.pointee = larger
  }

  private static func insert(
    _ slot: NodeSlot, at index: Int, child: Node, _ division: Division
  ) -> Node? {
    let slotCount = slot.pointee.slotCount
    if slotCount == Node.widthMax {
      let (middle, rightHalf) = divide(slot, at: index, division)
      var right = rightHalf
      if index > middle || middle == Node.widthMax {
        _ = insert(&right, at: index - middle, child: child, division)
      } else {
        _ = insert(slot, at: index, child: child, division)
      }
      return right
    }
    let node = slot.pointee
    (node.children + index + 1).moveInitialize(
      from: node.children + index, count: slotCount - index)
    (node.children + index).initialize(
      to: Child(node: child, count: child.count))
    node.slotCount += 1
    node.count += child.count
    node.size += child.size
    if let childKeys = child.keys {
      let key = childKeys.packedKey(at: 0)
      node.keys = node.keys?.inserting(key, at: index)
    }
    return nil
  }

  /// Divides a full node, leaving the left half, before an insertion at `index`.
  private static func divide(
    _ slot: NodeSlot, at index: Int, _ division: Division
  ) -> (middle: Int, right: Node) {
    let node = slot.pointee
    let middle =
      division == .atTheEnd && index == Node.widthMax ? Node.widthMax : Node.widthMax / 2
    let right = node.slice(middle..<Node.widthMax)
    if middle < Node.widthMax { slot.pointee = node.slice(0..<middle) }
    return (middle, right)
  }
}
