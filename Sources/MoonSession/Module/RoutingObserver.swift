public import MoonNavigation
import MoonStore
public import MoonValues

/// A function, or two, that sees routings before they happen, and is told after.
public struct RoutingObserver: Registrable, RoutingPart {
  /// Whether a routing goes on.
  public enum Decision: Sendable, Equatable {
    /// It does.
    case proceed
    /// It doesn't.
    case veto(reason: String?)
    /// Another URL is routed instead.
    case redirect(Redirect)
  }

  /// Decides before anything is made.
  public typealias Will = (_ route: RouteResult, _ context: SessionContext) throws -> Decision
  /// Gets the screen as it was shown; nil after a handler.
  public typealias Did = (
    _ route: RouteResult, _ screen: Screen?, _ context: SessionContext
  ) throws -> Void

  /// The pattern it observes; nil for all.
  public let pattern: Text?
  /// Observers of higher priority come first; 0 is usual.
  public let priority: Int
  /// What names it.
  public let registration: Registration
  let will: Will?
  let did: Did?

  /// Makes an observer.
  public init(
    pattern: Text? = nil, priority: Int = 0, place: SourcePlace? = nil, will: Will? = nil,
    did: Did? = nil
  ) {
    self.pattern = pattern
    self.priority = priority
    registration = Registration(.routingObserver, pattern?.string ?? "all routes", place: place)
    self.will = will
    self.did = did
  }
}
