/// A value while a function changes it, with the way back to what it was.
///
/// A lender that gives away its only reference lets the commonest change, that of a single entry of
/// a small map, happen in place. The map isn't copied then, and what was there before is kept
/// instead of the former value. Any other change copies the nodes on its path, as changes of a map
/// do.
package struct LentValue: ~Copyable {
  /// The value as it is now.
  package var value: Value
  /// The way back to what it was.
  package var change = Change()
  /// The place that it was lent from.
  package private(set) var place: Map.Index
  /// The size when it was lent.
  fileprivate private(set) var size: Size

  /// Lends a value, which is at a place in a map.
  package init(_ value: consuming Value, at place: Map.Index? = nil) {
    size = value.size
    self.value = value
    self.place = place ?? Map.Index(route: Route())
  }

  fileprivate mutating func take(_ value: consuming Value, from place: Map.Index) {
    size = value.size
    self.value = value
    self.place = place
  }

  /// What the value was.
  ///
  /// - Complexity: O(log n).
  package var former: Value { change.former(of: value) }

  /// Replaces the value, which hasn't changed.
  package mutating func replace(by made: Value) {
    if !made.isIdentical(to: value) { change.note(whole: value) }
    value = made
  }

  /// Undoes all changes.
  package mutating func restore() {
    if change.isOfEntry, case .map(var map) = value {
      value = .null
      map[change.place] = change.old
      value = .map(map)
    } else if !change.isNone {
      value = change.old
    }
    change.clear()
  }

  /// Forgets the former value if it is the present one.
  package mutating func forgetNoChange() {
    if !change.isNone, !change.isOfEntry, value.isIdentical(to: change.old) { change.clear() }
  }

  /// What a value was, as a way back from what it is.
  ///
  /// Not an enumeration with a payload for each kind, which would be copied at each change.
  package struct Change: ~Copyable {
    // Stored, since a computed property of another module is called at each use.
    /// Whether the value is the same.
    package private(set) var isNone = true
    /// Whether only the value of one entry was replaced, under a small text key of a map.
    package private(set) var isOfEntry = false
    /// What was replaced: the value of the entry, or the whole value.
    package private(set) var old = Value.null
    /// What replaced the value of the entry.
    package private(set) var new = Value.null
    @usableFromInline private(set) var key = KeyWords(high: 0, low: 0)
    /// The place of the entry.
    package private(set) var place = Map.Index(route: Route())

    /// Notes no change.
    package init() {}

    /// Whether the replacement of the value under a key can be noted beside what is noted.
    func allows(_ key: KeyWords) -> Bool { isNone || (isOfEntry && self.key == key) }

    /// Notes that the value of an entry was replaced, for the first time or again.
    mutating func note(
      _ old: consuming Value, by new: consuming Value, under key: KeyWords, at slot: Int
    ) {
      self.new = new
      guard isNone else { return }
      (isNone, isOfEntry) = (false, true)
      self.old = old
      self.key = key
      var route = Route()
      route.set(0, slot)
      place = Map.Index(route: route)
    }

    /// Notes that the value was replaced.
    package mutating func note(whole old: Value) {
      (isNone, isOfEntry) = (false, false)
      self.old = old
    }

    /// Forgets what is noted.
    package mutating func clear() {
      (isNone, isOfEntry) = (true, false)
      old = .null
      new = .null
    }

    /// Returns the value before the change; `present` is that after it.
    ///
    /// - Complexity: O(log n).
    package func former(of present: Value) -> Value {
      isNone ? present : isOfEntry ? present.replacing(place, with: old) : old
    }
  }
}

extension Value {
  /// The map with another value at a place, which must be one of this map; any other value is
  /// itself.
  ///
  /// - Complexity: O(height).
  package func replacing(_ place: Map.Index, with value: Value) -> Value {
    if case .map(let map) = self { .map(map.replacing(place, with: value)) } else { self }
  }
}

extension Branch {
  /// Replaces a scalar under a small text key by another, and notes that.
  ///
  /// What is shared is copied first.
  ///
  /// Returns false and changes nothing if there is no scalar, if the map is large, or if another
  /// entry was changed before.
  package mutating func exchangeScalar(
    packed key: (UInt64, UInt64), with value: Value, _ change: inout LentValue.Change
  ) -> Bool {
    exchange(KeyWords(high: key.0, low: key.1), with: value, &change) { $0.pointee.isScalar }
  }

  /// Like ``exchangeScalar(packed:with:_:)``, for any value.
  package mutating func exchange(
    _ key: Key, with value: Value, _ change: inout LentValue.Change
  ) -> Bool {
    guard case .string(let text) = key, let packed = text.packed else { return false }
    return exchange(KeyWords(high: packed.0, low: packed.1), with: value, &change) { _ in true }
  }

  private mutating func exchange(
    _ key: KeyWords, with value: Value, _ change: inout LentValue.Change,
    if isAllowed: (UnsafeMutablePointer<Value>) -> Bool
  ) -> Bool {
    guard change.allows(key), let slot = slot(of: key), var leaf = node,
      isAllowed(leaf.values + slot)
    else { return false }
    node = nil
    if !isKnownUniquelyReferenced(&leaf) { leaf = leaf.copy() }
    let place = leaf.values + slot
    let old = place.move()
    place.initialize(to: value)
    let sizes = (old: old.size, new: value.size)
    if sizes.old != sizes.new { leaf.updateSize(replacing: sizes.old, with: sizes.new) }
    node = leaf
    change.note(old, by: value, under: key, at: slot)
    return true
  }
}

// MARK: Lending a part of a map

extension Map {
  /// Lends the value under a key, where null stays until ``giveBack(_:)``; returns false and does
  /// nothing if there is none, or if other maps share its place.
  ///
  /// `lent` has no changes. No copy of the map may be made meanwhile.
  ///
  /// - Complexity: O(log n).
  package mutating func lend(_ key: borrowing Key, to lent: inout LentValue) -> Bool {
    guard let index = index(forKey: key), let place = unsharedPlace(at: index) else { return false }
    let value = place.move()
    place.initialize(to: .null)
    lent.take(value, from: index)
    return true
  }

  /// Puts a lent value back at its place, and leaves null in its stead.
  ///
  /// - Complexity: O(height).
  package mutating func giveBack(_ lent: inout LentValue) {
    guard let place = unsharedPlace(at: lent.place) else { return self[lent.place] = lent.value }
    let size = lent.value.size
    swap(&place.pointee, &lent.value)
    if size != lent.size { updateSizes(at: lent.place, replacing: lent.size, with: size) }
  }

  @inline(never)
  private mutating func updateSizes(at index: Index, replacing old: Size, with new: Size) {
    withNodeSlot(&node) { TreeEdits.updateSizes($0, index.route, replacing: old, with: new) }
  }

  /// The address of the value at a place; nil if another map shares it.
  private mutating func unsharedPlace(at index: Index) -> UnsafeMutablePointer<Value>? {
    if node == nil { return nil }
    return withNodeSlot(&node) { root in
      var slot = root
      while isKnownUniquelyReferenced(&slot.pointee) {
        let height = slot.pointee.height
        if height == 0 { return slot.pointee.values + index.route[0] }
        slot = slot.pointee.childSlot(index.route[height])
      }
      return nil
    }
  }
}
