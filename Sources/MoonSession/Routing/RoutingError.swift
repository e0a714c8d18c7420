public import MoonNavigation
public import MoonRouting
public import MoonValues

/// Why a URL wasn't routed; the navigation is as it was.
public struct RoutingError: Error, Sendable, Equatable {
  /// What went wrong.
  public enum Reason: Sendable, Equatable {
    /// It isn't a URL.
    case malformed(RouteRequestError)
    /// No pattern takes it; `nearest` may be meant.
    case noRoute(nearest: Text?)
    /// Only a pattern of this module takes it, which is suspended.
    case suspended(ModuleName)
    /// Patterns take it, and all that they lead to declined.
    case declined([Text])
    /// A screen is wanted, and only these patterns of handlers take it, which make none.
    case handlersOnly([Text])
    /// A routing observer of this module doesn't let it pass.
    case vetoed(by: ModuleName, at: SourcePlace?, reason: String?)
    /// It was redirected to a URL that it came from; all URLs in their order.
    case redirectLoop([Text])
    /// It was redirected too often; all URLs in their order.
    case tooManyRedirects([Text], max: Int)
    /// Something that took part failed.
    case fault(Fault)
    /// The caller's option isn't one.
    case option(RoutingOptionError)
    /// The URL of a parent can't be made of its parameters.
    case parent(RouteURLError)
    /// The routes of its parents lead back to it; all URLs in their order.
    case parentLoop([Text])
    /// It has more parents than may be; all URLs in their order.
    case tooManyParents([Text], max: Int)
    /// Nobody presents screens with this kind of option; `nearest` may be meant.
    case noPresenter(option: Text, nearest: String?)
    /// The navigation can't do it.
    case navigation(NavigationProblem)
  }

  /// The URL that was asked for last: redirected ones are in the reason.
  public let url: Text
  /// The pattern that took it; nil if none did.
  public let pattern: Text?
  /// Whose pattern it is.
  public let module: ModuleName?
  /// Where the pattern was written.
  public let place: SourcePlace?
  /// What went wrong.
  public let reason: Reason

  init(_ url: Text, _ reason: Reason, route: BoundRegistration? = nil) {
    self.url = url
    self.reason = reason
    // A route is registered under its pattern.
    pattern = route.map { Text($0.registration.name) }
    module = route?.owner
    place = route?.registration.place
  }
}

/// Why an action didn't change the navigation.
public enum NavigationProblem: Error, Sendable, Equatable {
  /// It can't be done to the tree as it is.
  case refused(NavigationError)
  /// Its payload isn't what such an action has.
  case malformed(NavigationValueError)
}
