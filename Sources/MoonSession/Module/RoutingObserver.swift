public import MoonNavigation
import MoonStore
public import MoonValues

/// Functions that see routings before they happen, or are called afterwards.
public struct RoutingObserver: Registrable, RoutingPart {
  /// An observer's decision about a routing.
  public enum Decision: Sendable, Equatable {
    /// The routing continues.
    case proceed
    /// The routing fails, with this reason.
    case veto(reason: String?)
    /// Another URL is routed instead.
    case redirect(Redirect)
  }

  /// A function that decides before a screen is made or a handler called.
  public typealias Will = (_ route: RouteResult, _ context: SessionContext) throws -> Decision
  /// A function that receives the screen as it was shown; nil after a handler.
  public typealias Did = (
    _ route: RouteResult, _ screen: Screen?, _ context: SessionContext
  ) throws -> Void

  /// A function that receives the URL that was asked for, and why it wasn't routed.
  public typealias Failed = (
    _ url: Text, _ error: RoutingError, _ context: SessionContext
  ) throws -> Void

  /// The route pattern that it observes; nil means all.
  public let pattern: Text?
  /// The priority: observers of higher priority come first, and 0 is the default.
  public let priority: Int
  /// The kind, name and place of the registration.
  public let registration: Registration
  let will: Will?
  let did: Did?
  let failed: Failed?

  /// Makes an observer.
  public init(
    pattern: Text? = nil, priority: Int = 0, place: SourcePlace? = nil, will: Will? = nil,
    did: Did? = nil, failed: Failed? = nil
  ) {
    self.pattern = pattern
    self.priority = priority
    registration = Registration(.routingObserver, pattern?.string ?? "all routes", place: place)
    self.will = will
    self.did = did
    self.failed = failed
  }
}
