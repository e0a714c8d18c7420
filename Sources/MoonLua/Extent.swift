import MoonValues

/// The limits of a tree that a script makes with parts of the state.
///
/// A shared part counts once for each place where it is found. A script can store the state in
/// itself again and again, which doubles the tree each time at no cost, until it can't be written
/// out.
enum Extent {
  /// The most elements of a tree that parts of the state were stored in.
  static let countMax = 4_000_000

  /// The reason why the state can't keep a tree; nil if it can.
  ///
  /// - Complexity: O(1).
  static func refusal(of value: Value) -> String? {
    if value.depth > Value.depthMax {
      "nesting deeper than \(Value.depthMax) can't be kept in the state"
    } else if value.elementCount > countMax {
      "more than \(countMax) elements can't be kept in the state"
    } else {
      nil
    }
  }
}
