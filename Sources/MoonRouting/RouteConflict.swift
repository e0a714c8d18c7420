package import MoonValues

/// Two routes, one of which always wins where both match.
public struct RouteConflict: Hashable, Sendable {
  /// The extent of the conflict.
  package enum Kind: Hashable, Sendable {
    /// Both match the same URLs.
    case equal
    /// The later one matches only URLs that the earlier one matches as well.
    case shadowed
    /// Some variants of the later one, given as texts, are shadowed.
    case partlyShadowed([Text])
    /// Both have this name; URLs are made with the earlier one.
    case sameName(Text)
  }

  /// The one that wins.
  package let earlier: RouteEntry
  /// The one that is asked only if the winner's handler declines.
  package let later: RouteEntry
  /// The extent of the conflict.
  package let kind: Kind
}

extension RouteConflict: CustomStringConvertible {
  /// One sentence that says which route is never reached, or has a name that is taken, and why.
  public var description: String {
    let (winner, loser) = (Self.named(earlier), Self.named(later))
    return switch kind {
    case .equal: "\(loser) is never reached: \(winner) takes the same URLs"
    case .shadowed: "\(loser) is never reached: \(winner) takes all its URLs"
    case .partlyShadowed(let texts):
      "\(loser) is never reached as \(Wording.list(texts.map(\.string))): \(winner) takes that"
    case .sameName(let name):
      "\(loser) and \(winner) are both named \(name): URLs are made of the second"
    }
  }

  /// Returns text such as `/x/:id of module b (b.lua:3)`.
  private static func named(_ route: RouteEntry) -> String {
    "\(route.pattern.text) of module \(route.owner)" + (route.place.map { " (\($0))" } ?? "")
  }
}

extension RouteTableBuilder {
  /// Returns the routes that others equal or shadow, by owner and text of the later one.
  ///
  /// Each is listed with the first route that shadows it. Routes of different schemes, the global
  /// ones included, don't conflict.
  ///
  /// - Complexity: O(n log n) if patterns differ in literals; every pattern is looked up once.
  ///   After `conflictStepsMax` steps, the remaining routes are skipped.
  package func conflicts() -> [RouteConflict] {
    conflicts(stepsMax: Self.conflictStepsMax)
  }

  /// The number of steps that a search for conflicts may take: about half a second.
  ///
  /// Patterns that branch everywhere take a quadratic number of steps, and no budget limits the
  /// host's own work. A hundred thousand ordinary patterns take a million steps.
  static let conflictStepsMax = 10_000_000

  /// Like ``conflicts()``, with a limit on the number of steps.
  package func conflicts(stepsMax: Int) -> [RouteConflict] {
    let trie = RouteTrie(TrieBuild(routes, closedSchemes: closedSchemes))
    var search = CoverSearch(trie: trie, routes: routes, stepsMax: stepsMax)
    var conflicts: [RouteConflict] = []
    for index in routes.indices {
      conflicts += search.conflicts(of: index)
      if let name = routes[index].name, let first = trie.names[name], Int(first) != index {
        conflicts.append(
          RouteConflict(
            earlier: routes[Int(first)], later: routes[index], kind: .sameName(name)))
      }
    }
    return conflicts.sorted { left, right in
      left.later.tie(with: right.later) ?? left.earlier.tie(with: right.earlier) ?? false
    }
  }
}

/// Finds the variants that match whatever a given one matches.
private struct CoverSearch {
  let trie: RouteTrie
  let routes: [RouteEntry]
  private(set) var stepsLeft: Int
  private var found: [UInt32] = []
  /// The variants by route, cached because a pattern computes them each time.
  private var variants: [Int: [PatternVariant]] = [:]

  private typealias Candidate = (route: RouteEntry, variant: PatternVariant)

  init(trie: RouteTrie, routes: [RouteEntry], stepsMax: Int) {
    self.trie = trie
    self.routes = routes
    stepsLeft = stepsMax
  }

