import MoonValues

/// The routes of a table as an immutable trie in flat arrays.
///
/// The edges of literals are in one hash table keyed by node and component, so a step costs one
/// lookup however wide the node is. An edge takes one component, so the positions of a route's
/// captures are known in advance, and a branch neither carries captures nor leaves any behind.
final class RouteTrie: Sendable {
  struct Node {
    /// The child for a required parameter of any text; 0 for none.
    var plain: UInt32 = 0
    /// The first of the variants that end here, plus 1.
    var terminal: UInt32 = 0
    /// The first of the variants that end here with a wildcard, plus 1.
    var wildcard: UInt32 = 0
    /// The first of the other parameters' edges, plus 1.
    var edges: UInt32 = 0
    /// The first of the lengths of texts before parameters, plus 1; see
    /// ``RouteTrie/prefixCounts``.
    var prefixes: UInt32 = 0
    var flags: UInt32 = 0

    static let hasLiterals: UInt32 = 1
    static let hasOptionalLiterals: UInt32 = 2
    var isSimple: Bool { edges | prefixes == 0 && flags & Node.hasOptionalLiterals == 0 }
  }

  /// The edge of parameters with types or texts, or in a group.
  ///
  /// Those with a text before the first parameter begin at a node of that text, which is found as
  /// literals are.
  struct Edge {
    var child: UInt32
    /// The first of its parts, in ``RouteTrie/parts``.
    var partsStart: UInt32
    var partCount: UInt8
    var isOptional: Bool
    var isLast: Bool
    var partsRange: Range<Int> { Int(partsStart)..<(Int(partsStart) + Int(partCount)) }
  }

  /// A pattern without groups, at the end of its branch.
  struct Variant {
    var route: UInt32
    /// The index of what it captures, in ``RouteTrie/captureLists``.
    var captures: UInt32
    /// Its index among its pattern's variants.
    var ordinal: UInt8
    /// The index at which the wildcard begins; 0xFF for none.
    var wildcard: UInt8
    /// Whether it is the last variant that ends at the node in this way.
    var isLast: Bool

    static let noWildcard: UInt8 = 0xFF
  }

  struct Capture: Hashable {
    var name: UInt32
    /// The first of the parts of its component, in ``RouteTrie/parts``.
    var partsStart: UInt32
    /// The number of parts; 0 if the component is one parameter without a type.
    var partCount: UInt8
    /// The index of its own part.
    var part: UInt8
    var segment: UInt8
    /// The length of the text before the first parameter.
    var prefixCount: UInt16
    var partsRange: Range<Int> { Int(partsStart)..<(Int(partsStart) + Int(partCount)) }
  }

  /// A route, with texts as numbers.
  struct Entry {
    var textOffset: UInt32
    var textCount: UInt16
    var isConditional: Bool
    var placeLine: Int32
    var owner: UInt32
    /// 0 for none, as in `file`; otherwise the atom plus 1.
    var name: UInt32
    var file: UInt32
    /// The root of its namespace.
    var root: UInt32
    var priority: Int
    var id: Int
  }

  /// The namespaces of schemes.
  struct Schemes {
    /// The roots, by schemes in small letters.
    var roots: [Text: UInt32] = [:]
    /// The schemes of roots as patterns write them.
    var texts: [UInt32: Text] = [:]
    /// The root of global patterns that begin with a literal in capitals, in small letters; nil if
    /// there are none.
    var lowercasedRoot: UInt32?
    /// The schemes whose URLs don't match global patterns, in small letters.
    var closed: Set<Text> = []
  }

