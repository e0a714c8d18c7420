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

  /// The reason why a value can't be kept that holds parts of an argument; nil if it can.
  ///
  /// A program in Swift made the argument, which may hold what no script can store. `path` is that
  /// of the value.
  ///
  /// - Complexity: O(elements).
  static func refusal(ofShared value: Value, _ path: Path) -> String? {
    if let reason = refusal(of: value) {
      return path.components.isEmpty ? reason : "\(path): \(reason)"
    }
    return refusal(ofNaNIn: value, path)
  }

  /// The reason why a value with NaN in it can't be kept; nil if there is none.
  static func refusal(ofNaNIn value: Value, _ path: Path) -> String? {
    value.pathToNaN(path).map {
      "\($0): a number that is not a number (0/0) can't be kept in the state"
    }
  }
}
