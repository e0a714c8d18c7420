public import MoonStore
import MoonValues

/// Why an action wasn't carried out.
///
/// Nothing has changed then.
public enum DispatchError: Error, Sendable, Equatable {
  /// The type isn't one.
  case malformedType(String)
  /// Nobody knows the type; `nearest` may be meant.
  case unknownType(String, nearest: String?)
  /// Only the host makes actions of this type.
  case madeByHostOnly(String)
  /// The payload isn't what the action's module declared.
  case invalidPayload(type: String, problems: [PayloadProblem], declared: PayloadSchema)
  /// A reducer or middleware failed.
  case fault(Fault)
  /// The module had too many faults; a reload or ``Host/resume(_:)`` lets it work again.
  case suspended(ModuleName)
  /// More actions are to be carried out as one than may.
  case batchTooLong(count: Int, max: Int)
  /// More actions wait than may.
  case queueFull(max: Int)
  /// Those that wait and this one have more bytes together than may be.
  case queueTooLarge(maxBytes: Int)
  /// As many actions waited as may, most of them of this one's module, and another module's needed
  /// its place.
  case pushedOut(max: Int)
  /// One action has led to more others than may be; `dropped` more of the same module waited.
  case tooManyFollowing(max: Int, dropped: Int)
  /// What one action has led to has taken longer than it may; `dropped` more actions of the same
  /// module waited.
  case followingTooLong(max: Duration, dropped: Int)
  /// Module mappers have made too many actions of one: the chain, which ends with one more.
  case mappedTooOften(chain: [String], max: Int)
  /// One action has led to too much navigation: the end of the chain.
  case navigatedTooOften(chain: [String], max: Int)
  /// A view wanted it, which only shows.
  case fromView
  /// A URL couldn't be routed.
  case routing(RoutingError)
  /// The navigation can't be changed so.
  case navigation(NavigationProblem)
  /// A person stopped it before it ran.
  case interrupted
  /// The session is closed.
  case noSession
}

extension DispatchError: CustomStringConvertible {
  /// One sentence: what is wrong, in which way it came about, and what to do if that is known.
  public var description: String {
    switch self {
    case .invalidPayload(_, let problems, _):
      "\(headline): " + problems.map(\.description).joined(separator: "; ")
    case .mappedTooOften(let chain, _): "\(headline): " + chain.joined(separator: " → ")
    case .navigatedTooOften(let chain, _):
      "\(headline): … → " + chain.joined(separator: " → ")
    case .fault(let fault): fault.description
    case .routing(let error): error.description
    default: advice.map { "\(headline); \($0)" } ?? headline
    }
  }

  /// What is wrong.
  package var headline: String {
    switch self {
    case .malformedType(let type): "'\(type)' can't be the type of an action"
    case .unknownType(let type, _): "no module knows the action \(type)"
    case .madeByHostOnly(let type):
      "\(type) can't be dispatched: only the host makes host/… and nav/did_… actions"
    case .invalidPayload(let type, _, _): "the payload doesn't fit \(type)"
    case .fault(let fault): fault.headline
    case .suspended(let module): "module \(module) is suspended: it failed too often"
    case .batchTooLong(let count, let max):
      "\(count) actions can't be carried out as one: \(max) can"
    case .queueFull(let max): "\(max) actions are waiting already: this one wasn't taken"
    case .queueTooLarge(let max):
      "with this one the actions that wait would have more than \(Wording.size(max)): "
        + "it wasn't taken"
    case .pushedOut(let max):
      "\(max) actions waited, most of them of its module: another module's took its place"
    case .tooManyFollowing(let max, let dropped):
      "one action has led to more than \(max) others" + Self.alsoDropped(dropped)
    case .followingTooLong(let max, let dropped):
      "what one action has led to has taken more than \(Wording.time(max))"
        + Self.alsoDropped(dropped)
    case .mappedTooOften(_, let max):
      "module mappers made more than \(max) steps of one action: it wasn't carried out"
    case .navigatedTooOften(_, let max):
      "one action has led to more than \(max) navigations: this one wasn't carried out"
    case .fromView: "a view only shows: it can't dispatch"
    case .routing(let error): error.headline
    case .navigation(.refused(let error)): "the navigation can't do that: \(error)"
    case .navigation(.malformed(let error)): "that is no navigation: \(error)"
    case .interrupted: "stopped: the actions that still waited were dropped"
    case .noSession: "the session is closed"
    }
  }

  private static func alsoDropped(_ count: Int) -> String {
    count == 0 ? "" : "; \(count) more of the same module that waited were dropped"
  }

  /// What to do, if that doesn't depend on where the action came from.
  package var advice: String? {
    switch self {
    case .malformedType:
      "write a module's name, a slash and the action's name, as in counter/add"
    case .unknownType(_, let nearest): nearest.map { "did you mean \($0)?" }
    case .madeByHostOnly: "dispatch an action of the module's own"
    case .fromView: "let a person's tap dispatch"
    default: nil
    }
  }
}
