package import MoonValues

/// A route that matches a URL, and what it captures.
///
/// Values are computed on demand.
package struct RouteMatch: Sendable {
  let trie: RouteTrie
  let variant: UInt32
  /// The URL.
  package let request: RouteRequest

  private var stored: RouteTrie.Variant { trie.variants[Int(variant)] }
  private var entry: RouteTrie.Entry { trie.entries[Int(stored.route)] }
  var routeIndex: Int { Int(stored.route) }

  /// The caller's number for the route.
  package var id: Int { entry.id }
  /// The module that registered the route.
  package var owner: Text { trie.atoms[Int(entry.owner)] }
  /// The pattern as it was registered.
  package var patternText: Text { trie.patternText(entry) }

  /// The route as it was registered.
  ///
  /// - Complexity: O(length of its pattern).
  package var route: RouteEntry { trie.route(routeIndex) }

  /// The pattern without the groups that are absent from the URL, as JLRoutes reports it.
  ///
  /// - Complexity: O(2^groups).
  package var expandedPatternText: Text { expandedPatternText(of: route.pattern) }

  /// Returns the property's value; `pattern` is that of ``route``, which needn't be parsed again.
  package func expandedPatternText(of pattern: RoutePattern) -> Text {
    pattern.expandedText(at: Int(stored.ordinal))
  }

  /// The namespace in which the route was found; nil for the global one.
  package var scheme: Text? {
    trie.schemes.texts[entry.root]
  }

  /// The captured parameters, decoded and converted to their types, without the wildcard.
  package var pathParameters: Map { Map(captures.map(parameter)) }

  /// The components that the wildcard captured, percent-decoded, with each `+` kept; nil without a
  /// wildcard.
  package var wildcard: List? {
    listFromWildcard { PercentCoding.decode($0, plus: .kept) }
  }

  /// The components that the wildcard captured, undecoded; nil without a wildcard.
  package var rawWildcard: List? {
    listFromWildcard { Text(validUTF8: $0) }
  }

  /// Returns the parameters of the query, overridden by those of the path, then by those passed.
  package func parameters(passing passed: Map = Map()) -> Map {
    var map = queryAndPathParameters
    if !passed.isEmpty { for (key, value) in passed { map[key] = value } }
    return map
  }

  /// JLRoutes' name for the scheme of global routes.
  package static let globalScheme: Text = "JLRoutesGlobalRoutesScheme"

  /// Returns ``parameters(passing:)`` with the wildcard, if there is one, which has the precedence
  /// of the path's parameters.
  ///
  /// It is decoded under our name and VISPER's, `wildcard` and `*`, and undecoded under that of
  /// JLRoutes.
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
    for (key, value) in captures.map(parameter) { map[key] = value }
    return map
  }

  private var captures: ArraySlice<RouteTrie.Capture> { trie.captures(of: stored) }

  private func parameter(_ capture: RouteTrie.Capture) -> (Key, Value) {
    let value = request.withPath { self.value(of: capture, $0, $1) }
    return (.string(trie.atoms[Int(capture.name)]), value)
  }

  @inline(__always)
  private func value(
    of capture: RouteTrie.Capture, _ path: UnsafeBufferPointer<UInt8>,
    _ segments: UnsafeBufferPointer<PathSegment>
  ) -> Value {
    let segment = segments[Int(capture.segment)]
    if capture.partCount == 0, let text = segment.plainText {
      return .string(text)
    }
    return decodedValue(of: capture, path, segment)
  }

  @inline(never)
  private func decodedValue(
    of capture: RouteTrie.Capture, _ path: UnsafeBufferPointer<UInt8>, _ segment: PathSegment
  ) -> Value {
    let range = RouteRequest.valueRange(path, segment)
    let plus = request.options.plus
    guard capture.partCount > 0 else {
      return .string(PercentCoding.decode(path.slice(range), plus: plus))
    }
    let own = place(of: capture, in: path.slice(range)) ?? 0..<range.count
    let text = PercentCoding.decode(path.slice(range).slice(own), plus: plus)
    let type = trie.parts.all[Int(capture.partsStart) + Int(capture.part)].type
    // The trie accepts only texts of the type, except for capitals in hosts.
    return type == .text ? .string(text) : type.value(of: text) ?? .string(text)
  }

  /// Returns the place of a capture in its component, which the trie has accepted.
  private func place(
    of capture: RouteTrie.Capture, in component: UnsafeBufferPointer<UInt8>
  ) -> Range<Int>? {
    func place(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
      trie.parts.bytes.withUnsafeBufferPointer { texts in
        ComponentDivision(
          of: Int(capture.prefixCount)..<bytes.count, in: bytes, trie.parts.all[capture.partsRange],
          texts, request.options.plus)?.values[Int(capture.part)]
      }
    }
    if let found = place(in: component) { return found }
    return component.map(\.lowercased).withUnsafeBufferPointer(place)
  }

  @inline(__always)
  private func listFromWildcard(_ text: (UnsafeBufferPointer<UInt8>) -> Text) -> List? {
    let start = stored.wildcard
    guard start != RouteTrie.Variant.noWildcard else { return nil }
    return request.withPath { path, segments in
      let rest = segments.dropFirst(Int(start))
      return List(rest.map { .string($0.plainText ?? text(path.slice($0.range))) })
    }
  }
}
