public import MoonStore
public import MoonValues

/// A function that starts and stops modules when an action comes, or puts another in its place.
public struct ModuleMapper: Registrable {
  /// Gets the action before it is reduced; the mappings it returns are carried out in order.
  public typealias Body = (
    _ action: Action, _ context: SessionContext
  ) throws -> [ModuleMapping]

  /// The actions it sees; `*` leaves out the host's own, `nav/…` and `host/…`.
  public let pattern: ActionPattern
  /// What names it.
  public let registration: Registration
  let body: Body

  /// Makes a module mapper.
  public init(
    _ pattern: ActionPattern = .all, place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.pattern = pattern
    registration = Registration(.moduleMapper, pattern.description, place: place)
    self.body = body
  }
}

/// What a module mapper makes of an action.
public enum ModuleMapping: Sendable, Equatable {
  /// The module's action `start` is dispatched.
  case start(ModuleName, Value)
  /// The module's action `stop` is dispatched.
  case stop(ModuleName, Value)
  /// This action goes on in place of the one that came.
  case replace(Action)
}
