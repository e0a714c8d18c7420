public import MoonNavigation
public import MoonRouting
public import MoonSession
public import MoonStore
public import MoonValues

/// URLs, screens and where the app is.
extension Host {
  /// Routes a URL: finds who takes it, and shows the screen it leads to.
  ///
  /// - Throws: ``DispatchError/routing(_:)`` and what ``dispatch(_:to:cause:)`` throws; the
  ///   navigation is as it was then.
  @discardableResult
  public func route(
    _ url: Text, passing parameters: Map = Map(), option: RoutingOption? = nil, in id: SessionID,
    cause: Cause = .native
  ) throws(DispatchError) -> Outcome {
    try dispatch(.route(url, passing: parameters, option: option), to: id, cause: cause)
  }

  /// Does something to the navigation.
  ///
  /// - Throws: ``DispatchError/navigation(_:)`` and what ``dispatch(_:to:cause:)`` throws; the
  ///   navigation is as it was then.
  @discardableResult
  public func navigate(
    _ action: NavigationAction, in id: SessionID, cause: Cause = .native
  ) throws(DispatchError) -> Outcome {
    try dispatch(Action(action), to: id, cause: cause)
  }

  /// Whether a pattern takes a URL; what it leads to may decline all the same.
  ///
  /// False for what isn't a URL, too.
  public func canRoute(_ url: Text) -> Bool { router.firstRoute(taking: url) != nil }

  /// Makes the screen that a URL leads to, without showing it.
  ///
  /// Observers of routings are asked, those who choose options and handlers aren't.
  ///
  /// - Throws: ``DispatchError/routing(_:)``.
  public func screen(
    for url: Text, passing parameters: Map = Map(), in id: SessionID
  ) throws(DispatchError) -> Screen {
    guard let session = session(id) else { throw .noSession }
    // What was dispatched meanwhile is done after.
    defer { settle() }
    return try session.screen(for: url, passing: parameters)
  }

  /// The URL of the route with a name.
  ///
  /// - Throws: ``RouteURLError``.
  public func url(for name: Text, _ parameters: Map = Map()) throws(RouteURLError) -> Text {
    try router.url(for: name, parameters)
  }

  /// Where a session is; the first tree of all if the slice holds none.
  public func navigationTree(of id: SessionID) -> NavigationTree? {
    session(id)?.navigationTree
  }

  /// All routes, in the order of modules and patterns.
  public func routeInfos() -> [RouteInfo] {
    router.table.routes.map { RouteInfo($0, router.routes[$0.id]) }
  }

  /// The routes that get in each other's way.
  ///
  /// - Complexity: O(n log n) once after modules have changed.
  public func routeConflicts() -> [RouteConflict] { router.conflicts }

  /// Tells of every route why it would win or lose for a URL.
  ///
  /// - Throws: ``RouteRequestError``.
  public func explain(_ url: Text) throws(RouteRequestError) -> RouteExplanation {
    router.table.explain(try RouteRequest(parsing: url, options: routing.urls))
  }
}

/// A route as people see it.
public struct RouteInfo: Sendable, Equatable {
  /// What it leads to.
  public enum Target: Sendable, Equatable {
    case screen
    case handler
  }

  /// Which URLs it is for.
  public let pattern: Text
  /// What URLs are made by.
  public let name: Text?
  /// Whose it is.
  public let module: ModuleName
  /// Where it was written; nil for Swift.
  public let place: SourcePlace?
  /// Higher ones come first.
  public let priority: Int
  /// How the screen is presented unless somebody says otherwise.
  public let option: RoutingOption?
  /// What it leads to.
  public let target: Target

  init(_ route: Route, _ bound: Bound<ModuleRoute>) {
    pattern = route.pattern.text
    name = route.name
    module = bound.owner
    place = route.place
    priority = route.priority
    option = bound.part.option
    target = if case .handler = bound.part.target { .handler } else { .screen }
  }
}
