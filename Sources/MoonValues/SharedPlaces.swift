import Synchronization

/// A table with a place for each of a few hundred objects, by the hashes of their keys.
///
/// A place is filled once and never emptied, so that no reader can hold an object that is being
/// freed.
struct SharedPlaces: Sendable {
  typealias Place = UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>

  /// The binary logarithm of the number of places.
  private static let bitCount: UInt64 = 8

  // Written once, before anyone can read it. The places are atomic.
  nonisolated(unsafe) private let places: Place

  /// Makes a table, which is never freed.
  init() {
    let count = 1 << Self.bitCount
    places = .allocate(capacity: count)
    for index in 0..<count { (places + index).initialize(to: Atomic(nil)) }
  }

  /// Returns the place for a key.
  @inline(__always)
  func place(of key: UInt64) -> Place {
    // Fibonacci hashing (Knuth): the high bits of the product depend on all bits of the key.
    places + Int((key &* 0x9E37_79B9_7F4A_7C15) &>> (64 - Self.bitCount))
  }

  /// Returns the object at a place; nil if there is none yet.
  @inline(__always)
  static func object(at place: Place) -> UnsafeRawPointer? {
    place.pointee.load(ordering: .acquiring)
  }

  /// Puts an object at a place for good, unless another was put there first.
  static func fill(_ place: Place, with object: AnyObject) {
    let owned = Unmanaged.passRetained(object)
    let (isFirst, _) = place.pointee.compareExchange(
      expected: nil, desired: UnsafeRawPointer(owned.toOpaque()), ordering: .acquiringAndReleasing)
    if !isFirst { owned.release() }
  }
}
