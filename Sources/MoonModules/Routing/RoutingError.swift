public import MoonNavigation
public import MoonRouting
public import MoonServiceKit
public import MoonValues

/// The reason that a URL wasn't routed.
///
/// The navigation is unchanged.
public struct RoutingError: Error, Sendable, Equatable {
  /// The problem.
  public enum Reason: Error, Sendable, Equatable {
    /// The text isn't a URL.
    case malformed(RouteRequestError)
    /// No pattern matches; `nearest` is a pattern with similar spelling.
    case noRoute(nearest: Text?)
    /// Only the type of a parameter keeps this pattern from taking it.
    case wrongParameter(pattern: Text, RouteVerdict)
    /// The only pattern that matches belongs to this module, which is suspended.
    case suspended(ModuleName)
    /// These patterns match, and the targets of all of them declined.
    case declined([Text])
    /// A screen is needed, and the patterns that match lead to handlers, which make none.
    case handlersOnly([Text])
    /// A routing observer of this module vetoed the routing.
    case vetoed(by: ModuleName, at: SourcePlace?, reason: String?)
    /// The routing observer of this module takes time, as this task, and only an action can wait.
    case waiting(for: TaskID, of: ModuleName, at: SourcePlace?)
    /// The routing observer of this module, which was waited for, ended without an answer.
    case unanswered(by: ModuleName, at: SourcePlace?, reason: String)
    /// While the routing waited, another URL was routed in the same window.
    case replaced(by: Text)
    /// The routing was redirected to a URL that it had passed before; the URLs are in order.
    case redirectLoop([Text])
    /// The routing was redirected more than `max` times; the URLs are in order.
    case tooManyRedirects([Text], max: Int)
    /// A registration that took part failed.
    case fault(Fault)
    /// A registration that took part refused the routing.
    case refused(Refusal)
    /// The caller passed an invalid option.
    case option(RoutingOptionError)
    /// The URL of a parent can't be built from the route's parameters.
    case parent(RouteURLError)
    /// The parents of its route form a circle; the URLs are in order.
    case parentLoop([Text])
    /// Its route has more than `max` parents; the URLs are in order.
    case tooManyParents([Text], max: Int)
    /// No presenter handles this kind of option; `nearest` is a kind with similar spelling.
    case noPresenter(option: Text, nearest: String?)
    /// All presenters of this kind of option left the screen to others.
    case notPresented(option: Text, asked: [AskedPresenter])
    /// This screen covers the window, and the option refuses to show another.
    case covered(by: Text)
    /// The navigation can't be changed this way.
    case navigation(NavigationProblem)
  }

  /// A routing presenter that was asked to show a screen.
  public struct AskedPresenter: Sendable, Equatable {
    /// The module that it belongs to.
    public let module: ModuleName
    /// The place where it is written.
    public let place: SourcePlace?

    /// Makes a record of a presenter.
    package init(module: ModuleName, place: SourcePlace?) {
      (self.module, self.place) = (module, place)
    }
  }

  private struct Fields: Equatable, Sendable {
    let url: Text
    let pattern: Text?
    let module: ModuleName?
    let place: SourcePlace?
    let reason: Reason
  }

  // Boxed, since each step of a routing may throw one.
  private let fields: Boxed<Fields>

  /// The last URL in the sequence of redirects; the reason lists the others.
  public var url: Text { fields.contents.url }
  /// The pattern that matched; nil if none did.
  public var pattern: Text? { fields.contents.pattern }
  /// The module that the pattern belongs to.
  public var module: ModuleName? { fields.contents.module }
  /// The place in the source where the pattern is written.
  public var place: SourcePlace? { fields.contents.place }
  /// The problem.
  public var reason: Reason { fields.contents.reason }

  package init(_ url: Text, _ reason: Reason, route: BoundRegistration? = nil) {
    // A route is registered under its pattern.
    fields = Boxed(
      Fields(
        url: url, pattern: route.map { Text($0.registration.name) }, module: route?.owner,
        place: route?.registration.place, reason: reason))
  }
}

extension RoutingError {
  /// Whether an action with this error waits for a guard.
  package var isWaiting: Bool { if case .waiting = reason { true } else { false } }
}

/// The reason that an action didn't change the navigation.
public enum NavigationProblem: Error, Sendable, Equatable {
  /// The tree in its current state doesn't allow the change.
  case refused(NavigationError)
  /// The payload doesn't have the shape that the action needs.
  case malformed(NavigationValueError)
}

extension RoutingError.Reason {
  /// Makes the reason for a registration that failed, or refused.
  package init(_ fault: Fault) { self = fault.refusal.map { .refused($0) } ?? .fault(fault) }
}
