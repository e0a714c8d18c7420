import MoonValues

/// Folding: storing changed drafts in their parents.
extension Drafts {
  /// The draft's value with all changes below it.
  ///
  /// - Complexity: O(changes since the last call).
  mutating func folded(_ index: UInt32) -> Value {
    fold(index, level: 0)
    if isArgument(index) { sharesArguments = true }
    return drafts[Int(index)].value
  }

  /// Like ``folded(_:)``, for the value that replaces the lent one.
  ///
  /// The drafts can't be used afterwards.
  mutating func committed(_ index: UInt32) throws(HostRefusal) -> Value {
    if index != 0 { takeHold(of: 0) }
    let draft = drafts + Int(index)
    let isTouched = draft.pointee.isTouched
    if isTouched, !draft.pointee.children.isEmpty { fold(index, level: 0) }
    let value = draft.pointee.branch.moveOut()
    if isTouched, mustCheckDepth, let reason = Extent.refusal(of: value) {
      throw .refused("\(rootName): \(reason)")
    }
    return value
  }

  private mutating func fold(_ index: UInt32, level: Int) {
    let draft = drafts + Int(index)
    guard draft.pointee.isChanged, level <= 2 * Value.depthMax else { return }
    draft.pointee.isChanged = false
    if draft.pointee.children.isEmpty { return }
    if let only = draft.pointee.children.only { return fold(index, only, level: level) }
    for entry in draft.pointee.children.entries { fold(index, entry, level: level) }
  }

  private mutating func fold(_ index: UInt32, _ entry: (key: Key, draft: UInt32), level: Int) {
    let child = drafts + Int(entry.draft)
    guard child.pointee.isTouched else { return }
    fold(entry.draft, level: level + 1)
    let parent = drafts + Int(index)
    if parent.pointee.isLent {
      if parent.pointee.branch.exchange(entry.key, with: child.pointee.value, &change) { return }
      takeHold(of: index)
    }
    if !parent.pointee.branch.replace(entry.key, with: child.pointee.value) {
      _ = parent.pointee.value.setElement(entry.key, child.pointee.value)
    }
  }
}

/// The way back to the lent value.
extension Drafts {
  /// Prepares a draft for any change: notes what the lent value was.
  mutating func takeHold(of index: UInt32) {
    let draft = drafts + Int(index)
    guard draft.pointee.isLent else { return }
    change.note(whole: change.former(of: draft.pointee.value))
    draft.pointee.isLent = false
  }

  /// Gives the lent value back as it was.
  @inline(never)
  mutating func restore(_ lent: inout LentValue) {
    if drafts[0].branch.kind != .none { lent.value = drafts[0].branch.moveOut() }
    if lent.change.isNone { swap(&lent.change, &change) }
    lent.restore()
  }
}
