public import MoonStore
public import MoonValues

/// A middleware after the reduce: a function that sees each action once it is committed, with the
/// state before and after it.
public struct AfterReduce: Registrable {
  /// Gets the action as it was reduced, the whole state before and after it, and the session;
  /// returns actions, which are dispatched.
  ///
  /// Several actions that were committed as one have the same two states.
  public typealias Body = (
    _ action: Action, _ before: Value, _ after: Value, _ context: SessionContext
  ) throws -> [Action]

  /// When it is asked.
  public let priority: Middleware.Priority
  /// The actions it sees.
  public let pattern: ActionPattern
  /// What names it.
  public let registration: Registration
  let body: Body

  /// Makes a middleware after the reduce.
  public init(
    _ pattern: ActionPattern = .all, priority: Middleware.Priority = .medium,
    place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.priority = priority
    self.pattern = pattern
    registration = Registration(.afterReduce, pattern.description, place: place)
    self.body = body
  }
}
