import MoonActions
public import MoonNavigation
public import MoonValues
import Synchronization

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
  /// A function that decides like ``Will``, and may wait.
  ///
  /// It runs outside the host, as an effect does, and the routing waits for it outside the queue.
  /// It is cancelled with its module, by a newer routing in the same window, and when the time for
  /// guards is over; see ``TaskLimits``.
  public typealias WaitingWill =
    @Sendable (
      _ route: RouteResult, _ context: EffectContext
    ) async throws -> Decision
  /// A function that reads a decision from what a run has returned.
  package typealias Reading = (_ values: [Value?]) throws -> Decision

  /// The function of an observer that decides.
  package enum Guard {
    /// A function that decides at once.
    case function(Will)
    /// A function that makes a run which may wait, and the reader of its results.
    case run((_ route: RouteResult, _ context: SessionContext) -> (any EffectRun, Reading))
  }

  /// A function that receives the screen as it was shown; nil after a handler.
  public typealias Did = (
    _ route: RouteResult, _ screen: Screen?, _ context: SessionContext
  ) throws -> Void

  /// A function that receives the URL that was asked for, and why it wasn't routed.
  public typealias Failed = (
    _ url: Text, _ error: RoutingError, _ context: SessionContext
  ) throws -> Void

  /// The route pattern that it observes; nil means all.
  package let pattern: Text?
  /// The priority: observers of higher priority come first, and 0 is the default.
  package let priority: Int
  /// The kind, name and place of the registration.
  package let registration: Registration
  package let will: Guard?
  package let did: Did?
  package let failed: Failed?

  /// Makes an observer.
  public init(
    pattern: Text? = nil, priority: Int = 0, place: SourcePlace? = nil, will: Will? = nil,
    did: Did? = nil, failed: Failed? = nil
  ) {
    self.init(
      pattern: pattern, priority: priority, place: place, guard: will.map { .function($0) },
      did: did, failed: failed)
  }

  /// Makes an observer whose decision may take time.
  public init(
    pattern: Text? = nil, priority: Int = 0, place: SourcePlace? = nil,
    waiting will: @escaping WaitingWill, did: Did? = nil, failed: Failed? = nil
  ) {
    let run: (RouteResult, SessionContext) -> (any EffectRun, Reading) = { route, _ in
      let box = DecisionBox()
      let run = SwiftRun { context in
        let decision = try await will(route, context)
        box.decided.withLock { $0 = decision }
        return nil
      }
      return (run, { _ in box.decided.withLock { $0 } ?? .proceed })
    }
    self.init(
      pattern: pattern, priority: priority, place: place, guard: .run(run), did: did,
      failed: failed)
  }

  package init(
    pattern: Text?, priority: Int, place: SourcePlace?, guard will: Guard?, did: Did?,
    failed: Failed?
  ) {
    self.pattern = pattern
    self.priority = priority
    registration = Registration(.routingObserver, pattern?.string ?? "all routes", place: place)
    self.will = will
    self.did = did
    self.failed = failed
  }
}

/// The place in which a function outside the host leaves its decision.
private final class DecisionBox: Sendable {
  let decided: Mutex<RoutingObserver.Decision?>

  init() { decided = Mutex(nil) }
}
