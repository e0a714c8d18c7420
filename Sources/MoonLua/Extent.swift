import MoonValues

/// How large a tree is.
///
/// A part that is found in several places counts in each of them. A script can put a part of the
/// state into itself again and again, which doubles the tree each time at no cost, until nobody
/// could write it out.
struct Extent {
  /// Elements that a tree may have when parts of the state are put into it.
  static let countMax = 4_000_000

  /// How deep lists and maps are nested.
  private(set) var depth = 0
  /// How many elements there are at all levels; exact up to the limit.
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

  /// Adds a part that lies below `level` lists and maps.
  mutating func add(_ part: Extent, below level: Int) {
    depth = max(depth, level + part.depth)
    count = min(count + part.count, Self.countMax + 1)
  }

  /// Notes that there are lists and maps at this level.
  mutating func reach(_ level: Int) { depth = max(depth, level) }

  /// Why the tree can't be kept, if so.
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
