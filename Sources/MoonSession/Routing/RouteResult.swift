import MoonRouting
public import MoonValues

/// A URL, the route that takes it, and the parameters: what everybody in a routing gets.
public struct RouteResult: Sendable, Equatable {
  /// The URL.
  public let url: Text
  /// The route's pattern as it was registered.
  public let pattern: Text
  /// The route's name.
  public let name: Text?
  /// The namespace that the route was found in, nil for the global one.
  public let scheme: Text?
  /// Whose route it is.
  public let module: ModuleName
  /// The query's parameters, replaced by the path's, replaced by those passed.
  public let parameters: Map
  /// The components that a `*` took, decoded; nil without one.
  public let wildcard: List?
  /// How the screen will be presented, as far as that is decided.
  public internal(set) var option: RoutingOption?
  /// The URLs that redirected here, the first one first.
  public let redirectedFrom: [Text]
  /// What the ancestors put beside the parameters.
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
  /// `{url, pattern, name, scheme, module, params, wildcard, option, redirected_from}`. Of the
  /// names that JLRoutes and VISPER have for the same, those of the wildcard are among `params`,
  /// those of the pattern, the URL and the scheme stand beside them.
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
      // One that was asked for by the same name stays where it was asked for.
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
