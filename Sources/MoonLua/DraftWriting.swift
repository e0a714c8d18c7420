import MoonValues

extension Drafts {
  /// Stores a scalar or a new tree under a key; nil removes the entry.
  mutating func set(
    _ index: UInt32, _ key: Key, _ value: Value?, depth: Int = 0
  ) throws(HostRefusal) {
    try checkWritable(index, key)
    guard Int(drafts[Int(index)].level) + 1 + depth <= Value.depthMax else {
      throw .refused(
        "\(path(index, key)): nesting deeper than \(Value.depthMax) can't be kept in the state")
    }
    if let value {
      try store(value, index, key)
    } else {
      takeHold(of: index)
      let countBefore = drafts[Int(index)].branch.count
      drafts[Int(index)].value.removeElement(key)
      growth &+= drafts[Int(index)].branch.count &- countBefore
    }
    detachChild(index, key)
    touch(index)
  }

  /// Replaces a scalar under a small text key by another; returns false if there is none.
  ///
  /// A scalar has no draft, and the depth doesn't grow.
  @inline(__always)
  mutating func replaceScalar(
    _ index: UInt32, packed: (UInt64, UInt64), with value: consuming Value
  ) -> Bool {
    let draft = drafts + Int(index)
    guard !draft.pointee.isReadOnly else { return false }
    if draft.pointee.isLent {
      if draft.pointee.branch.exchangeScalar(packed: packed, with: value, &change) {
        // It has no parents.
        draft.pointee.isChanged = true
        draft.pointee.isTouched = true
        return true
      }
      takeHold(of: index)
    }
    guard draft.pointee.branch.replaceScalar(packed: packed, with: value) else { return false }
    touch(index)
    return true
  }

  /// Stores a draft under a key; it is then found in both places, or is copied if it is of another
  /// origin.
  mutating func set(_ index: UInt32, _ key: Key, draft: UInt32) throws(HostRefusal) {
    try checkWritable(index, key)
    try checkAcyclic(index, key, draft)
    if drafts[Int(index)].children[key] == draft { return }
    let value = stored(draft, in: index)
    try store(value, index, key)
    detachChild(index, key)
    place(draft, in: index, key)
    touch(index)
  }

  /// Inserts into a list; returns false for another value.
  mutating func insert(
    _ index: UInt32, _ position: Int64, _ value: Value, depth: Int = 0, draft: UInt32? = nil
  ) throws(HostRefusal) -> Bool {
    let key = Key.int(position)
    try beginChange(index, key)
    if let draft { try checkAcyclic(index, key, draft) }
    guard Int(drafts[Int(index)].level) + 1 + depth <= Value.depthMax else {
      throw .refused(
        "\(path(index, key)): nesting deeper than \(Value.depthMax) can't be kept in the state")
    }
    let element = draft.map { stored($0, in: index) } ?? value
    let done = drafts[Int(index)].value.withList { $0.insert(element, at: Int(position) - 1) }
    guard done else { return false }
    growth &+= 1
    drafts[Int(index)].children.shift(from: position, by: 1)
    if let draft { place(draft, in: index, key) }
    touch(index)
    return true
  }

  /// Removes an element of a list and returns it; nil for another value.
  mutating func remove(_ index: UInt32, _ position: Int64) throws(HostRefusal) -> DraftValue? {
    guard case .list(let list) = drafts[Int(index)].value else { return nil }
    guard position >= 1, position <= Int64(list.count) else { return .absent }
    let key = Key.int(position)
    try beginChange(index, key)
    let removed = try value(index, key)
    if case .scalar(let scalar) = removed { self.removed = scalar }
    drafts[Int(index)].value.withList { $0.remove(at: Int(position) - 1) }
    growth &-= 1
    detachChild(index, key)
    drafts[Int(index)].children.shift(from: position + 1, by: -1)
    touch(index)
    return removed
  }

