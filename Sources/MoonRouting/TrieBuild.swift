import MoonValues

/// Builds the arrays of a ``RouteTrie``.
struct TrieBuild {
  var nodes: [RouteTrie.Node] = [RouteTrie.Node()]
  var slots = SlotTable()
  var edges: [RouteTrie.Edge] = []
  var variants: [RouteTrie.Variant] = []
  var captures = CaptureLists()
  var entries: [RouteTrie.Entry] = []
  /// Begins with an unused byte; see ``SlotTable``.
  var pool: [UInt8] = [0]
  var atoms: [Text] = []
  var roots: [Text: UInt32] = [:]
  var names: [Text: UInt32] = [:]
  let closedSchemes: Set<Text>
  var isLevel = true

  private struct EdgeKey: Hashable {
    var parent: UInt32
    var isOptional: Bool
    var type: ParameterType
    var suffix: Text
  }

  /// A variant whose place among those with the same end isn't known yet.
  private struct End {
    var place: UInt64
    var isWildcardOptional: Bool
    var omittedCount: Int
    var variant: RouteTrie.Variant
  }

  private let routes: [Route]
  private var ends: [End] = []
  private var children: [EdgeKey: UInt32] = [:]
  private var atomNumbers: [Text: UInt32] = [:]

  init(_ routes: [Route], closedSchemes: Set<Text>) {
    self.routes = routes
    self.closedSchemes = closedSchemes
    for index in routes.indices { add(index) }
    isLevel = routes.allSatisfy { $0.priority == routes[0].priority }
    placeEnds()
    placeEdges()
    nameRoutes()
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
        owner: atom(route.owner),
        name: route.name.map { atom($0) + 1 } ?? 0,
        file: route.place.map { atom(Text($0.file)) + 1 } ?? 0, root: root,
        priority: route.priority, id: route.id))
    for (ordinal, variant) in pattern.variants.enumerated() {
      add(variant, ordinal, of: pattern, route: index, root: root)
    }
  }

  private mutating func add(
    _ variant: PatternVariant, _ ordinal: Int, of pattern: RoutePattern, route: Int, root: UInt32
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
      switch component.kind {
      case .literal(let text):
        node = child(of: node, component.isOptional, literal: text)
      case .parameter(let parameter):
        bound.append(
          RouteTrie.Capture(
            name: atom(parameter.name), suffixCount: UInt16(parameter.suffix.utf8Count),
            segment: UInt8(segment), type: parameter.type))
        node = child(of: node, component.isOptional, parameter)
      case .wildcard:
        end.variant.wildcard = UInt8(segment)
        end.isWildcardOptional = component.isOptional
      }
    }
    let hasWildcard = end.variant.wildcard != RouteTrie.Variant.noWildcard
    end.place = UInt64(node) * 2 + (hasWildcard ? 1 : 0)
    if bound.count > 1 { bound.sort { atoms[Int($0.name)] < atoms[Int($1.name)] } }
    end.variant.captures = captures.number(of: bound)
    ends.append(end)
  }

  private mutating func root(of scheme: Text?) -> UInt32 {
    guard let scheme else { return 0 }
    if let root = roots[scheme] { return root }
    let root = makeNode()
    roots[scheme] = root
    return root
  }

  private mutating func makeNode() -> UInt32 {
    nodes.append(RouteTrie.Node())
    return UInt32(nodes.count - 1)
  }

  private mutating func child(
    of parent: UInt32, _ isOptional: Bool, literal text: Text
  ) -> UInt32 {
    let marked = isOptional ? parent | SlotTable.optionalMark : parent
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
    nodes[Int(parent)].flags |=
      isOptional ? RouteTrie.Node.hasOptionalLiterals : RouteTrie.Node.hasLiterals
    return child
  }

  private mutating func child(
    of parent: UInt32, _ isOptional: Bool, _ parameter: RoutePattern.Parameter
  ) -> UInt32 {
    if !isOptional, parameter.type == .text, parameter.suffix.isEmpty {
      if nodes[Int(parent)].plain == 0 {
        let child = makeNode()
        nodes[Int(parent)].plain = child
      }
      return nodes[Int(parent)].plain
    }
    let key = EdgeKey(
      parent: parent, isOptional: isOptional, type: parameter.type, suffix: parameter.suffix)
    if let child = children[key] { return child }
    let child = makeNode()
    children[key] = child
    return child
  }

  private mutating func atom(_ text: Text) -> UInt32 {
    if let number = atomNumbers[text] { return number }
    let number = UInt32(atoms.count)
    atomNumbers[text] = number
    atoms.append(text)
    return number
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
      if first.suffix.utf8Count != second.suffix.utf8Count {
        return first.suffix.utf8Count > second.suffix.utf8Count
      }
      if first.type != second.type { return first.type.rawValue < second.type.rawValue }
      return first.suffix < second.suffix
    }
    for (index, (key, child)) in sorted.enumerated() {
      let isFirst = index == 0 || sorted[index - 1].key.parent != key.parent
      if isFirst { nodes[Int(key.parent)].edges = UInt32(edges.count) + 1 }
      let isLast = index + 1 == sorted.count || sorted[index + 1].key.parent != key.parent
      let start = pool.count
      key.suffix.withUTF8 { pool.append(contentsOf: $0) }
      edges.append(
        RouteTrie.Edge(
          child: child, suffixOffset: UInt32(start), suffixCount: UInt16(key.suffix.utf8Count),
          type: key.type, isOptional: key.isOptional, isLast: isLast))
    }
  }

  /// Among routes with the same name, lets the one that would win keep it.
  private mutating func nameRoutes() {
    for (index, route) in routes.enumerated() {
      guard let name = route.name else { continue }
      if let other = names[name], !route.precedes(routes[Int(other)]) { continue }
      names[name] = UInt32(index)
    }
  }
}

extension Route {
  /// Returns whether the route precedes another of the same specificity and priority; nil if
  /// nothing distinguishes them.
  func tie(with other: Route) -> Bool? {
    if owner != other.owner { return owner < other.owner }
    if pattern.text != other.pattern.text { return pattern.text < other.pattern.text }
    let first = (place?.file ?? "", place?.line ?? 0)
    let second = (other.place?.file ?? "", other.place?.line ?? 0)
    if first != second { return first < second }
    if name != other.name { return (name ?? "") < (other.name ?? "") }
    return id == other.id ? nil : id < other.id
  }

  /// Returns whether the route precedes another by priority, or else by ``tie(with:)``.
  func precedes(_ other: Route) -> Bool {
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
