public import MoonStore
public import MoonValues

/// A function that navigates when an action was reduced.
public struct NavigationMapper: Registrable {
  /// Gets the action and the state after it; returns `nav/…` actions, which are dispatched.
  public typealias Body = (_ action: Action, _ context: SessionContext) throws -> [Action]

  /// The actions it sees; `*` leaves out the host's own, `nav/…` and `host/…`.
  public let pattern: ActionPattern
  /// What names it.
  public let registration: Registration
  let body: Body

  /// Makes a navigation mapper.
  public init(
    _ pattern: ActionPattern = .all, place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.pattern = pattern
    registration = Registration(.navigationMapper, pattern.description, place: place)
    self.body = body
  }
}
