public import MoonActions
public import MoonValues

/// A function that navigates when an action is reduced.
public struct NavigationMapper: Registrable {
  /// A function that receives the action and the state after it, and returns the `nav/…` actions to
  /// dispatch.
  public typealias Body = (_ action: Action, _ context: SessionContext) throws -> [Action]

  /// The actions that the mapper sees; `*` excludes the host's own, `nav/…` and `host/…`.
  package var pattern: ActionPattern
  /// The kind, name and place of the registration.
  package var registration: Registration
  /// The types that it was made from, until it is put into a module; nil if there are none.
  package var typed: TypedParts?
  package let body: Body

  /// Makes a navigation mapper.
  public init(
    _ pattern: ActionPattern = .all, place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.pattern = pattern
    registration = Registration(.navigationMapper, pattern.description, place: place)
    self.body = body
  }
}

extension NavigationMapper: TypedListener {}
