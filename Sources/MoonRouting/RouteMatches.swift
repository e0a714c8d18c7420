/// The routes that match a URL, in winning order.
///
/// The first costs no more than ``RouteTable/firstMatch(_:)``; asking for a second finds all at
/// once. A copy continues where the original stood.
package struct RouteMatches: Sequence, IteratorProtocol, Sendable {
  private let trie: RouteTrie
  private let request: RouteRequest
  private var searches: Searches
  private var search: Search?
  /// The routes that were found, as far as a later search may find them again.
  private var found: Set<Int> = []
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
    searches = trie.searches(request)
    search = searches.next()
  }

  /// Returns the next route in order; nil after the last.
  package mutating func next() -> RouteMatch? {
    while let search {
      if let variant = nextVariant(search) {
        let match = RouteMatch(trie: trie, variant: variant, request: request)
        guard request.hasHost else { return match }
        // A host in capitals is searched for twice among the global routes.
        if search.isLowercased, search.root == 0 || search.root == trie.schemes.lowercasedRoot,
          found.contains(match.routeIndex)
        {
          continue
        }
        found.insert(match.routeIndex)
        return match
      }
      self.search = searches.next()
      stage = .fresh
    }
    return nil
  }

  private mutating func nextVariant(_ search: Search) -> UInt32? {
    switch stage {
    case .fresh where trie.isLevel:
      stage = .firstFound
      let variant = trie.withWalk(request, search) { trie.first($0, search.root) }
      if variant != 0 { return variant - 1 }
      stage = .allFound
      return nil
    case .fresh, .firstFound:
      rest = trie.withWalk(request, search) { trie.all($0, search.root) }[...]
      if stage == .firstFound { rest.removeFirst() }
      stage = .allFound
      return rest.popFirst()
    case .allFound:
      return rest.popFirst()
    }
  }
}
