package import MoonValues

/// An immutable table of routes that finds the routes matching a URL.
///
/// A ``RouteTableBuilder`` makes a new table when routes change, so a table is always consistent. A
/// copy is O(1).
///
/// Routes that match a URL are ordered as follows: those of its scheme before the global ones; then
/// by higher priority; then by specificity, component by component from the left (a literal, a
/// parameter after a longer text, with more text after it, of a narrower type, any parameter, a
/// component in a group, a wildcard), and last the one with fewer groups left out; then by owner;
/// then by the pattern's text; then by place. The order in which they were added never matters.
package struct RouteTable: Sendable {
  let trie: RouteTrie

  /// Makes a table without routes.
  package init() {
    self.init(TrieBuild([], closedSchemes: []))
  }

  init(_ build: consuming TrieBuild) {
    trie = RouteTrie(build)
  }

  /// The number of routes.
  package var count: Int { trie.entries.count }

  /// The number of bytes in memory; the share of a few texts is estimated.
  ///
  /// - Complexity: O(number of distinct names).
  package var byteCount: Int { trie.byteCount }

  /// The routes, sorted by owner and text.
  ///
  /// - Complexity: O(n log n).
  package var routes: [RouteEntry] {
    trie.entries.indices.map { trie.route($0) }.sorted { $0.tie(with: $1) ?? false }
  }

  /// Returns the routes that match, the winner first.
  ///
  /// Each is found on demand. A pattern with groups is listed once for each variant that matches.
  package func matches(_ request: RouteRequest) -> RouteMatches {
    RouteMatches(trie: trie, request: request)
  }

  /// Returns the route that wins; nil if none matches.
  ///
  /// - Complexity: O(length of the URL) if no two patterns differ only in the kinds of their
  ///   components; at worst O(size of the table).
  package func firstMatch(_ request: consuming RouteRequest) -> RouteMatch? {
    for search in trie.searches(request) {
      let variant = trie.withWalk(request, search) { trie.first($0, search.root) }
      if variant != 0 { return RouteMatch(trie: trie, variant: variant - 1, request: request) }
    }
    return nil
  }

  /// Returns the global route that wins for the path of a URL, which is neither checked nor
  /// decoded.
  ///
  /// It computes only numbers; the scan gives the captures afterwards.
  @inline(__always)
  package func firstMatch(
    path: UnsafeBufferPointer<UInt8>, _ scan: inout PathScan
  ) -> PathMatch? {
    let variant = firstVariant(path: path, &scan)
    return variant == 0 ? nil : PathMatch(variant: variant - 1)
  }

  package func firstVariant(
    path: UnsafeBufferPointer<UInt8>, _ scan: inout PathScan
  ) -> UInt32 {
    scan.scan(path)
    return trie.withWalk(path, scan.found, .everyPlusIsSpace) {
      trie.first($0, 0)
    }
  }

  /// Returns the number of a path match's route.
  package func id(of match: PathMatch) -> Int {
    trie.entries[Int(trie.variants[Int(match.variant)].route)].id
  }

  /// Returns the number of captures of a path match, including the wildcard.
  package func captureCount(of match: PathMatch) -> Int {
    let variant = trie.variants[Int(match.variant)]
    return trie.captureLists[Int(variant.captures)].count
      + (variant.wildcard == RouteTrie.Variant.noWildcard ? 0 : 1)
  }

  /// Returns a capture of a path match; captures ascend by their names, with the wildcard last.
  package func capture(_ index: Int, of match: PathMatch) -> PathMatch.Capture {
    let variant = trie.variants[Int(match.variant)]
    let range = trie.captureLists[Int(variant.captures)]
    guard index < range.count else {
      return PathMatch.Capture(name: "wildcard", segment: Int(variant.wildcard), isWildcard: true)
    }
    let capture = trie.captures[range.lowerBound + index]
    return PathMatch.Capture(
      name: trie.atoms[Int(capture.name)], segment: Int(capture.segment), isWildcard: false)
  }
}

/// A match of a bare path, as a number.
package struct PathMatch {
  let variant: UInt32

  /// The captured component and its name.
  package struct Capture {
    package let name: Text
    let segment: Int
    let isWildcard: Bool
  }
}

extension RouteTrie {
  /// Returns the searches for a request: in its scheme's namespace, then in the global one.
  @inline(__always)
  func searches(_ request: borrowing RouteRequest) -> Searches {
    guard let scheme = request.scheme else { return Searches(first: Search(root: 0)) }
    return searches(request, scheme.lowercased)
  }

  private func searches(_ request: borrowing RouteRequest, _ scheme: Text) -> Searches {
    var searches = Searches(
      first: schemes.roots[scheme].map { Search(root: $0, isLowercased: true) })
    guard !schemes.closed.contains(scheme) else { return searches }
    searches.second = Search(root: 0)
    guard request.hasHost else { return searches }
    if request.hasCapitals { searches.third = Search(root: 0, isLowercased: true) }
    searches.fourth = schemes.lowercasedRoot.map { Search(root: $0, isLowercased: true) }
    return searches
  }

  /// Calls `body` with what walks along a request's path in one search.
  @inline(__always)
  func withWalk<R>(
    _ request: borrowing RouteRequest, _ search: Search, _ body: (borrowing TrieWalk) -> R
  ) -> R {
    let plus = request.options.plus
    guard search.isLowercased else {
      return request.withPath { withWalk($0, $1, plus, body) }
    }
    return request.withLowercasedPath { withWalk($0, $1, plus, body) }
  }

  /// Returns the first variant in winning order, plus 1; 0 for none.
  @inline(__always)
  func first(_ walk: borrowing TrieWalk, _ root: UInt32) -> UInt32 {
    isLevel ? walk.first(from: root, depth: 0) : all(walk, root).first.map { $0 + 1 } ?? 0
  }

  /// Returns all variants in the order of matching.
  func all(_ walk: borrowing TrieWalk, _ root: UInt32) -> [UInt32] {
    var runs: [UInt32] = []
    walk.collect(from: root, depth: 0, into: &runs)
    var found: [UInt32] = []
    for run in runs {
      var index = run - 1
      found.append(index)
      while !variants[Int(index)].isLast {
        index += 1
        found.append(index)
      }
    }
    if isLevel { return found }
    let order = found.indices.sorted { left, right in
      let first = entries[Int(variants[Int(found[left])].route)].priority
      let second = entries[Int(variants[Int(found[right])].route)].priority
      return first == second ? left < right : first > second
    }
    return order.map { found[$0] }
  }
}

/// A search in one namespace.
struct Search {
  let root: UInt32
  /// Whether the first component is searched for in small letters.
  var isLowercased = false
}

/// Up to four searches, without an allocation.
struct Searches: Sequence, IteratorProtocol {
  var first: Search?
  var second: Search?
  var third: Search?
  var fourth: Search?

  mutating func next() -> Search? {
    while true {
      let search = first
      let isOver = second == nil && third == nil && fourth == nil
      (first, second, third, fourth) = (second, third, fourth, nil)
      if search != nil || isOver { return search }
    }
  }
}
