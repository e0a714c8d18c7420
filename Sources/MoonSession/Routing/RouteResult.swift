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
  public internal(set) var option: RoutingOption? {
    didSet { shown["option"] = option?.value }
  }
  /// The URLs that redirected here, the first one first.
  public let redirectedFrom: [Text]
  /// The result as scripts see it, made once for all registrations that take part in a routing.
  private var shown: Map

  init(
    _ match: RouteMatch, of module: ModuleName, _ route: RoutePattern, name: Text?,
    passing passed: Map, option: RoutingOption?, redirectedFrom: [Text]
  ) {
    self.module = module
    self.name = name
    url = match.request.text
    pattern = match.patternText
    scheme = match.scheme
    parameters = match.parameters(passing: passed)
    wildcard = match.wildcard
    self.option = option
    self.redirectedFrom = redirectedFrom
    // In the order of the map's keys, so that they needn't be sorted.
    var shown = match.inheritedEntries(of: route)
    shown.append(("module", .string(Text(module.text))))
    if let name { shown.append(("name", .string(name))) }
    if let option { shown.append(("option", option.value)) }
    shown.append(("params", .map(match.parametersWithWildcard(passing: passed))))
    shown.append(("pattern", .string(pattern)))
    if !redirectedFrom.isEmpty {
      shown.append(("redirected_from", .list(List(redirectedFrom.map { .string($0) }))))
    }
    if let scheme { shown.append(("scheme", .string(scheme))) }
    shown.append(("url", .string(url)))
    if let wildcard { shown.append(("wildcard", .list(wildcard))) }
    self.shown = Map(shown)
  }

  /// The result as scripts see it.
  ///
  /// The shape is `{url, pattern, name, scheme, module, params, wildcard, option,
  /// redirected_from}`. For compatibility, `params` also holds the names by which JLRoutes and
  /// VISPER pass the wildcard, and the map itself holds those for the pattern, the URL and the
  /// scheme.
  public var value: Value { .map(shown) }
}
