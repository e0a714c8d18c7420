import MoonValues

/// Builds the arrays of a ``RouteTrie``.
struct TrieBuild {
  var nodes: [RouteTrie.Node] = [RouteTrie.Node()]
  var slots = SlotTable()
  var edges: [RouteTrie.Edge] = []
  var parts = ComponentParts()
  var prefixCounts: [UInt16] = []
  var variants: [RouteTrie.Variant] = []
  var captures = CaptureLists()
  var entries: [RouteTrie.Entry] = []
  /// Begins with an unused byte; see ``SlotTable``.
  var pool: [UInt8] = [0]
  var atoms = Atoms()
  var schemes = RouteTrie.Schemes()
  var isLevel = true

  /// The texts of names and owners, each once.
  struct Atoms {
    private(set) var all: [Text] = []
    private var numbers: [Text: UInt32] = [:]

    mutating func number(of text: Text) -> UInt32 {
      if let number = numbers[text] { return number }
      let number = UInt32(all.count)
      numbers[text] = number
      all.append(text)
      return number
    }
  }

  private struct EdgeKey: Hashable {
    var parent: UInt32
    var isOptional: Bool
    var partsStart: Int
  }

  /// A node after parameters, with what decides about the order of its edge.
  private struct Child {
    let node: UInt32
    let partCount: Int
    let rank: [Int]
  }

  /// A variant whose place among those with the same end isn't known yet.
  private struct End {
    var place: UInt64
    var isWildcardOptional: Bool
    var omittedCount: Int
    var variant: RouteTrie.Variant
  }

  private let routes: [RouteEntry]
  private var ends: [End] = []
  private var children: [EdgeKey: Child] = [:]
  /// The lengths of the texts before parameters, by node.
  private var prefixes: [UInt32: Set<Int>] = [:]

  init(_ routes: [RouteEntry], closedSchemes: Set<Text>) {
    self.routes = routes
    schemes.closed = Set(closedSchemes.map(\.lowercased))
    for index in routes.indices { add(index) }
    isLevel = routes.allSatisfy { $0.priority == routes[0].priority }
    placeEnds()
    placeEdges()
    placePrefixes()
  }

  private mutating func add(_ index: Int) {
    let route = routes[index]
    let pattern = route.pattern
    let root = root(of: pattern.scheme)
    let start = pool.count
    pattern.text.withUTF8 { pool.append(contentsOf: $0) }
    entries.append(
      RouteTrie.Entry(
        textOffset: UInt32(start), textCount: UInt16(pool.count - start),
        isConditional: route.isConditional, placeLine: Int32(clamping: route.place?.line ?? 0),
        owner: atoms.number(of: route.owner),
        name: route.name.map { atoms.number(of: $0) + 1 } ?? 0,
        file: route.place.map { atoms.number(of: Text($0.file)) + 1 } ?? 0, root: root,
        priority: route.priority, id: route.id))
    for (ordinal, variant) in pattern.variants.enumerated() {
      add(variant, ordinal, of: pattern, route: index, root: root)
      // A URL's host may stand for the first component, whose case then doesn't matter.
      if root == 0, let first = variant.components.first,
        pattern.components[first].kind != pattern.components[first].kind.lowercased
      {
        add(
          variant, ordinal, of: pattern, route: index, root: lowercasedRootNode(),
          isLowercased: true)
      }
    }
  }

  private mutating func lowercasedRootNode() -> UInt32 {
    if let root = schemes.lowercasedRoot { return root }
    let root = makeNode()
    schemes.lowercasedRoot = root
    return root
  }

  private mutating func add(
    _ variant: PatternVariant, _ ordinal: Int, of pattern: RoutePattern, route: Int, root: UInt32,
    isLowercased: Bool = false
  ) {
    var node = root
    var bound: [RouteTrie.Capture] = []
    var end = End(
      place: 0, isWildcardOptional: false, omittedCount: variant.omittedCount,
      variant: RouteTrie.Variant(
        route: UInt32(route), captures: 0, ordinal: UInt8(ordinal),
        wildcard: RouteTrie.Variant.noWildcard, isLast: false))
    for (segment, index) in variant.components.enumerated() {
      let component = pattern.components[index]
      var kind = pattern.kind(index, at: segment)
      if isLowercased, segment == 0 { kind = kind.lowercased }
      switch kind {
      case .literal(let text):
        node = child(of: node, component.isOptional ? SlotTable.optionalMark : 0, literal: text)
      case .parameters(let parameters):
        bound += captures(of: parameters, at: segment)
        node = child(of: node, component.isOptional, parameters)
      case .wildcard:
        end.variant.wildcard = UInt8(segment)
        end.isWildcardOptional = component.isOptional
      }
    }
    let hasWildcard = end.variant.wildcard != RouteTrie.Variant.noWildcard
    end.place = UInt64(node) * 2 + (hasWildcard ? 1 : 0)
    if bound.count > 1 { bound.sort { atoms.all[Int($0.name)] < atoms.all[Int($1.name)] } }
    end.variant.captures = captures.number(of: bound)
    ends.append(end)
  }

