public import MoonValues

/// A route that matches a URL, and what it captures.
///
/// Values are made when they are asked for.
public struct RouteMatch: Sendable {
  /// The names of parameters that hold a wildcard's components: decoded under ours and VISPER's
  /// name, undecoded under JLRoutes'.
  public static let wildcardNames: [Text] = ["wildcard", "*", "JLRouteWildcardComponents"]

  let trie: RouteTrie
  let variant: UInt32
  /// The URL.
  public let request: RouteRequest

  private var stored: RouteTrie.Variant { trie.variants[Int(variant)] }
  private var entry: RouteTrie.Entry { trie.entries[Int(stored.route)] }
  var routeIndex: Int { Int(stored.route) }

  /// The caller's number for the route.
  public var id: Int { entry.id }
  /// The module that registered the route.
  public var owner: Text { trie.atoms[Int(entry.owner)] }
  /// The pattern as it was registered.
  public var patternText: Text { trie.patternText(entry) }

  /// The route as it was registered.
  ///
  /// - Complexity: O(length of its pattern).
  public var route: Route { trie.route(routeIndex) }

  /// The pattern without the groups that are absent from the URL, which JLRoutes takes for the
  /// pattern.
  ///
  /// - Complexity: O(2^groups).
  public var expandedPatternText: Text {
    let pattern = route.pattern
    return pattern.expandedText(pattern.variants[Int(stored.ordinal)])
  }

  /// The namespace that the route was found in, nil for the global one.
  public var scheme: Text? {
    let root = entry.root
    return root == 0 ? nil : trie.roots.first { $0.value == root }?.key
  }

  /// The captured parameters, decoded and converted to their types, without the wildcard.
  public var pathParameters: Map {
    switch stored.captureCount {
    case 0: return Map()
    case 1:
      guard let (key, value) = parameter(trie.captures[Int(stored.captures)]) else { return Map() }
      return Map(key: key, value: value)
    default: return sortedPathParameters()
    }
  }

  /// The components that the wildcard captured, percent-decoded, with each `+` kept; nil without a
  /// wildcard.
  public var wildcard: List? {
    list(of: wildcardRange) { PercentCoding.decode($0, plus: .kept) }
  }

  /// The components that the wildcard captured, undecoded; nil without a wildcard.
  public var rawWildcard: List? {
    list(of: wildcardRange) { Text(validUTF8: $0) }
  }

  /// The parameters of the query, overridden by those of the path, overridden by those passed.
  public func parameters(passing passed: Map = Map()) -> Map {
    var map = queryAndPathParameters
    if !passed.isEmpty { for (key, value) in passed { map[key] = value } }
    return map
  }

  /// Like ``parameters(passing:)``, with the entries that VISPER and JLRoutes add.
  ///
  /// The wildcard, where there is one, under ``wildcardNames``, with the precedence of the path's.
  /// These override even passed parameters: `JLRoutePattern` (expanded), `RoutePattern` (as
  /// registered), `JLRouteURL` and `RouteURL`, and `JLRouteScheme`, which for global routes is
  /// `JLRoutesGlobalRoutesScheme`.
  public func inheritedParameters(passing passed: Map = Map()) -> Map {
    var map = parametersWithWildcard(passing: passed)
    for (key, value) in inheritedEntries(of: route.pattern) { map[key] = value }
    return map
  }

  /// The entries of ``inheritedParameters(passing:)`` that override passed parameters, in the order
  /// of their keys; `pattern` is that of ``route``.
  package func inheritedEntries(of pattern: RoutePattern) -> [(Key, Value)] {
    let expanded = pattern.expandedText(pattern.variants[Int(stored.ordinal)])
    return [
      ("JLRoutePattern", .string(expanded)),
      ("JLRouteScheme", .string(scheme ?? "JLRoutesGlobalRoutesScheme")),
      ("JLRouteURL", .string(request.text)), ("RoutePattern", .string(patternText)),
      ("RouteURL", .string(request.text)),
    ]
  }

  /// The other entries of ``inheritedParameters(passing:)``.
  package func parametersWithWildcard(passing passed: Map) -> Map {
    var map = queryAndPathParameters
    if let wildcard, let rawWildcard {
      map["wildcard"] = .list(wildcard)
      map["*"] = .list(wildcard)
      map["JLRouteWildcardComponents"] = .list(rawWildcard)
    }
    for (key, value) in passed { map[key] = value }
    return map
  }

  private var queryAndPathParameters: Map {
    guard request.hasQuery else { return pathParameters }
    var map = request.queryParameters
    for capture in captures {
      if let (key, value) = parameter(capture) { map[key] = value }
    }
    return map
  }

  /// Several, put in order before a map is made of them: a map that grows by one at a time takes
  /// twice the instructions.
  private func sortedPathParameters() -> Map {
    let captures = captures
    return withUnsafeTemporaryAllocation(
      of: (key: Key, value: Value).self, capacity: captures.count
    ) { entries in
      guard let start = entries.baseAddress else { return Map() }
      var count = 0
      defer { start.deinitialize(count: count) }
      for capture in captures {
        guard let entry = parameter(capture) else { continue }
        var place = count
        while place > 0, entry.key < start[place - 1].key {
          (start + place).moveInitialize(from: start + place - 1, count: 1)
          place -= 1
        }
        (start + place).initialize(to: entry)
        count += 1
      }
      return Map(uniqueSorted: UnsafeBufferPointer(start: start, count: count))
    }
  }

  private var captures: ArraySlice<RouteTrie.Capture> {
    let start = Int(stored.captures)
    return trie.captures[start..<(start + Int(stored.captureCount))]
  }

  /// A parameter; nil for a text that isn't of its type, which the trie doesn't let through.
  private func parameter(_ capture: RouteTrie.Capture) -> (key: Key, value: Value)? {
    let text = request.withPath { path, segments in
      let range = RouteRequest.valueRange(path, segments[Int(capture.segment)])
      return PercentCoding.decode(
        path.slice(range.dropLast(Int(capture.suffixCount))), plus: request.options.plus)
    }
    let name = Key.string(trie.atoms[Int(capture.name)])
    // No component is empty.
    if capture.type == .text { return (name, .string(text)) }
    return capture.type.value(of: text).map { (name, $0) }
  }

  private var wildcardRange: Range<Int>? {
    guard stored.wildcard != RouteTrie.Variant.noWildcard else { return nil }
    return Int(stored.wildcard)..<request.segmentCount
  }

  private func list(
    of range: Range<Int>?, _ text: (UnsafeBufferPointer<UInt8>) -> Text
  ) -> List? {
    guard let range else { return nil }
    return request.withPath { path, segments in
      withUnsafeTemporaryAllocation(of: Value.self, capacity: range.count) { values in
        guard let start = values.baseAddress else { return List() }
        for (place, index) in range.enumerated() {
          (start + place).initialize(to: .string(text(path.slice(segments[index].range))))
        }
        defer { start.deinitialize(count: range.count) }
        return List(UnsafeBufferPointer(start: start, count: range.count))
      }
    }
  }
}
