public import MoonActions
public import MoonValues

/// A function that sees each action before it is reduced, and passes, drops or replaces it.
public struct Middleware: Registrable {
  /// The order in which middleware is called.
  public enum Priority: String, Sendable, CaseIterable, Comparable {
    case high, medium, low

    /// Orders high before medium before low.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .high: 0
      case .medium: 1
      case .low: 2
      }
    }
  }

  /// A middleware's decision about an action.
  public enum Verdict: Sendable, Equatable {
    /// The action continues unchanged.
    case pass
    /// The action ends here.
    case drop
    /// These actions continue in its place, to the middleware that is called later.
    case replace([Action])
  }

  /// A function that receives the action, the whole state before it, and the session.
  ///
  /// Actions that it dispatches are carried out even if the action is dropped or fails.
  public typealias Body = (
    _ action: Action, _ state: Value, _ context: SessionContext
  ) throws -> Verdict

  /// The place in the order of calls.
  package let priority: Priority
  /// The actions it sees.
  package var pattern: ActionPattern
  /// The kind, name and place of the registration.
  package var registration: Registration
  /// The types that it was made from, until it is put into a module; nil if there are none.
  package var typed: TypedParts?
  package let body: Body

  /// Makes a middleware.
  public init(
    _ pattern: ActionPattern = .all, priority: Priority = .medium, place: SourcePlace? = nil,
    _ body: @escaping Body
  ) {
    self.priority = priority
    self.pattern = pattern
    registration = Registration(.middleware, pattern.description, place: place)
    self.body = body
  }
}

extension Middleware: TypedListener {}
