package import MoonValues

/// A registered pattern, and what decides between it and other patterns.
package struct RouteEntry: Hashable, Sendable {
  /// The pattern of the URLs that the route is for.
  package var pattern: RoutePattern
  /// The priority; higher ones come first, before anything else is compared.
  ///
  /// The default is 0.
  package var priority: Int
  /// The module that registered it; breaks ties in the order of bytes.
  package var owner: Text
  /// The name by which ``RouteTable/url(for:_:plus:)`` finds the route.
  package var name: Text?
  /// The caller's number for the target of the route.
  package var id: Int
  /// The place where the route is defined.
  package var place: SourcePlace?
  /// Whether the owner decides, for each URL that the pattern matches, whether the route takes it.
  package var isConditional: Bool

  /// Describes a route.
  package init(
    _ pattern: RoutePattern, owner: Text, id: Int, priority: Int = 0, name: Text? = nil,
    place: SourcePlace? = nil, isConditional: Bool = false
  ) {
    self.pattern = pattern
    self.owner = owner
    self.id = id
    self.priority = priority
    self.name = name
    self.place = place
    self.isConditional = isConditional
  }
}
