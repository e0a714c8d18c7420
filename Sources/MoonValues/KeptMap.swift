import Synchronization

/// A map that is made when first asked for and then kept, as a part of an object.
package struct KeptMap: ~Copyable, Sendable {
  private let kept = Mutex<Map?>(nil)

  package init() {}

  /// Whether the map was made.
  package var isKept: Bool { map != nil }

  /// The map, if it was made.
  package var map: Map? { kept.withLock { $0 } }

  /// Keeps a map unless there is one; returns the one that is kept.
  package func keep(_ map: Map) -> Map {
    kept.withLock { kept in
      if let kept { return kept }
      kept = map
      return map
    }
  }
}
