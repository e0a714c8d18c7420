import MoonRouting
public import MoonValues

/// A URL with the route that takes it and its parameters.
///
/// Everything that takes part in a routing receives one.
public struct RouteResult: Sendable, Equatable {
  /// The URL.
  public let url: Text
  /// The route's pattern as it was registered.
  public let pattern: Text
  /// The route's name.
  public let name: Text?
  /// The namespace that the route was found in; nil for the global one.
  public let scheme: Text?
  /// The module that the route belongs to.
  public let module: ModuleName
  /// The parameters of the query, replaced by those of the path, replaced by those passed.
  public let parameters: Map
  /// The components that a `*` matched, decoded; nil for a pattern without one.
  public let wildcard: List?
  /// The way of presenting the screen, as far as it is decided; nil if it isn't.
  public internal(set) var option: RoutingOption?
  /// The URLs that redirected here, the first one first.
  public let redirectedFrom: [Text]
  /// The parameters with the keys that JLRoutes and VISPER add.
  private let inherited: Map

  init(
    _ match: RouteMatch, of module: ModuleName, name: Text?, passing passed: Map,
    option: RoutingOption?, redirectedFrom: [Text]
  ) {
    url = match.request.text
    pattern = match.patternText
    self.name = name
    scheme = match.scheme
    self.module = module
    parameters = match.parameters(passing: passed)
    wildcard = match.wildcard
    self.option = option
    self.redirectedFrom = redirectedFrom
    inherited = match.inheritedParameters(passing: passed)
  }

  /// The result as scripts see it.
  ///
  /// The shape is `{url, pattern, name, scheme, module, params, wildcard, option,
  /// redirected_from}`. For compatibility, `params` also holds the names by which JLRoutes and
  /// VISPER pass the wildcard, and the map itself holds those for the pattern, the URL and the
  /// scheme.
  public var value: Value {
    var map = Map()
    map["url"] = .string(url)
    map["pattern"] = .string(pattern)
    map["name"] = name.map { .string($0) }
    map["scheme"] = scheme.map { .string($0) }
    map["module"] = .string(Text(module.text))
    map["wildcard"] = wildcard.map { .list($0) }
    map["option"] = option?.value
    var params = inherited
    for key in Self.inheritedKeys {
      // A parameter that the caller passed under such a name stays a parameter.
      map[key] = inherited[key]
      params[key] = parameters[key]
    }
    map["params"] = .map(params)
    if !redirectedFrom.isEmpty {
      map["redirected_from"] = .list(List(redirectedFrom.map { .string($0) }))
    }
    return .map(map)
  }

  private static let inheritedKeys: [Key] = [
    "JLRoutePattern", "JLRouteURL", "JLRouteScheme", "RoutePattern", "RouteURL",
  ]
}
