/// A path whose steps are small text keys, as those of most paths are: following it reads no texts.
///
/// Observers are told of changes by comparing the two ends of such a path at each commit. It
/// is a quicker form of `Map.change(at:since:)`.
package struct PackedPath: Sendable, Equatable {
  private let keys: [KeyWords]
  // Apart from the list, so that reading them counts no reference.
  @usableFromInline let stepCount: Int
  @usableFromInline let secondStep: KeyWords

  /// Stands for a path that can't be packed, where an optional would cost a reference at each use.
  package static let unusable = PackedPath(keys: [])

  /// Whether there is a path.
  package var isUsable: Bool { !keys.isEmpty }

  private init(keys: [KeyWords]) {
    self.keys = keys
    stepCount = keys.count
    secondStep = keys.count > 1 ? keys[1] : KeyWords(high: 0, low: 0)
  }

  /// Packs a path; nil if it is empty, or a step is an index or a longer text.
  package init?(_ path: Path) {
    var keys: [KeyWords] = []
    for component in path.components {
      guard case .key(let name) = component, let packed = name.packed else { return nil }
      keys.append(KeyWords(high: packed.0, low: packed.1))
    }
    guard !keys.isEmpty else { return nil }
    self.init(keys: keys)
  }

  /// The change of the value at the end between two maps; nil if it is unchanged.
  ///
  /// - Complexity: O(steps · log n), and O(size of the parts that aren't shared) at the end.
  package func change(from old: Map, to new: Map) -> (old: Value?, new: Value?)? {
    let (old, new) = (Value.map(old), Value.map(new))
    return withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in change(after: 0, from: old, to: new) }
    }
  }

  /// What a change of the value that the first step leads to means for the end.
  package enum Effect {
    /// The end isn't changed.
    case none
    /// The end is the value that was replaced.
    case end
    /// The two values must be compared; see ``part(of:in:)``.
    case unknown
  }

  /// What a change of the value that the first step leads to means for the end.
  @inlinable @inline(__always)
  package func effect(of change: borrowing LentValue.Change) -> Effect {
    if change.isNone { return .none }
    guard change.isOfEntry, stepCount > 1 else { return .unknown }
    if secondStep.high != change.key.high || secondStep.low != change.key.low { return .none }
    return stepCount == 2 ? .end : .unknown
  }

  /// Like ``change(from:to:)``, for a change of the value that the first step leads to; `slice` is
  /// what it has become.
  package func part(
    of change: borrowing LentValue.Change, in slice: Value
  ) -> (old: Value?, new: Value?)? {
    let isInEntry = change.isOfEntry && keys.count > 1
    let old = isInEntry ? change.old : change.former(of: slice)
    let new = isInEntry ? change.new : slice
    return withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        self.change(after: isInEntry ? 2 : 1, from: old, to: new)
      }
    }
  }

  private func change(
    after stepCount: Int, from old: UnsafePointer<Value>, to new: UnsafePointer<Value>
  ) -> (old: Value?, new: Value?)? {
    var ends: (old: UnsafePointer<Value>?, new: UnsafePointer<Value>?) = (old, new)
    for index in stepCount..<keys.count {
      let nodes = (old: Self.map(at: ends.old), new: Self.map(at: ends.new))
      // What follows is the same in both.
      if nodes.old === nodes.new { return nil }
      ends = Self.slots(of: keys[index], in: nodes.old, nodes.new)
    }
    // The same address is the same value, since no value is changed in place meanwhile.
    if ends.old == ends.new { return nil }
    if let old = ends.old, let new = ends.new, old.pointee == new.pointee { return nil }
    return (ends.old?.pointee, ends.new?.pointee)
  }

  /// The addresses of the values under a key in two maps, valid as long as the maps; nil where
  /// there is none.
  ///
  /// Two versions of a small map share their keys, so that one search finds both.
  private static func slots(
    of key: KeyWords, in old: Node?, _ new: Node?
  ) -> (old: UnsafePointer<Value>?, new: UnsafePointer<Value>?) {
    if let old, let new, let slots = sharedSlots(of: key, in: old, new) { return slots }
    let packed = (key.high, key.low)
    return (UnsafePointer(old?.slot(packed: packed)), UnsafePointer(new?.slot(packed: packed)))
  }

  private static func sharedSlots(
    of key: KeyWords, in old: Node, _ new: Node
  ) -> (old: UnsafePointer<Value>?, new: UnsafePointer<Value>?)? {
    guard old.height == 0, new.height == 0, let keys = old.keys, keys === new.keys else {
      return nil
    }
    let slot = keys.index(high: key.high, low: key.low)
    if slot < 0 { return (nil, nil) }
    return (UnsafePointer(old.values + slot), UnsafePointer(new.values + slot))
  }

  /// The root of the map at an address; nil if there is no map, or an empty one.
  private static func map(at place: UnsafePointer<Value>?) -> Node? {
    guard let place, case .map(let map) = place.pointee else { return nil }
    return map.node
  }
}
