public import MoonActions
public import MoonValues

/// A middleware that is called after the reduce, once an action is committed.
///
/// It receives the state before and after the action.
public struct AfterReduce: Registrable {
  /// A function that receives the action as it was reduced, the state before and after it, and the
  /// session, and returns actions to dispatch.
  ///
  /// Actions that were committed as one share the two states.
  public typealias Body = (
    _ action: Action, _ before: Value, _ after: Value, _ context: SessionContext
  ) throws -> [Action]

  /// The place in the order of calls.
  package let priority: Middleware.Priority
  /// The actions that the middleware sees.
  package var pattern: ActionPattern
  /// The kind, name and place of the registration.
  package var registration: Registration
  /// The types that it was made from, until it is put into a module; nil if there are none.
  package var typed: TypedParts?
  package let code: Code

  /// The code, in any language.
  package enum Code {
    /// A function that returns actions.
    case function(Body)
    /// What makes a run of code that dispatches actions itself.
    case run(Start)
  }

  /// A function that makes a run of the code for an action and the state before and after it.
  package typealias Start = (
    _ action: Action, _ before: Value, _ after: Value
  ) -> any EffectRun

  /// Makes a middleware that is called after the reduce.
  public init(
    _ pattern: ActionPattern = .all, priority: Middleware.Priority = .medium,
    place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.init(pattern, priority: priority, place: place, code: .function(body))
  }

  /// Makes a middleware whose code runs as an effect's does.
  package init(
    _ pattern: ActionPattern, priority: Middleware.Priority, place: SourcePlace?,
    runs start: @escaping Start
  ) {
    self.init(pattern, priority: priority, place: place, code: .run(start))
  }

  private init(
    _ pattern: ActionPattern, priority: Middleware.Priority, place: SourcePlace?, code: Code
  ) {
    self.priority = priority
    self.pattern = pattern
    registration = Registration(.afterReduce, pattern.description, place: place)
    self.code = code
  }
}

extension AfterReduce: TypedListener {}
