extension Node {
  /// The total size of a range of slots.
  func measured(_ range: Range<Int>) -> Size {
    var size = Size.zero
    if height == 0 {
      for index in range { size.addUnchecked(itemSize(at: index)) }
    } else {
      for index in range {
        size.addUnchecked(child(index).size)
      }
    }
    return size.clamped
  }

  /// Adds to the byte count, which must not be saturated; a negative number subtracts.
  func addBytes(_ change: Int) {
    let header = address
    header.pointee.size.byteCount = min(
      header.pointee.size.byteCount &+ change, Size.countMax)
  }

  /// The size of one item of a leaf.
  func itemSize(at index: Int) -> Size {
    values[index].size.item(keyByteCount: keyByteCount(at: index))
  }

  /// The bytes of an item's key with its quotes and the colon after it; 0 in a list.
  func keyByteCount(at index: Int) -> Int {
    keys?.byteCount(at: index) ?? 0
  }

  /// Updates the size after a part of it has changed from one size to another.
  ///
  /// O(1), unless the part was the deepest or a sum is saturated; then all slots are added up.
  func updateSize(replacing old: Size, with new: Size) {
    var size = size
    if size.isSaturated || (new.depth < old.depth && old.depth == size.depth) {
      self.size = measured(0..<slotCount)
    } else {
      size -= old
      size += new
      self.size = size
    }
  }
}
