/// The routes that match a URL, in winning order.
///
/// The first costs no more than ``RouteTable/firstMatch(_:)``; asking for a second finds all at
/// once. A copy continues where the original stood.
public struct RouteMatches: Sequence, IteratorProtocol, Sendable {
  private let trie: RouteTrie
  private let request: RouteRequest
  private var roots: SearchRoots
  private var root: UInt32?
  private var rest: ArraySlice<UInt32> = []
  private var stage = Stage.fresh

  /// The progress of the search in the current namespace.
  private enum Stage {
    case fresh
    case firstFound
    case allFound
  }

  init(trie: RouteTrie, request: RouteRequest) {
    self.trie = trie
    self.request = request
    roots = trie.searchRoots(request)
    root = roots.next()
  }

  /// Returns the next route in order; nil after the last.
  public mutating func next() -> RouteMatch? {
    while let root {
      if let variant = nextVariant(root) {
        return RouteMatch(trie: trie, variant: variant, request: request)
      }
      self.root = roots.next()
      stage = .fresh
    }
    return nil
  }

  private mutating func nextVariant(_ root: UInt32) -> UInt32? {
    switch stage {
    case .fresh where trie.isLevel:
      stage = .firstFound
      let variant = withWalk { trie.first($0, root) }
      if variant != 0 { return variant - 1 }
      stage = .allFound
      return nil
    case .fresh, .firstFound:
      rest = withWalk { trie.all($0, root) }[...]
      if stage == .firstFound { rest.removeFirst() }
      stage = .allFound
      return rest.popFirst()
    case .allFound:
      return rest.popFirst()
    }
  }

  private func withWalk<R>(_ body: (borrowing TrieWalk) -> R) -> R {
    request.withPath { path, segments in
      trie.withWalk(path, segments, request.options.plus, body)
    }
  }
}
