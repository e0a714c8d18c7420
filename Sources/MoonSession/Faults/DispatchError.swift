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
  /// The payload isn't what the action's module declared.
  case invalidPayload(type: String, problems: [PayloadProblem], declared: PayloadSchema)
  /// A reducer or middleware failed.
  case fault(Fault)
  /// The module had too many faults; a reload or ``Host/resume(_:)`` lets it work again.
  case suspended(ModuleName)
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
  /// One sentence: what is wrong and why.
  public var description: String {
    switch self {
    case .malformedType(let type):
      """
      '\(type)' can't be the type of an action: write names separated by a slash, such as \
      "counter/add"
      """
    case .unknownType(let type, let nearest):
      "no module knows the action '\(type)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    case .invalidPayload(let type, let problems, _):
      "the payload doesn't fit '\(type)': "
        + problems.map(\.sentence).joined(separator: "; ")
    case .fault(let fault): fault.description
    case .mappedTooOften(let chain, let max):
      "module mappers made more than \(max) steps of one action: "
        + chain.joined(separator: " → ")
    case .navigatedTooOften(let chain, let max):
      "one action has led to more than \(max) navigations: … → "
        + chain.joined(separator: " → ")
    case .fromView: "a view only shows: let a person's tap dispatch"
    case .routing(let error): error.description
    case .navigation(let problem): problem.description
    case .suspended(let module): "\(module) is suspended: it failed too often"
    case .queueFull(let max): "\(max) actions are waiting already"
    case .queueTooLarge(let max):
      "with this one the actions that wait would have more than \(max >> 20) MB"
    case .pushedOut(let max):
      "\(max) actions waited, most of them of its module: another module's took its place"
    case .tooManyFollowing(let max, let dropped):
      "one action has led to more than \(max) others" + Self.alsoDropped(dropped)
    case .followingTooLong(let max, let dropped):
      "what one action has led to has taken more than \(max.components.seconds) s"
        + Self.alsoDropped(dropped)
    case .interrupted: "it was stopped"
    case .noSession: "the session is closed"
    }
  }
}

extension DispatchError {
  private static func alsoDropped(_ count: Int) -> String {
    count == 0 ? "" : "; \(count) more of the same module that waited were dropped"
  }
}

extension PayloadProblem {
  /// A few words.
  public var sentence: String {
    switch self {
    case .notFields(let value): "expected a table with fields, got \(value.kind)"
    case .missing(let field): "'\(field.name)' is missing (\(field.type))"
    case .wrongType(let field, let value):
      "'\(field.name)' must be \(field.type), not \(value.kind)"
    case .unknown(let name, let nearest):
      "there is no field '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }
  }
}

extension Value {
  /// What a person would call it.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .int: "an integer"
    case .double: "a number"
    case .string: "a string"
    case .list: "a list"
    case .map: "a map"
    }
  }
}
