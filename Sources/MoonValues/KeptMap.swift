import Synchronization

/// A map that is made when first asked for and then kept, as a part of an object.
///
/// An `AtomicLazyReference` takes 570 instructions to read, since it isn't specialized.
package struct KeptMap: ~Copyable {
  /// The retained root of the map.
  private let root = Atomic<UnsafeRawPointer?>(nil)

  package init() {}

  deinit {
    if let address = root.load(ordering: .acquiring) {
      Unmanaged<Node>.fromOpaque(address).release()
    }
  }

  /// Whether the map was made.
  package var isKept: Bool { root.load(ordering: .acquiring) != nil }

  /// The map, if it was made.
  package var map: Map? {
    root.load(ordering: .acquiring).map {
      Map(node: Unmanaged<Node>.fromOpaque($0).takeUnretainedValue())
    }
  }

  /// Keeps a map unless there is one; returns the one that is kept.
  ///
  /// An empty map has no root, and isn't kept.
  package func keep(_ map: Map) -> Map {
    guard let node = map.node else { return map }
    let owned = Unmanaged.passRetained(node)
    let (isFirst, _) = root.compareExchange(
      expected: nil, desired: UnsafeRawPointer(owned.toOpaque()),
      ordering: .acquiringAndReleasing)
    if isFirst { return map }
    owned.release()
    return self.map ?? map
  }
}

// Sendable: an atomic that is set once, to the root of a map, which is never changed while it is
// held here, and is held until the end.
extension KeptMap: @unchecked Sendable {}
