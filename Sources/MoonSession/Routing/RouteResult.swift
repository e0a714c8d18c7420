import MoonNavigation
import MoonRouting
public import MoonValues

/// A URL with the route that takes it and its parameters.
///
/// Everything that takes part in a routing receives one. A copy costs a reference.
public struct RouteResult: Sendable, Equatable {
  /// A result as it is made.
  fileprivate final class First: Sendable {
    let url: Text
    let pattern: Text
    let name: Text?
    let scheme: Text?
    let module: ModuleName
    let parameters: Map
    let wildcard: List?
    let redirectedFrom: [Text]
    let option: RoutingOption?
    /// The result as scripts see it.
    let shown: Map

    init(
      _ match: RouteMatch, of owner: (name: ModuleName, text: Text),
      _ pattern: (text: Text, expanded: Text), name: Text?, passing passed: Map,
      option: RoutingOption?, redirectedFrom: [Text]
    ) {
      (url, self.pattern, self.name) = (match.request.text, pattern.text, name)
      (scheme, module, wildcard) = (match.scheme, owner.name, match.wildcard)
      parameters = match.parameters(passing: passed)
      (self.redirectedFrom, self.option) = (redirectedFrom, option)
      let shownParameters =
        wildcard == nil ? parameters : match.parametersWithWildcard(passing: passed)
      shown = ShownRoute.map(
        url: url, pattern: pattern.text, expanded: pattern.expanded, scheme: scheme, name: name,
        module: owner.text, shownParameters, wildcard: wildcard, option: option,
        redirectedFrom: redirectedFrom)
    }
  }

  /// A result that has another option since.
  private final class Changed: Sendable {
    let first: First
    let option: RoutingOption?
    /// The result as scripts see it, made once for all that take part in a routing.
    let shown = KeptMap()

    init(_ first: First, _ option: RoutingOption?) {
      self.first = first
      self.option = option
    }
  }

  // One reference, since a routing passes the result on dozens of times.
  private enum Storage {
    case first(First)
    case changed(Changed)
  }

  private var storage: Storage

  private var first: First {
    switch storage {
    case .first(let first): first
    case .changed(let changed): changed.first
    }
  }

  /// The URL.
  public var url: Text { first.url }
  /// The route's pattern as it was registered.
  public var pattern: Text { first.pattern }
  /// The route's name.
  public var name: Text? { first.name }
  /// The namespace that the route was found in; nil for the global one.
  public var scheme: Text? { first.scheme }
  /// The module that the route belongs to.
  public var module: ModuleName { first.module }
  /// The parameters of the query, replaced by those of the path, replaced by those passed.
  public var parameters: Map { first.parameters }
  /// The components that a `*` matched, decoded; nil for a pattern without one.
  public var wildcard: List? { first.wildcard }
  /// The way of presenting the screen, as far as it is decided; nil if it isn't.
  public internal(set) var option: RoutingOption? {
    get {
      switch storage {
      case .first(let first): first.option
      case .changed(let changed): changed.option
      }
    }
    set { storage = .changed(Changed(first, newValue)) }
  }
  /// The URLs that redirected here, the first one first.
  public var redirectedFrom: [Text] { first.redirectedFrom }

  /// Makes a result of a match of the pattern of a module's route.
  ///
  /// `pattern.expanded` is the pattern without the groups that are absent from the URL.
  init(
    _ match: RouteMatch, of owner: (name: ModuleName, text: Text),
    _ pattern: (text: Text, expanded: Text), name: Text?, passing passed: Map,
    option: RoutingOption?, redirectedFrom: [Text]
  ) {
    storage = .first(
      First(
        match, of: owner, pattern, name: name, passing: passed, option: option,
        redirectedFrom: redirectedFrom))
  }

  /// The result as scripts see it.
  ///
  /// The shape is `{url, pattern, name, scheme, module, params, wildcard, option,
  /// redirected_from}`. For compatibility, `params` also holds the names by which JLRoutes and
  /// VISPER pass the wildcard, and the map itself holds those for the pattern, the URL and the
  /// scheme.
  public var value: Value {
    switch storage {
    case .first(let first): return .map(first.shown)
    case .changed(let changed):
      if let shown = changed.shown.map { return .map(shown) }
      var shown = changed.first.shown
      shown["option"] = changed.option?.value
      return .map(changed.shown.keep(shown))
    }
  }

  /// Compares all fields; copies of one result cost nothing.
  public static func == (left: RouteResult, right: RouteResult) -> Bool {
    switch (left.storage, right.storage) {
    case (.first(let one), .first(let other)) where one === other: return true
    case (.changed(let one), .changed(let other)) where one === other: return true
    default: break
    }
    let (one, other) = (left.first, right.first)
    return one.url == other.url && one.pattern == other.pattern && one.name == other.name
      && one.scheme == other.scheme && one.module == other.module
      && one.parameters == other.parameters && one.wildcard == other.wildcard
      && left.option == right.option && one.redirectedFrom == other.redirectedFrom
      && left.value == right.value
  }
}

/// A result as scripts see it.
private enum ShownRoute {
  static func map(
    url: Text, pattern: Text, expanded: Text, scheme: Text?, name: Text?, module: Text,
    _ parameters: Map, wildcard: List?, option: RoutingOption?, redirectedFrom: [Text]
  ) -> Map {
    var fields: [(Key, Value)] = [
      ("JLRoutePattern", .string(expanded)),
      ("JLRouteScheme", .string(scheme ?? RouteMatch.globalScheme)), ("JLRouteURL", .string(url)),
      ("RoutePattern", .string(pattern)), ("RouteURL", .string(url)), ("module", .string(module)),
      ("params", .map(parameters)), ("pattern", .string(pattern)), ("url", .string(url)),
    ]
    if let name { fields.append(("name", .string(name))) }
    if let option { fields.append(("option", option.value)) }
    if !redirectedFrom.isEmpty {
      fields.append(("redirected_from", .list(List(redirectedFrom.map { .string($0) }))))
    }
    if let scheme { fields.append(("scheme", .string(scheme))) }
    if let wildcard { fields.append(("wildcard", .list(wildcard))) }
    return Map(fields)
  }
}