  private mutating func variants(of index: Int) -> [PatternVariant] {
    if let known = variants[index] { return known }
    let made = routes[index].pattern.variants
    variants[index] = made
    return made
  }

  mutating func conflicts(of index: Int) -> [RouteConflict] {
    let route = routes[index]
    guard stepsLeft > 0 else { return [] }
    let variants = variants(of: index)
    stepsLeft -= variants.count
    var shadows: [Int: (texts: [Text], isEqual: Bool)] = [:]
    for variant in variants {
      guard let cover = firstCover(of: (route, variant), index) else { continue }
      shadows[cover.index, default: ([], true)].texts.append(route.pattern.expandedText(variant))
      if !cover.isEqual { shadows[cover.index]?.isEqual = false }
    }
    // An unfinished search proves nothing.
    guard stepsLeft > 0 else { return [] }
    return shadows.sorted { $0.key < $1.key }.map { other, shadow in
      let earlier = routes[other]
      let isWhole = shadow.texts.count == variants.count
      let isEqual = shadow.isEqual && self.variants(of: other).count == variants.count
      let kind: RouteConflict.Kind =
        isWhole ? (isEqual ? .equal : .shadowed) : .partlyShadowed(shadow.texts)
      return RouteConflict(earlier: earlier, later: route, kind: kind)
    }
  }

  private mutating func firstCover(
    of candidate: Candidate, _ index: Int
  ) -> (index: Int, isEqual: Bool)? {
    found = []
    let kinds = candidate.variant.components.enumerated().map {
      candidate.route.pattern.kind($1, at: $0)
    }
    collect(trie.entries[index].root, kinds[...])
    var best: (index: Int, candidate: Candidate)?
    for run in found {
      // Variants are in winning order, so only the first of another route matters.
      var position = Int(run) - 1
      while !canCover(position, index), !trie.variants[position].isLast {
        position += 1
        stepsLeft -= 1
      }
      guard canCover(position, index) else { continue }
      let stored = trie.variants[position]
      let cover = (routes[Int(stored.route)], variants(of: Int(stored.route))[Int(stored.ordinal)])
      if VariantOrder.decide(cover, candidate).isFirst,
        best.map({ VariantOrder.decide(cover, $0.candidate).isFirst }) ?? true
      {
        best = (Int(stored.route), cover)
      }
    }
    return best.map { best in
      let pattern = best.candidate.route.pattern
      let isEqual = best.candidate.variant.components.elementsEqual(
        candidate.variant.components
      ) { left, right in
        pattern.components[left].kind.accepts(
          sameAs: candidate.route.pattern.components[right].kind)
      }
      return (best.index, isEqual)
    }
  }

  /// Returns whether a variant belongs to another route than the one with an index, and that route
  /// takes every URL that the variant matches.
  private func canCover(_ position: Int, _ index: Int) -> Bool {
    let route = Int(trie.variants[position].route)
    return route != index && !routes[route].isConditional
  }

  /// Collects the first variants of all runs that match whatever these components match.
  private mutating func collect(
    _ index: UInt32, _ rest: ArraySlice<RoutePattern.Component.Kind>
  ) {
    stepsLeft -= 1
    guard stepsLeft > 0 else { return }
    let node = trie.nodes[Int(index)]
    if node.wildcard != 0 { found.append(node.wildcard) }
    guard let kind = rest.first else {
      if node.terminal != 0 { found.append(node.terminal) }
      return
    }
    guard kind != .wildcard else { return }
    if case .literal(let text) = kind {
      for parent in [index, index | SlotTable.optionalMark] {
        let child = child(of: parent, text)
        if child != 0 { collect(child, rest.dropFirst()) }
      }
    }
    if node.plain != 0 { collect(node.plain, rest.dropFirst()) }
    collect(edgesOf: node, after: 0, kind, rest)
    guard node.prefixes != 0 else { return }
    for (group, count) in prefixes(of: node, index, kind) {
      collect(edgesOf: trie.nodes[Int(group)], after: count, kind, rest)
    }
  }

