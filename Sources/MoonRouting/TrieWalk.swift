import MoonValues

/// The search for the variants that match one path.
///
/// The search is depth-first and visits children in order of specificity, so it meets variants in
/// winning order, apart from priority. It visits each node at most once and goes no deeper than the
/// longest pattern: ``RoutePattern/componentCountMax``.
struct TrieWalk {
  let trie: RouteTrie
  let nodes: UnsafeBufferPointer<RouteTrie.Node>
  let slots: UnsafeBufferPointer<SlotTable.Slot>
  let pool: UnsafeBufferPointer<UInt8>
  let seed: UInt64
  let bytes: UnsafeBufferPointer<UInt8>
  let segments: UnsafeBufferPointer<PathSegment>
  let plus: PlusRule
  let texts: UnsafeBufferPointer<UInt8>

  /// Returns the first variant that matches, plus 1; 0 if none does.
  func first(from start: UInt32, depth startDepth: Int) -> UInt32 {
    var index = start
    var depth = startDepth
    while true {
      let node = nodes[Int(index)]
      if depth == segments.count { return node.terminal != 0 ? node.terminal : node.wildcard }
      guard node.isSimple else { return firstOfMany(node, index, depth) }
      let literal =
        node.flags & RouteTrie.Node.hasLiterals != 0 ? child(index, segments[depth]) : 0
      depth &+= 1
      if node.plain | node.wildcard == 0 {
        if literal == 0 { return 0 }
        index = literal
        continue
      }
      if literal != 0 {
        let found = first(from: literal, depth: depth)
        if found != 0 { return found }
      }
      if node.plain == 0 { return node.wildcard }
      if node.wildcard != 0 {
        let found = first(from: node.plain, depth: depth)
        return found != 0 ? found : node.wildcard
      }
      index = node.plain
    }
  }

  /// Appends the first variants of all runs that match, plus 1, in order of specificity.
  func collect(from index: UInt32, depth: Int, into found: inout [UInt32]) {
    let node = nodes[Int(index)]
    if depth == segments.count {
      if node.terminal != 0 { found.append(node.terminal) }
    } else {
      _ = firstResult(node, index, depth) { child in
        collect(from: child, depth: depth + 1, into: &found)
        return 0
      }
    }
    if node.wildcard != 0 { found.append(node.wildcard) }
  }

  @inline(never)
  private func firstOfMany(_ node: RouteTrie.Node, _ index: UInt32, _ depth: Int) -> UInt32 {
    let found = firstResult(node, index, depth) { first(from: $0, depth: depth &+ 1) }
    return found != 0 ? found : node.wildcard
  }

  /// Calls `body` with the children that accept a component until it returns a value other than 0.
  ///
  /// The most specific come first: literals, required parameters with texts or types, the other
  /// required parameter, literals in groups, parameters in groups.
  private func firstResult(
    _ node: RouteTrie.Node, _ index: UInt32, _ depth: Int, _ body: (UInt32) -> UInt32
  ) -> UInt32 {
    let segment = segments[depth]
    for mark in [0, SlotTable.optionalMark] {
      let flag = mark == 0 ? RouteTrie.Node.hasLiterals : RouteTrie.Node.hasOptionalLiterals
      if node.flags & flag != 0 {
        let literal = child(index | mark, segment)
        if literal != 0, case let found = body(literal), found != 0 { return found }
      }
      if node.prefixes != 0, case let found = firstAfterPrefix(node, index | mark, segment, body),
        found != 0
      {
        return found
      }
      for edge in edges(of: node)
      where edge.isOptional == (mark != 0) && accepts(edge, segment, after: 0) {
        let found = body(edge.child)
        if found != 0 { return found }
      }
      if mark == 0, node.plain != 0, case let found = body(node.plain), found != 0 { return found }
    }
    return 0
  }

  /// Calls `body` as ``firstResult(_:_:_:_:)`` does, with the parameters that follow a text.
  ///
  /// A text is looked up as a literal, so this takes the same time however many there are.
  private func firstAfterPrefix(
    _ node: RouteTrie.Node, _ marked: UInt32, _ segment: PathSegment, _ body: (UInt32) -> UInt32
  ) -> UInt32 {
    forEachPrefix(of: node, marked, segment) { group, count in
      for edge in edges(of: nodes[Int(group)]) where accepts(edge, segment, after: count) {
        let found = body(edge.child)
        if found != 0 { return found }
      }
      return 0
    }
  }

  /// Calls `body` with the nodes of texts that a component begins with, the longest first, and
  /// their lengths, until it returns a value other than 0.
  func forEachPrefix(
    of node: RouteTrie.Node, _ marked: UInt32, _ segment: PathSegment,
    _ body: (_ group: UInt32, _ count: Int) -> UInt32
  ) -> UInt32 {
    guard node.prefixes != 0, let base = bytes.baseAddress else { return 0 }
    let range = segment.range
    var position = Int(node.prefixes) - 1
    while case let count = Int(trie.prefixCounts[position]), count > 0 {
      position += 1
      guard count <= range.count else { continue }
      let prefix = PathSegment(
        UnsafeRawPointer(base), from: range.lowerBound, to: range.lowerBound + count)
      let group = child(marked | SlotTable.prefixMark, prefix)
      if group != 0, case let found = body(group, count), found != 0 { return found }
    }
    return 0
  }

  func edges(of node: RouteTrie.Node) -> ArraySlice<RouteTrie.Edge> {
    node.edges == 0 ? [] : trie.edges[trie.edgeRange(from: Int(node.edges) - 1)]
  }

  @inline(__always)
  private func child(_ index: UInt32, _ segment: PathSegment) -> UInt32 {
    SlotTable.child(slots, pool, seed: seed, index, segment, bytes)
  }

  /// Returns whether an edge takes a component after a number of its bytes.
  func accepts(_ edge: RouteTrie.Edge, _ segment: PathSegment, after count: Int) -> Bool {
    var range = RouteRequest.valueRange(bytes, segment)
    guard count < range.count else { return false }
    range.removeFirst(count)
    let parts = trie.parts.all[edge.partsRange]
    if parts.count == 1, let part = parts.first {
      return ComponentDivision.accepts(range, in: bytes, part, texts, plus)
    }
    return ComponentDivision(of: range, in: bytes, parts, texts, plus) != nil
  }
}