  private mutating func root(of scheme: Text?) -> UInt32 {
    guard let scheme else { return 0 }
    if let root = schemes.roots[scheme.lowercased] {
      if let known = schemes.texts[root], scheme < known { schemes.texts[root] = scheme }
      return root
    }
    let root = makeNode()
    schemes.roots[scheme.lowercased] = root
    schemes.texts[root] = scheme
    return root
  }

  private mutating func captures(
    of parameters: [RoutePattern.Parameter], at segment: Int
  ) -> [RouteTrie.Capture] {
    let range = parameters.isPlain ? 0..<0 : parts.range(of: parameters)
    return parameters.enumerated().map { number, parameter in
      RouteTrie.Capture(
        name: atoms.number(of: parameter.name), partsStart: UInt32(range.lowerBound),
        partCount: UInt8(range.count), part: UInt8(number), segment: UInt8(segment),
        prefixCount: UInt16(parameters[0].prefix.utf8Count))
    }
  }

  private mutating func makeNode() -> UInt32 {
    nodes.append(RouteTrie.Node())
    return UInt32(nodes.count - 1)
  }

  private mutating func child(
    of parent: UInt32, _ mark: UInt32, literal text: Text
  ) -> UInt32 {
    let marked = parent | mark
    let known: (child: UInt32, segment: PathSegment) = text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else {
        preconditionFailure("a literal isn't empty")
      }
      let segment = PathSegment(base, from: 0, to: bytes.count)
      let child = slots.slots.withUnsafeBufferPointer { slots in
        pool.withUnsafeBufferPointer { pool in
          SlotTable.child(slots, pool, seed: self.slots.seed, marked, segment, bytes)
        }
      }
      return (child, segment)
    }
    if known.child != 0 { return known.child }
    let child = makeNode()
    let word1: UInt64
    if known.segment.isLong {
      word1 = known.segment.word1 | UInt64(pool.count) << 16
      text.withUTF8 { pool.append(contentsOf: $0) }
    } else {
      word1 = known.segment.word1
    }
    slots.insert(
      SlotTable.Slot(word0: known.segment.word0, word1: word1, parent: marked, child: child))
    if mark & SlotTable.prefixMark == 0 {
      nodes[Int(parent)].flags |=
        mark == 0 ? RouteTrie.Node.hasLiterals : RouteTrie.Node.hasOptionalLiterals
    }
    return child
  }

  private mutating func child(
    of parent: UInt32, _ isOptional: Bool, _ parameters: [RoutePattern.Parameter]
  ) -> UInt32 {
    if !isOptional, parameters.isPlain {
      if nodes[Int(parent)].plain == 0 {
        let child = makeNode()
        nodes[Int(parent)].plain = child
      }
      return nodes[Int(parent)].plain
    }
    let prefix = parameters[0].prefix
    var parent = parent
    if !prefix.isEmpty {
      prefixes[parent, default: []].insert(prefix.utf8Count)
      let mark = SlotTable.prefixMark | (isOptional ? SlotTable.optionalMark : 0)
      parent = child(of: parent, mark, literal: prefix)
    }
    let range = parts.range(of: parameters)
    let key = EdgeKey(parent: parent, isOptional: isOptional, partsStart: range.lowerBound)
    if let child = children[key] { return child.node }
    let node = makeNode()
    children[key] = Child(
      node: node, partCount: range.count, rank: RoutePattern.rank(of: parameters))
    return node
  }

  /// Stores variants with the same end as a run in winning order.
  private mutating func placeEnds() {
    let sorted = ends.sorted { left, right in
      if left.place != right.place { return left.place < right.place }
      return precedes(left, right)
    }
    ends = []
    for (index, end) in sorted.enumerated() {
      let isFirst = index == 0 || sorted[index - 1].place != end.place
      if isFirst {
        let first = UInt32(variants.count) + 1
        if end.place & 1 == 1 {
          nodes[Int(end.place >> 1)].wildcard = first
        } else {
          nodes[Int(end.place >> 1)].terminal = first
        }
      } else if let last = variants.last, last.route == end.variant.route,
        last.captures == end.variant.captures
      {
        // Groups with equal contents yield equal variants.
        continue
      } else {
        variants[variants.count - 1].isLast = false
      }
      variants.append(end.variant)
      variants[variants.count - 1].isLast = true
    }
  }

  private func precedes(_ left: End, _ right: End) -> Bool {
    let first = routes[Int(left.variant.route)]
    let second = routes[Int(right.variant.route)]
    if first.priority != second.priority { return first.priority > second.priority }
    if left.isWildcardOptional != right.isWildcardOptional { return right.isWildcardOptional }
    if left.omittedCount != right.omittedCount { return left.omittedCount < right.omittedCount }
    if let precedes = first.tie(with: second) { return precedes }
    return left.variant.ordinal < right.variant.ordinal
  }

  private mutating func placeEdges() {
    let sorted = children.sorted { left, right in
      let (first, second) = (left.key, right.key)
      if first.parent != second.parent { return first.parent < second.parent }
      if first.isOptional != second.isOptional { return second.isOptional }
      return left.value.rank.lexicographicallyPrecedes(right.value.rank)
    }
    for (index, (key, child)) in sorted.enumerated() {
      let isFirst = index == 0 || sorted[index - 1].key.parent != key.parent
      if isFirst { nodes[Int(key.parent)].edges = UInt32(edges.count) + 1 }
      let isLast = index + 1 == sorted.count || sorted[index + 1].key.parent != key.parent
      edges.append(
        RouteTrie.Edge(
          child: child.node, partsStart: UInt32(key.partsStart), partCount: UInt8(child.partCount),
          isOptional: key.isOptional, isLast: isLast))
    }
  }

  private mutating func placePrefixes() {
    for (node, counts) in prefixes.sorted(by: { $0.key < $1.key }) {
      nodes[Int(node)].prefixes = UInt32(prefixCounts.count) + 1
      prefixCounts += counts.sorted(by: >).map(UInt16.init) + [0]
    }
  }

  /// The routes by name; of those with the same name, the one that would win.
  var names: [Text: UInt32] {
    var names: [Text: UInt32] = [:]
    for (index, route) in routes.enumerated() {
      guard let name = route.name else { continue }
      if let other = names[name], !route.precedes(routes[Int(other)]) { continue }
      names[name] = UInt32(index)
    }
    return names
  }
}

