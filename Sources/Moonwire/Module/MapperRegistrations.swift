public import MoonStore
public import MoonValues

/// A function that starts and stops modules when an action comes, or puts another in its place.
public struct ModuleMapper {
  /// Gets the action before it is reduced; what it returns is done in its order.
  public typealias Body = (
    _ action: Action, _ context: SessionContext
  ) throws -> [ModuleMapping]

  /// The actions it sees; `*` leaves out the host's own, `nav/…` and `host/…`.
  public let pattern: ActionPattern
  let registration: Registration
  let body: Body

  /// Makes a module mapper.
  public init(_ pattern: ActionPattern = .all, _ body: @escaping Body) {
    self.init(pattern, place: nil, body)
  }

  init(_ pattern: ActionPattern, place: SourcePlace?, _ body: @escaping Body) {
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

/// A function that navigates when an action was reduced.
public struct NavigationMapper {
  /// Gets the action and the state after it; returns `nav/…` actions, which are dispatched.
  public typealias Body = (_ action: Action, _ context: SessionContext) throws -> [Action]

  /// The actions it sees; `*` leaves out the host's own, `nav/…` and `host/…`.
  public let pattern: ActionPattern
  let registration: Registration
  let body: Body

  /// Makes a navigation mapper.
  public init(_ pattern: ActionPattern = .all, _ body: @escaping Body) {
    self.init(pattern, place: nil, body)
  }

  init(_ pattern: ActionPattern, place: SourcePlace?, _ body: @escaping Body) {
    self.pattern = pattern
    registration = Registration(.navigationMapper, pattern.description, place: place)
    self.body = body
  }
}
