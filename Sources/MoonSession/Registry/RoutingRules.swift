public import MoonRouting
public import MoonValues

/// How URLs are read and found.
public struct RoutingRules: Sendable {
  /// How hosts and plus signs are read.
  public var urls = RouteRequest.Options()
  /// Schemes whose URLs the global routes aren't for, even if none of the scheme's own match.
  public var closedSchemes: Set<Text> = []

  /// Makes the usual rules: JLRoutes', with global routes for all schemes.
  public init() {}
}
