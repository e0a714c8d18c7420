package import MoonActions
package import MoonModules
package import MoonNavigation
package import MoonRouting
package import MoonServiceKit
package import MoonSession
package import MoonValues

/// Routing and navigation.
extension Host {
  var router: Router { modules.inService.registry.router }
  /// The rules for reading URLs and finding their routes.
  package var routing: RoutingRules { modules.inService.routing }

  /// Routes a URL: finds the route that matches it, and shows its screen or runs its handler.
  ///
  /// - Throws: ``DispatchError/routing(_:)``, and the errors of `dispatch`. The navigation is
  ///   then unchanged.
  @discardableResult
  package func route(
    _ url: Text, passing parameters: Map = Map(), option: RoutingOption? = nil, in id: SessionID,
    cause: Cause = .native
  ) throws(DispatchError) -> Outcome {
    try dispatch(.route(url, passing: parameters, option: option), to: id, cause: cause)
  }

  /// Changes the navigation.
  ///
  /// - Throws: ``DispatchError/navigation(_:)``, and the errors of `dispatch`. The navigation is
  ///   then unchanged.
  @discardableResult
  package func navigate(
    _ action: NavigationAction, in id: SessionID, cause: Cause = .native
  ) throws(DispatchError) -> Outcome {
    try dispatch(Action(action), to: id, cause: cause)
  }

  /// Returns whether a route matches a URL; its target may still decline.
  ///
  /// The result is false for text that isn't a URL.
  package func canRoute(_ url: Text) -> Bool { router.firstRoute(taking: url) != nil }

  /// Makes the screen of a URL without showing it; routing observers are called, but not option
  /// providers and handlers.
  ///
  /// - Throws: ``DispatchError/routing(_:)``.
  package func screen(
    for url: Text, passing parameters: Map = Map(), in id: SessionID
  ) throws(DispatchError) -> Screen {
    guard let session = session(id) else { throw .noSession }
    // Carries out the actions dispatched in the meantime.
    defer { sessions.settle() }
    return try session.screen(for: url, passing: parameters)
  }

  /// Returns the URL of the route with a name.
  ///
  /// - Throws: ``RouteURLError``.
  package func url(for name: Text, _ parameters: Map = Map()) throws(RouteURLError) -> Text {
    try router.url(for: name, parameters)
  }

  /// Returns the navigation of a session; the first tree if the slice doesn't hold one.
  package func navigationTree(of id: SessionID) -> NavigationTree? { session(id)?.navigationTree }

  /// Returns all routes, sorted by module and pattern.
  package func routeInfos() -> [RouteInfo] {
    router.table.routes.map { RouteInfo($0, router.routes[$0.id]) }
  }

  /// Returns the conflicts between routes.
  ///
  /// - Complexity: O(n log n) for the first call after modules have changed.
  package func routeConflicts() -> [RouteConflict] { router.conflicts }

  /// Returns the routing observers that are asked before a URL of a pattern is routed, in order.
  package func guardInfos(of pattern: Text) -> [GuardInfo] {
    router.guards(of: pattern).map { GuardInfo(module: $0.owner, place: $0.registration.place) }
  }

  /// Explains why each route matches a URL or doesn't.
  ///
  /// - Throws: ``RouteRequestError``.
  package func explain(_ url: Text) throws(RouteRequestError) -> RouteExplanation {
    router.table.explain(try RouteRequest(parsing: url, options: routing.urls))
  }
}

/// The description of a route.
package struct RouteInfo: Sendable, Equatable {
  /// The target of a route.
  package enum Target: Sendable, Equatable {
    case screen
    case handler
  }

  /// The pattern of the URLs.
  package let pattern: Text
  /// The name by which URLs are built.
  package let name: Text?
  /// The module that registers the route.
  package let module: ModuleName
  /// The place of the registration; nil for a module in Swift.
  package let place: SourcePlace?
  /// The priority; higher ones come first.
  package let priority: Int
  /// The default routing option of the route's screens.
  package let option: RoutingOption?
  /// The target of the route.
  package let target: Target
  /// The pattern of what lies below its screens.
  package let parent: Text?
  /// Whether its module decides for each URL whether it takes it.
  package let isConditional: Bool

  init(_ route: RouteEntry, _ bound: Bound<Route>) {
    pattern = route.pattern.text
    name = route.name
    module = bound.owner
    place = route.place
    priority = route.priority
    option = bound.part.option
    parent = bound.part.parent?.pattern.text
    isConditional = route.isConditional
    target = if case .handler = bound.part.target { .handler } else { .screen }
  }
}

/// The description of a routing observer that may veto or redirect.
package struct GuardInfo: Sendable, Equatable {
  /// The module of the observer.
  package let module: ModuleName
  /// The place of the registration; nil for a module in Swift.
  package let place: SourcePlace?
}
