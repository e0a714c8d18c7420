import MoonValues

/// The size of a tree.
///
/// A shared part counts once for each place where it is found. A script can store the state in
/// itself again and again, which doubles the tree each time at no cost, until it can't be written
/// out.
struct Extent {
  /// The most elements of a tree that parts of the state were stored in.
  static let countMax = 4_000_000

  /// The depth of nested lists and maps.
  private(set) var depth = 0
  /// The number of elements at all levels, exact up to the limit.
  private(set) var count = 0

  /// - Complexity: O(distinct elements).
  init(_ value: Value) {
    var known: [ObjectIdentifier: Extent] = [:]
    self.init(value, &known)
  }

  private init(_ value: Value, _ known: inout [ObjectIdentifier: Extent]) {
    let node: AnyObject?
    switch value {
    case .list(let list): node = list.root
    case .map(let map): node = map.root
    default: return
    }
    depth = 1
    guard let node else { return }
    if let extent = known[ObjectIdentifier(node)] {
      self = extent
      return
    }
    switch value {
    case .list(let list): for element in list { add(element, &known) }
    case .map(let map): for (_, element) in map { add(element, &known) }
    default: break
    }
    known[ObjectIdentifier(node)] = self
  }

  private mutating func add(_ element: Value, _ known: inout [ObjectIdentifier: Extent]) {
    let inner = Extent(element, &known)
    depth = max(depth, inner.depth + 1)
    count = min(count + inner.count + 1, Self.countMax + 1)
  }

  /// Adds a part at the depth `level`.
  mutating func add(_ part: Extent, below level: Int) {
    depth = max(depth, level + part.depth)
    count = min(count + part.count, Self.countMax + 1)
  }

  /// Records that there are lists or maps at this level.
  mutating func reach(_ level: Int) { depth = max(depth, level) }

  /// The reason why the tree can't be kept, if any.
  var refusal: String? {
    if depth > Value.depthMax {
      "nesting deeper than \(Value.depthMax) can't be kept in the state"
    } else if count > Self.countMax {
      "more than \(Self.countMax) elements can't be kept in the state"
    } else {
      nil
    }
  }
}