  let nodes: [Node]
  let slots: SlotTable
  let edges: [Edge]
  /// The parts of components, with the texts between and after parameters.
  let parts: ComponentParts
  /// The lengths of the texts before parameters, by node, the longest first, each list with a 0 at
  /// its end.
  let prefixCounts: [UInt16]
  let variants: [Variant]
  let captures: [Capture]
  /// Where the captures of variants stand, in ascending order of their names; shared by all that
  /// capture the same.
  let captureLists: [Range<Int>]
  let entries: [Entry]
  let pool: [UInt8]
  let atoms: [Text]
  let schemes: Schemes
  let names: [Text: UInt32]
  /// Whether all routes have the same priority, so that the first found is the first in order.
  let isLevel: Bool

  init(_ build: consuming TrieBuild) {
    nodes = build.nodes.compacted
    slots = build.slots.frozen()
    edges = build.edges.compacted
    parts = build.parts.compacted
    prefixCounts = build.prefixCounts.compacted
    variants = build.variants.compacted
    captures = build.captures.all.compacted
    captureLists = build.captures.lists.compacted
    entries = build.entries.compacted
    pool = build.pool.compacted
    atoms = build.atoms.all.compacted
    schemes = build.schemes
    names = build.names
    isLevel = build.isLevel
  }

  /// Returns the edges of a node, whose first is at `start`.
  func edgeRange(from start: Int) -> ClosedRange<Int> {
    var end = start
    while !edges[end].isLast { end += 1 }
    return start...end
  }

  /// The number of bytes in the arrays.
  var byteCount: Int {
    nodes.storedByteCount + slots.byteCount + edges.storedByteCount + variants.storedByteCount
      + parts.all.storedByteCount + parts.bytes.storedByteCount + prefixCounts.storedByteCount
      + captures.storedByteCount + captureLists.storedByteCount + entries.storedByteCount
      + pool.storedByteCount
      + atoms.reduce(atoms.storedByteCount) { $0 + ($1.utf8Count > 15 ? $1.utf8Count + 64 : 0) }
      + (schemes.roots.capacity + names.capacity) * 32
  }

  /// Returns the captures of a variant, in ascending order of their names.
  func captures(of variant: Variant) -> ArraySlice<Capture> {
    captures[captureLists[Int(variant.captures)]]
  }

  func patternText(_ entry: Entry) -> Text {
    let start = Int(entry.textOffset)
    return Text(validUTF8: pool[start..<(start + Int(entry.textCount))])
  }

  /// Returns the route as it was registered.
  ///
  /// - Complexity: O(length of its pattern).
  func route(_ index: Int) -> RouteEntry {
    let entry = entries[index]
    guard let pattern = try? RoutePattern(parsing: patternText(entry)) else {
      preconditionFailure("a table holds texts that were parsed before")
    }
    return RouteEntry(
      pattern, owner: atoms[Int(entry.owner)], id: entry.id, priority: entry.priority,
      name: entry.name > 0 ? atoms[Int(entry.name) - 1] : nil,
      place: entry.file > 0
        ? SourcePlace(file: atoms[Int(entry.file) - 1].string, line: Int(entry.placeLine)) : nil,
      isConditional: entry.isConditional)
  }

  /// Calls `body` with everything needed to walk along a path.
  @inline(__always)
  func withWalk<R>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ segments: UnsafeBufferPointer<PathSegment>,
    _ plus: PlusRule, _ body: (borrowing TrieWalk) -> R
  ) -> R {
    nodes.withUnsafeBufferPointer { nodes in
      slots.slots.withUnsafeBufferPointer { slots in
        pool.withUnsafeBufferPointer { pool in
          parts.bytes.withUnsafeBufferPointer { texts in
            body(
              TrieWalk(
                trie: self, nodes: nodes, slots: slots, pool: pool, seed: self.slots.seed,
                bytes: bytes, segments: segments, plus: plus, texts: texts))
          }
        }
      }
    }
  }
}

extension Array {
  /// A copy of the elements without spare capacity.
  var compacted: [Element] {
    [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      _ = buffer.initialize(from: self)
      initialized = count
    }
  }

  var storedByteCount: Int { capacity * MemoryLayout<Element>.stride + 32 }
}
