public import MoonNavigation
import MoonStore
public import MoonValues

/// A function that enriches screens before they are shown.
public struct Presenter: Registrable, RoutingPart {
  /// Changes the screen in place; its id, URL and owner stay what they are.
  public typealias Body = (
    _ screen: inout Screen, _ route: RouteResult, _ context: SessionContext
  ) throws -> Void

  /// The pattern whose screens it enriches; nil for all.
  public let pattern: Text?
  /// Presenters of higher priority come first; 0 is usual.
  public let priority: Int
  /// What names it.
  public let registration: Registration
  let body: Body

  /// Makes a presenter.
  public init(
    pattern: Text? = nil, priority: Int = 0, place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.pattern = pattern
    self.priority = priority
    registration = Registration(.presenter, pattern?.string ?? "all routes", place: place)
    self.body = body
  }
}