  /// Checks that a draft may be changed, and prepares it.
  private mutating func beginChange(_ index: UInt32, _ key: Key) throws(HostRefusal) {
    try checkWritable(index, key)
    takeHold(of: index)
  }

  private func checkWritable(_ index: UInt32, _ key: Key) throws(HostRefusal) {
    if drafts[Int(index)].isReadOnly {
      throw .refused(
        "\(path(index, key)): the state can only be changed in a reducer; dispatch an action")
    }
  }

  /// Refuses to store `draft` in itself or in one of its descendants.
  private func checkAcyclic(_ index: UInt32, _ key: Key, _ draft: UInt32) throws(HostRefusal) {
    var seen: Set<UInt32> = []
    var waiting = [index]
    while let next = waiting.popLast() {
      if next == draft {
        throw .refused("\(path(index, key)): a table that holds itself can't be kept in the state")
      }
      if seen.insert(next).inserted { waiting += drafts[Int(next)].parents.all }
    }
  }

  private mutating func store(_ value: Value, _ index: UInt32, _ key: Key) throws(HostRefusal) {
    let draft = drafts + Int(index)
    if draft.pointee.isLent, draft.pointee.branch.exchange(key, with: value, &change) {
      return
    }
    takeHold(of: index)
    // Most keys are there already.
    if draft.pointee.branch.replace(key, with: value) { return }
    let countBefore = draft.pointee.branch.count
    defer { growth &+= drafts[Int(index)].branch.count &- countBefore }
    if !draft.pointee.value.setElement(key, value) {
      throw .refused(
        """
        \(path(index, key)): a table with both integer and string keys can't be kept in the state: \
        give it one kind of key
        """)
    }
  }

  /// Whether storing `draft` in another stores a copy.
  private func isCopied(_ draft: UInt32, in parent: UInt32) -> Bool {
    drafts[Int(draft)].origin != drafts[Int(parent)].origin
  }

  /// The value that is stored for `draft` in another.
  private mutating func stored(_ draft: UInt32, in parent: UInt32) -> Value {
    isCopied(draft, in: parent) ? folded(draft) : drafts[Int(draft)].value
  }

  /// Links a stored draft to its new parent, unless it was copied.
  private mutating func place(_ draft: UInt32, in parent: UInt32, _ key: Key) {
    if isCopied(draft, in: parent) {
      mustCheckDepth = true
    } else {
      attach(draft, to: parent, key)
    }
  }

  private mutating func attach(_ draft: UInt32, to parent: UInt32, _ key: Key) {
    drafts[Int(parent)].children[key] = draft
    drafts[Int(draft)].parents.append(parent)
    let level = drafts[Int(parent)].level &+ 1
    if drafts[Int(draft)].level < level {
      drafts[Int(draft)].level = level
      mustCheckDepth = true
    }
  }

  private mutating func detachChild(_ index: UInt32, _ key: Key) {
    guard let child = drafts[Int(index)].children[key] else { return }
    drafts[Int(index)].children[key] = nil
    drafts[Int(child)].parents.remove(index)
  }

  /// Marks a draft and its ancestors as changed.
  private func touch(_ index: UInt32) {
    var current = index
    while true {
      let draft = drafts + Int(current)
      if draft.pointee.isChanged && draft.pointee.isTouched { return }
      draft.pointee.isChanged = true
      draft.pointee.isTouched = true
      if draft.pointee.parents.areMany { return touchAll(draft.pointee.parents.all) }
      guard let parent = draft.pointee.parents.first else { return }
      current = parent
    }
  }

  private func touchAll(_ parents: [UInt32]) {
    var waiting = parents
    while let next = waiting.popLast() {
      let draft = drafts + Int(next)
      if draft.pointee.isChanged && draft.pointee.isTouched { continue }
      draft.pointee.isChanged = true
      draft.pointee.isTouched = true
      waiting += draft.pointee.parents.all
    }
  }
}
