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
  /// The most specific come first: literals, required parameters with a type or suffix, the other
  /// required parameter, literals in groups, parameters in groups.
  private func firstResult(
    _ node: RouteTrie.Node, _ index: UInt32, _ depth: Int, _ body: (UInt32) -> UInt32
  ) -> UInt32 {
    let segment = segments[depth]
    if node.flags & RouteTrie.Node.hasLiterals != 0 {
      let literal = child(index, segment)
      if literal != 0, case let found = body(literal), found != 0 { return found }
    }
    let edges = node.edges == 0 ? [] : trie.edges[trie.edgeRange(from: Int(node.edges) - 1)]
    for edge in edges where !edge.isOptional && accepts(edge, segment) {
      let found = body(edge.child)
      if found != 0 { return found }
    }
    if node.plain != 0, case let found = body(node.plain), found != 0 { return found }
    if node.flags & RouteTrie.Node.hasOptionalLiterals != 0 {
      let literal = child(index | SlotTable.optionalMark, segment)
      if literal != 0, case let found = body(literal), found != 0 { return found }
    }
    for edge in edges where edge.isOptional && accepts(edge, segment) {
      let found = body(edge.child)
      if found != 0 { return found }
    }
    return 0
  }

  @inline(__always)
  private func child(_ index: UInt32, _ segment: PathSegment) -> UInt32 {
    SlotTable.child(slots, pool, seed: seed, index, segment, bytes)
  }

  func accepts(_ edge: RouteTrie.Edge, _ segment: PathSegment) -> Bool {
    var range = segment.range
    if range.count > 1, bytes[range.upperBound - 1] == .hash { range.removeLast() }
    let suffixCount = Int(edge.suffixCount)
    guard range.count > suffixCount else { return false }
    let suffix = Int(edge.suffixOffset)..<(Int(edge.suffixOffset) + suffixCount)
    guard bytes[range].suffix(suffixCount).elementsEqual(pool[suffix]) else { return false }
    guard edge.type != .text else { return true }
    let value = bytes.slice(range.dropLast(suffixCount))
    if value.contains(where: { $0 == .percent || $0 == .plus }) {
      return PercentCoding.withDecoded(value, plus: plus) { edge.type.accepts($0) }
    }
    return edge.type.accepts(value)
  }
}
