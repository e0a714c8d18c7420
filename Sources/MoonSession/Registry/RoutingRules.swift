public import MoonRouting
public import MoonValues

/// The rules for reading URLs and finding their routes.
public struct RoutingRules: Equatable, Sendable {
  /// The treatment of hosts and plus signs.
  public var urls = RouteRequest.Options()
  /// The schemes that global routes don't apply to, even if no route of the scheme matches.
  public var closedSchemes: Set<Text> = []
  /// Whether global routes don't apply to schemes that have routes of their own, as in JLRoutes
  /// without its fallback.
  public var closesOwnSchemes = false

  /// Makes the default rules, which are those of JLRoutes with global routes for all schemes.
  public init() {}
}
