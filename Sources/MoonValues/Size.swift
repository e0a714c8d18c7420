/// The size of a value, which a node stores for everything below it.
///
/// A part that occurs in several places counts each time, as it does when the value is written.
/// Sums saturate at ``countMax``.
struct Size: Equatable {
  /// The bytes of the canonical text.
  var byteCount: Int
  /// The number of elements in the upper 56 bits, and the depth in the lower 8.
  ///
  /// Two words are returned in registers and compared at once.
  private var bits: Int

  /// The greatest sum, far beyond any memory size.
  ///
  /// Adding one such sum for each item of a node overflows neither word.
  static let countMax = 1 << 50

  /// The size of nothing.
  static let zero = Size(byteCount: 0, elementCount: 0, depth: 0)

  /// The size of `[]` and `{}`.
  static let emptyContainer = Size(byteCount: 2, elementCount: 1, depth: 1)

  init(byteCount: Int, elementCount: Int, depth: Int) {
    self.byteCount = byteCount
    bits = elementCount &<< 8 | depth
  }

  init(scalarOf byteCount: Int) {
    self.init(byteCount: byteCount, elementCount: 1, depth: 0)
  }

  /// The number of values at all levels.
  var elementCount: Int { bits &>> 8 }

  /// See `Value.storageCost`.
  var storageCost: Int {
    min(byteCount, Size.countMax) + 16 * min(elementCount, Size.countMax)
  }

  /// The nesting of lists and maps; at most 255.
  var depth: Int { bits & 0xFF }

  /// Whether a sum is saturated, so that nothing can be subtracted from it.
  var isSaturated: Bool { byteCount >= Size.countMax || elementCount >= Size.countMax }

  /// Whether the number of elements and the depth are equal.
  func differsOnlyInBytes(from other: Size) -> Bool { bits == other.bits }

  /// The size of an item in a list or map, with the comma after it and the key before it.
  func item(keyByteCount: Int) -> Size {
    var item = self
    item.byteCount &+= 1 &+ keyByteCount
    return item
  }

  /// The size of a list or map of these items: with brackets, and one comma less.
  var container: Size {
    var container = self
    container.byteCount &+= 1
    container.bits &+= 1 &<< 8 | (depth == 0xFF ? 0 : 1)
    return container
  }

  static func += (left: inout Size, right: Size) {
    left.addUnchecked(right)
    left = left.clamped
  }

  /// Adds one of a node's items.
  ///
  /// Apply ``clamped`` before storing the sum.
  mutating func addUnchecked(_ item: Size) {
    self = Size(
      byteCount: byteCount &+ item.byteCount, elementCount: elementCount &+ item.elementCount,
      depth: max(depth, item.depth))
  }

  /// The size with its sums limited to ``countMax``.
  var clamped: Size {
    Size(
      byteCount: min(byteCount, Size.countMax), elementCount: min(elementCount, Size.countMax),
      depth: depth)
  }

  /// Subtracts a part's sums.
  ///
  /// The depth stays.
  static func -= (left: inout Size, right: Size) {
    left.byteCount &-= right.byteCount
    left.bits &-= right.elementCount &<< 8
  }
}

extension Value {
  /// The number of bytes of ``canonicalText``.
  ///
  /// A part that occurs in several places counts each time. At most 2^50, which stands for any
  /// greater number. O(1), since lists and maps store it.
  package var canonicalByteCount: Int { min(size.byteCount, Size.countMax) }

  /// The number of values in it, including itself.
  ///
  /// Shared parts count as in ``canonicalByteCount``.
  ///
  /// At most 2^50, which stands for any greater number. O(1).
  package var elementCount: Int { min(size.elementCount, Size.countMax) }

  /// The nesting of lists and maps: 0 for a scalar, 1 for `[]` and `{}`.
  ///
  /// At most 255, which stands for any greater number. O(1).
  package var depth: Int { size.depth }

  /// The cost of the value where bytes are limited, in memory or on disk.
  ///
  /// The bytes of its canonical text plus 16 for each element, since small elements take more
  /// memory than text. O(1).
  package var storageCost: Int { size.storageCost }

  /// Whether ``depth`` and ``storageCost`` are no greater than these.
  ///
  /// O(1).
  package func isWithin(depthMax: Int, costMax: Int) -> Bool {
    let size = size
    return size.depth <= depthMax && size.storageCost <= costMax
  }

  var size: Size {
    switch self {
    case .null: Size(scalarOf: 4)
    case .bool(let value): Size(scalarOf: value ? 4 : 5)
    case .int(let integer): Size(scalarOf: CanonicalText.byteCount(of: integer))
    case .double(let double): Size(scalarOf: CanonicalText.byteCount(of: double))
    case .string(let text): Size(scalarOf: text.canonicalByteCount)
    case .list(let list): list.node?.size.container ?? Size.emptyContainer
    case .map(let map): map.node?.size.container ?? Size.emptyContainer
    }
  }
}
