import MoonNavigation
package import MoonRouting
public import MoonServiceKit
public import MoonValues

/// A URL with the route that takes it and its parameters.
///
/// Everything that takes part in a routing receives one. A copy costs two references.
public struct RouteResult: Sendable, Equatable {
  private final class Match: Sendable, Equatable {
    let url: Text
    let pattern: Text
    let name: Text?
    let scheme: Text?
    let module: ModuleName
    let parameters: Map
    let wildcard: List?
    let redirectedFrom: [Text]
    /// The result as scripts see it, but for the option.
    let value: Map

    init(
      _ match: RouteMatch, of owner: (name: ModuleName, text: Text),
      _ pattern: (text: Text, expanded: Text), name: Text?, passing passed: Map,
      redirectedFrom: [Text]
    ) {
      (url, self.pattern, self.name) = (match.request.text, pattern.text, name)
      (scheme, module, wildcard) = (match.scheme, owner.name, match.wildcard)
      parameters = match.parameters(passing: passed)
      self.redirectedFrom = redirectedFrom
      let shown = wildcard == nil ? parameters : match.parametersWithWildcard(passing: passed)
      var value: Map = [
        "JLRoutePattern": .string(pattern.expanded),
        "JLRouteScheme": .string(scheme ?? RouteMatch.globalScheme), "JLRouteURL": .string(url),
        "RoutePattern": .string(pattern.text), "RouteURL": .string(url),
        "module": .string(owner.text), "params": .map(shown), "pattern": .string(pattern.text),
        "url": .string(url),
      ]
      value["name"] = name.map { .string($0) }
      value["scheme"] = scheme.map { .string($0) }
      value["wildcard"] = wildcard.map { .list($0) }
      if !redirectedFrom.isEmpty {
        value["redirected_from"] = .list(List(redirectedFrom.map { .string($0) }))
      }
      self.value = value
    }

    static func == (left: Match, right: Match) -> Bool {
      left === right || left.value == right.value
    }
  }

  private let match: Match

  /// The URL.
  public var url: Text { match.url }
  /// The route's pattern as it was registered.
  public var pattern: Text { match.pattern }
  /// The route's name.
  public var name: Text? { match.name }
  /// The namespace that the route was found in; nil for the global one.
  public var scheme: Text? { match.scheme }
  /// The module that the route belongs to.
  public var module: ModuleName { match.module }
  /// The parameters of the query, replaced by those of the path, replaced by those passed.
  public var parameters: Map { match.parameters }
  /// The components that a `*` matched, decoded; nil for a pattern without one.
  public var wildcard: List? { match.wildcard }
  /// The URLs that redirected here, the first one first.
  public var redirectedFrom: [Text] { match.redirectedFrom }
  /// The way of presenting the screen, as far as it is decided; nil if it isn't.
  public package(set) var option: RoutingOption?

  /// The text of a parameter; empty if there is none.
  public subscript(parameter: Text) -> String {
    match.parameters[.string(parameter)]?.parameterText ?? ""
  }

  /// Makes a result of a match of the pattern of a module's route.
  ///
  /// `pattern.expanded` is the pattern without the groups that are absent from the URL.
  package init(
    _ match: RouteMatch, of owner: (name: ModuleName, text: Text),
    _ pattern: (text: Text, expanded: Text), name: Text?, passing passed: Map,
    option: RoutingOption?, redirectedFrom: [Text]
  ) {
    self.match = Match(
      match, of: owner, pattern, name: name, passing: passed, redirectedFrom: redirectedFrom)
    self.option = option
  }

  /// The result as scripts see it.
  ///
  /// The shape is `{url, pattern, name, scheme, module, params, wildcard, option,
  /// redirected_from}`. For compatibility, `params` also holds the names by which JLRoutes and
  /// VISPER pass the wildcard, and the map itself holds those for the pattern, the URL and the
  /// scheme.
  public var value: Value {
    var value = match.value
    value["option"] = option?.value
    return .map(value)
  }
}