  private mutating func collect(
    edgesOf node: RouteTrie.Node, after count: Int, _ kind: RoutePattern.Component.Kind,
    _ rest: ArraySlice<RoutePattern.Component.Kind>
  ) {
    guard node.edges != 0 else { return }
    for edge in trie.edges[trie.edgeRange(from: Int(node.edges) - 1)] {
      stepsLeft -= 1
      if covers(edge, after: count, kind) { collect(edge.child, rest.dropFirst()) }
    }
  }

  /// Returns the nodes of the texts that all components of a kind begin with, and their lengths.
  private func prefixes(
    of node: RouteTrie.Node, _ index: UInt32, _ kind: RoutePattern.Component.Kind
  ) -> [(group: UInt32, count: Int)] {
    let text: Text
    switch kind {
    case .literal(let literal): text = literal
    case .parameters(let parameters): text = parameters.first?.prefix ?? ""
    case .wildcard: return []
    }
    guard !text.isEmpty else { return [] }
    var found: [(group: UInt32, count: Int)] = []
    withSegment(text) { walk in
      for mark in [0, SlotTable.optionalMark] {
        _ = walk.forEachPrefix(of: node, index | mark, walk.segments[0]) { group, count in
          found.append((group, count))
          return 0
        }
      }
    }
    return found
  }

  private func child(of parent: UInt32, _ literal: Text) -> UInt32 {
    withSegment(literal) { walk in
      SlotTable.child(
        walk.slots, walk.pool, seed: walk.seed, parent, walk.segments[0], walk.bytes)
    }
  }

  /// Returns whether an edge takes all components of a kind, after the given number of bytes of
  /// their texts.
  private func covers(
    _ edge: RouteTrie.Edge, after count: Int, _ kind: RoutePattern.Component.Kind
  ) -> Bool {
    switch kind {
    case .literal(let text):
      return withSegment(text) { $0.accepts(edge, $0.segments[0], after: count) }
    case .parameters(let parameters):
      let parts = trie.parts.all[edge.partsRange]
      let texts = parts.map { part in
        trie.parts.bytes[Int(part.textOffset)..<(Int(part.textOffset) + Int(part.textCount))]
      }
      let suffix = parameters.last?.suffix.bytes ?? []
      let others = parameters.dropFirst().map(\.prefix.bytes) + [suffix]
      if parameters.first?.prefix.utf8Count == count, texts.count == others.count,
        zip(texts, others).allSatisfy({ $0.elementsEqual($1) })
      {
        return zip(parts, parameters).allSatisfy { $0.type.covers($1.type) }
      }
      // One that takes any text between these ends takes all that has more there.
      guard texts.count == 1, parts.first?.type == .text else { return false }
      return suffix.suffix(texts[0].count).elementsEqual(texts[0])
    case .wildcard: return false
    }
  }

  private func withSegment<R>(_ literal: Text, _ body: (borrowing TrieWalk) -> R) -> R {
    literal.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { preconditionFailure("a literal isn't empty") }
      let segment = PathSegment(base, from: 0, to: bytes.count)
      return withUnsafePointer(to: segment) {
        trie.withWalk(
          bytes, UnsafeBufferPointer(start: $0, count: 1), .everyPlusIsSpace, body)
      }
    }
  }
}

extension RoutePattern.Component.Kind {
  /// Returns whether both accept the same components, whatever their names.
  fileprivate func accepts(sameAs other: Self) -> Bool {
    switch (self, other) {
    case (.literal(let left), .literal(let right)): left == right
    case (.parameters(let left), .parameters(let right)):
      left.elementsEqual(right) {
        $0.type == $1.type && $0.prefix == $1.prefix && $0.suffix == $1.suffix
      }
    case (.wildcard, .wildcard): true
    default: false
    }
  }
}
