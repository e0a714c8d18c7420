public import MoonNavigation
public import MoonRouting
public import MoonStore
public import MoonValues

/// What a registration can do in the session that runs it; good during the call that got it.
///
/// The same as `self` in Lua. The host's own registrations get no more than this.
public struct SessionContext {
  private let session: any ContextSession
  private let registration: BoundRegistration

  /// What a registration can do in a session.
  package init(_ session: any ContextSession, _ registration: BoundRegistration) {
    self.session = session
    self.registration = registration
  }

  private var module: ModuleName { registration.owner }
  private var kind: RegistrationKind { registration.registration.kind }
  private var isDrawing: Bool { kind == .view || kind == .viewExtension }

  /// The whole state as it is.
  public var state: Value { session.stateValue }

  /// The module's own slice, an empty map if it has none.
  public var slice: Value { session.slice(of: module) ?? .map(Map()) }

  /// Where the app is.
  ///
  /// While an action navigates, this is what the navigation was before it.
  public var navigationTree: NavigationTree { session.navigationTree }

  /// Puts an action at the end of the session's queue.
  ///
  /// - Throws: ``DispatchError`` if it can't be taken.
  public func dispatch(_ action: Action) throws(DispatchError) {
    guard !isDrawing else { throw .fromView }
    try session.enqueue(action, cause: .module(module.text, kind))
  }

  /// Has a URL routed when what is under way is done.
  ///
  /// A routing that fails later is in the outcome of what is under way.
  ///
  /// - Throws: ``DispatchError`` if it can't be queued.
  public func route(
    _ url: Text, passing parameters: Map = Map(), option: RoutingOption? = nil
  ) throws(DispatchError) {
    try dispatch(.route(url, passing: parameters, option: option))
  }

  /// Whether a pattern takes a URL; what it leads to may decline all the same.
  ///
  /// False for what isn't a URL, too.
  public func canRoute(_ url: Text) -> Bool {
    session.canRoute(url)
  }

  /// The URL of the route with a name.
  ///
  /// - Throws: ``RouteURLError``.
  public func url(for name: Text, _ parameters: Map = Map()) throws(RouteURLError) -> Text {
    try session.url(for: name, parameters)
  }

  /// Fills in an input of one of the module's screens, or clears it if the value is nil.
  ///
  /// Without an id it is the module's screen on top of the key window, or else its last one in the
  /// navigation. When the screen is drawn next, the value is checked as if a person had filled it
  /// in; what doesn't fit is a fault then.
  ///
  /// - Throws: ``InputRequestError``.
  public func fill(
    _ input: Text, with value: Value?, on screen: Text? = nil
  ) throws(InputRequestError) {
    guard !isDrawing else { throw .fromView }
    try session.request(value, ofInput: input, on: screen, by: registration)
  }

  /// An id that no screen, container or window has: the word, or the word and a number.
  ///
  /// - Complexity: O(screens and containers).
  public func freshID(for word: Text, besides taken: Set<Text> = []) -> Text {
    var ids = ScreenIDs(in: navigationTree, besides: taken)
    return ids.fresh(for: word)
  }
}

/// What a context needs of its session.
package protocol ContextSession: AnyObject {
  var stateValue: Value { get }
  var navigationTree: NavigationTree { get }
  func slice(of module: ModuleName) -> Value?
  func enqueue(_ action: consuming Action, cause: Cause) throws(DispatchError)
  func canRoute(_ url: Text) -> Bool
  func url(for name: Text, _ parameters: Map) throws(RouteURLError) -> Text
  func request(
    _ value: Value?, ofInput input: Text, on screen: Text?, by registration: BoundRegistration
  ) throws(InputRequestError)
}
