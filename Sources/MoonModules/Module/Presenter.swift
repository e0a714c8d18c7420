import MoonActions
public import MoonNavigation
public import MoonValues

/// A function that enriches screens before they are shown.
public struct Presenter: Registrable, RoutingPart {
  /// A function that changes the screen in place.
  ///
  /// The host ignores changes to its id, URL and owner.
  public typealias Body = (
    _ screen: inout Screen, _ route: RouteResult, _ context: SessionContext
  ) throws -> Void

  /// The route pattern whose screens the presenter enriches; nil means all.
  package let pattern: Text?
  /// The screens that the presenter enriches; nil means all.
  package let screens: ScreenPattern?
  /// The priority: presenters of higher priority come first, and 0 is the default.
  package let priority: Int
  /// The kind, name and place of the registration.
  package let registration: Registration
  /// The types that it was made from, until it is put into a module; nil if there are none.
  package var typed: TypedParts?
  /// What a connection selects; nil for other presenters.
  package let selection: StateSelection?
  package let body: Body

  /// Makes a presenter.
  public init(
    pattern: Text? = nil, of screens: ScreenPattern? = nil, priority: Int = 0,
    place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.pattern = pattern
    self.screens = screens
    self.priority = priority
    let name = [pattern?.string, screens?.description].compactMap(\.self)
    registration = Registration(
      .presenter, name.isEmpty ? "all routes" : name.joined(separator: " of "), place: place)
    selection = nil
    self.body = body
  }

  /// Makes the presenter that a connection is.
  package init(_ connection: Connection) {
    pattern = nil
    screens = connection.screens
    priority = 0
    registration = connection.registration
    selection = connection.selection
    body = { screen, _, context in try connection.connect(&screen, context) }
  }

  /// Returns whether the presenter enriches a screen that a route has made.
  package func concerns(_ screen: Screen, _ result: RouteResult) -> Bool {
    concerns(result) && screens?.matches(screen) ?? true
  }
}
