public import MoonActions
public import MoonNavigation
public import MoonValues

/// A function that puts a screen into the navigation tree, for one kind of routing option.
public struct RoutingPresenter: Registrable {
  /// A function that returns the `nav/…` actions that show the screen; nil if it leaves the screen
  /// to the next presenter.
  ///
  /// The actions succeed or fail together. An empty list shows the screen without changing the
  /// navigation.
  public typealias Body = (
    _ screen: Screen, _ option: RoutingOption, _ context: SessionContext
  ) throws -> [Action]?

  /// The kind of option that it handles: `push`, or one of a module's own.
  package let kind: Text
  /// The priority: the presenter of the highest is asked first.
  ///
  /// 0 is the default, and the host's own presenters have −1000.
  package let priority: Int
  /// The kind, name and place of the registration.
  package let registration: Registration
  package let body: Body

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
