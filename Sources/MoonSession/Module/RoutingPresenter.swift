public import MoonNavigation
public import MoonStore
public import MoonValues

/// A function that puts a screen into the navigation tree, for one kind of routing option.
public struct RoutingPresenter: Registrable {
  /// Returns the `nav/…` actions that show the screen; they are carried out as one.
  public typealias Body = (
    _ screen: Screen, _ option: RoutingOption, _ context: SessionContext
  ) throws -> [Action]

  /// The kind of option that it is for, such as `push` or one of a module's own.
  public let kind: Text
  /// The presenter of the highest priority presents; 0 is usual, the host's own have −1000.
  public let priority: Int
  /// What names it.
  public let registration: Registration
  let body: Body

  /// Makes a routing presenter.
  public init(
    _ kind: Text, priority: Int = 0, place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.kind = kind
    self.priority = priority
    registration = Registration(.routingPresenter, kind.string, place: place)
    self.body = body
  }
}
