extension TreeEdits {
  /// Removes the value at the end of `route`.
  ///
  /// Sets `root` to nil if it was the last one.
  static func remove(_ root: inout Node?, _ route: Route) -> Value? {
    guard var node = root.take() else { return nil }
    let value = removeBelow(&node, route)
    while node.height > 0, node.slotCount == 1 { node = node.child(0) }
    root = node.count == 0 ? nil : node
    return value
  }

  private static func removeBelow(_ slot: NodeSlot, _ route: Route) -> Value {
    let height = slot.pointee.height
    let index = route[height]
    if height == 0 { return removeFromLeaf(slot, at: index) }
    if !isKnownUniquelyReferenced(&slot.pointee) { slot.pointee = slot.pointee.copy() }
    let childSlot = slot.pointee.childSlot(index)
    let before = childSlot.pointee.size
    let value = removeBelow(childSlot, route)
    let node = slot.pointee
    node.updateSize(replacing: before, with: childSlot.pointee.size)
    node.children[index].count = childSlot.pointee.count
    node.count -= 1
    if childSlot.pointee.count == 0 {
      dropChild(of: node, at: index)
    } else if childSlot.pointee.slotCount < Node.widthMin, node.slotCount > 1 {
      evenOut(node, max(0, index - 1))
    }
    return value
  }

  private static func removeFromLeaf(_ slot: NodeSlot, at index: Int) -> Value {
    let isUnique = isKnownUniquelyReferenced(&slot.pointee)
    let leaf = slot.pointee
    let slotCount = leaf.slotCount
    let removed = leaf.itemSize(at: index)
    let keys = leaf.keys?.removing(at: index)
    if isUnique {
      let value = (leaf.values + index).move()
      (leaf.values + index).moveInitialize(
        from: leaf.values + index + 1, count: slotCount - index - 1)
      leaf.slotCount -= 1
      leaf.count -= 1
      leaf.keys = keys
      leaf.updateSize(replacing: removed, with: .zero)
      return value
    }
    let shorter = Node.makeLeaf(capacity: max(1, slotCount - 1), keys: keys)
    shorter.appendSlots(of: leaf, 0..<index)
    shorter.appendSlots(of: leaf, (index + 1)..<slotCount)
    shorter.size = leaf.size
    shorter.updateSize(replacing: removed, with: .zero)
    let value = leaf.values[index]
    slot.pointee = shorter
    return value
  }

  private static func dropChild(of node: Node, at index: Int) {
    let slotCount = node.slotCount
    (node.children + index).deinitialize(count: 1)
    (node.children + index).moveInitialize(
      from: node.children + index + 1, count: slotCount - index - 1)
    node.slotCount -= 1
    node.keys = node.keys?.removing(at: index)
  }

  /// Joins the child at `index` and the next one, or distributes their slots evenly.
  private static func evenOut(_ node: Node, _ index: Int) {
    let left = node.child(index)
    let right = node.child(index + 1)
    let total = left.slotCount + right.slotCount
    let keys = joinedKeys(left, right)
    if total <= Node.widthMax {
      put(joined(left, right, 0..<total, keys), in: node, at: index)
      dropChild(of: node, at: index + 1)
      return
    }
    let middle = total / 2
    let newRight = joined(left, right, middle..<total, keys?.slice(middle..<total))
    put(joined(left, right, 0..<middle, keys?.slice(0..<middle)), in: node, at: index)
    put(newRight, in: node, at: index + 1)
    if let key = newRight.keys?.packedKey(at: 0) {
      node.keys = node.keys?.replacing(at: index + 1, with: key)
    }
  }

  private static func joinedKeys(_ left: Node, _ right: Node) -> KeyBlock? {
    guard let leftKeys = left.keys, let rightKeys = right.keys else { return nil }
    let keys = KeyBlock.make(capacity: leftKeys.count + rightKeys.count)
    keys.append(leftKeys, 0..<leftKeys.count)
    keys.append(rightKeys, 0..<rightKeys.count)
    return keys
  }

  /// A node made of a range of the slots of both, counted across them.
  private static func joined(
    _ left: Node, _ right: Node, _ range: Range<Int>, _ keys: KeyBlock?
  ) -> Node {
    let border = left.slotCount
    let node = left.makeSibling(slotCount: range.count, keys: keys)
    node.append(left, range.clamped(to: 0..<border))
    let rest = range.clamped(to: border..<(border + right.slotCount))
    node.append(right, (rest.lowerBound - border)..<(rest.upperBound - border))
    return node
  }

  private static func put(_ child: Node, in node: Node, at index: Int) {
    node.children[index] = Child(node: child, count: child.count)
  }
}