extension [RoutePattern.Parameter] {
  /// Whether it is one parameter of any text that takes a whole component.
  fileprivate var isPlain: Bool {
    count == 1 && self[0].type == .text && self[0].prefix.isEmpty && self[0].suffix.isEmpty
  }
}

extension RouteEntry {
  /// Returns whether the route precedes another of the same specificity and priority; nil if
  /// nothing distinguishes them.
  func tie(with other: RouteEntry) -> Bool? {
    if owner != other.owner { return owner < other.owner }
    if pattern.text != other.pattern.text { return pattern.text < other.pattern.text }
    let first = (place?.file ?? "", place?.line ?? 0)
    let second = (other.place?.file ?? "", other.place?.line ?? 0)
    if first != second { return first < second }
    if name != other.name { return (name ?? "") < (other.name ?? "") }
    return id == other.id ? nil : id < other.id
  }

  /// Returns whether the route precedes another by priority, or else by ``tie(with:)``.
  func precedes(_ other: RouteEntry) -> Bool {
    if priority != other.priority { return priority > other.priority }
    return tie(with: other) ?? false
  }
}

/// The captures of variants; equal ones are stored once.
struct CaptureLists {
  private(set) var all: [RouteTrie.Capture] = []
  /// The first is that of variants without captures.
  private(set) var lists = [0..<0]
  private var numbers: [[RouteTrie.Capture]: UInt32] = [[]: 0]

  /// Returns the number of the list of captures that ascend by their names.
  fileprivate mutating func number(of bound: [RouteTrie.Capture]) -> UInt32 {
    if let number = numbers[bound] { return number }
    let number = UInt32(lists.count)
    numbers[bound] = number
    let start = all.count
    all.append(contentsOf: bound)
    lists.append(start..<all.count)
    return number
  }
}
