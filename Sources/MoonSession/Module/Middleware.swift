public import MoonStore
public import MoonValues

/// A function that sees each action before it is reduced and decides what becomes of it.
public struct Middleware: Registrable {
  /// Which middleware comes first.
  public enum Priority: String, Sendable, CaseIterable, Comparable {
    case high, medium, low

    /// High before medium before low.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .high: 0
      case .medium: 1
      case .low: 2
      }
    }
  }

  /// What becomes of an action.
  public enum Verdict: Sendable, Equatable {
    /// It goes on as it is.
    case pass
    /// It goes no further.
    case drop
    /// These go on in its place, to the middleware that comes later.
    case replace([Action])
  }

  /// Gets the action, the whole state before it, and the session.
  ///
  /// What it dispatches is carried out whatever becomes of the action.
  public typealias Body = (
    _ action: Action, _ state: Value, _ context: SessionContext
  ) throws -> Verdict

  /// When it is asked.
  public let priority: Priority
  /// The actions it sees.
  public let pattern: ActionPattern
  /// What names it.
  public let registration: Registration
  let body: Body

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
