public import MoonActions
public import MoonNavigation
public import MoonRouting
package import MoonServiceKit
public import MoonValues

/// The interface of a session to the registration that it calls, valid during that call.
///
/// It is the counterpart of `self` in Lua. The host's own registrations use it too, and nothing
/// more.
public struct SessionContext {
  private let session: any ContextSession
  private let registration: BoundRegistration

  /// Makes the context for a call of a registration.
  package init(_ session: any ContextSession, _ registration: BoundRegistration) {
    self.session = session
    self.registration = registration
  }

  private var module: ModuleName { registration.owner }
  private var kind: RegistrationKind { registration.registration.kind }
  private var isDrawing: Bool { kind == .view || kind == .viewExtension }

  /// The id of the session.
  public var sessionID: SessionID { session.id }

  /// The whole state.
  public var state: Value {
    session.noteRead(of: nil)
    return session.stateValue
  }

  /// The module's own slice; an empty map if it has none.
  public var slice: Value {
    session.noteRead(of: .string(Text(module.text)))
    return session.slice(of: module) ?? .map(Map())
  }

  /// Returns a selection from the state; nil if nothing of it exists.
  ///
  /// A presenter that reads only this runs again only when one of the selected slices has changed.
  package func value(of selection: StateSelection) -> Value? {
    for path in selection.paths { session.noteRead(of: path.slice) }
    return selection.value(in: session.stateValue)
  }

  /// The navigation tree.
  ///
  /// While an action navigates, this is the tree before that action.
  public var navigationTree: NavigationTree {
    session.noteRead(of: .string(Text(ModuleName.navigation.text)))
    return session.navigationTree
  }

  /// The room for the screen that a view draws, on the terminal that was told of last; nil if none
  /// was, and in other code, which mustn't depend on it.
  package var screenSize: ScreenSize? { isDrawing ? session.screenSize : nil }

  /// Returns the rows of a list that a view is to draw, from 0: those that a person sees, and some
  /// around them; all in other code.
  package func visibleRows(ofList id: Text, rowCount: Int) -> Range<Int> {
    isDrawing ? session.visibleRows(ofList: id, rowCount: rowCount) : 0..<max(0, rowCount)
  }

  /// The time in seconds since 1970: that of the action before its commit, or else that of the
  /// host's clock.
  public var time: Double { session.time }

  /// Whether an action of the navigation is being carried out that is a part of another one, such
  /// as the `nav/push` that a routing leads to.
  package var isWithinNavigation: Bool { session.isWithinNavigation }

  /// What a call depends on besides the state and the action; nil if no replay repeats it.
  package var repetition: Repetition? { session.repetition(of: registration) }

  /// Appends an action to the session's queue.
  ///
  /// - Throws: ``DispatchError`` if the action can't be accepted.
  public func dispatch(_ action: Action) throws(DispatchError) {
    guard !isDrawing else { throw .readOnlyView }
    try session.dispatch(action, with: [], cause: .module(module.text, kind))
  }

  /// Appends several actions to the session's queue, to be carried out as one.
  ///
  /// Either all are committed together, and observers are called once, or none is carried out. An
  /// empty list has no effect.
  ///
  /// - Throws: ``DispatchError`` if the actions can't be accepted.
  public func dispatch(_ actions: [Action]) throws(DispatchError) {
    guard let first = actions.first else { return }
    guard !isDrawing else { throw .readOnlyView }
    try session.dispatch(
      first, with: Array(actions.dropFirst()), cause: .module(module.text, kind))
  }

  /// Queues the routing of a URL.
  ///
  /// The routing runs after the current action. If it fails, the error is in the outcome of the
  /// current dispatch.
  ///
  /// - Throws: ``DispatchError`` if it can't be queued.
  public func route(
    _ url: Text, passing parameters: Map = Map(), option: RoutingOption? = nil
  ) throws(DispatchError) {
    try dispatch(.route(url, passing: parameters, option: option))
  }

  /// Returns whether a route matches a URL; false for text that isn't a URL.
  ///
  /// The target of the route may still decline.
  public func canRoute(_ url: Text) -> Bool {
    session.canRoute(url)
  }

  /// Returns the URL of the route with a name.
  ///
  /// - Throws: ``RouteURLError``.
  public func url(for name: Text, _ parameters: Map = Map()) throws(RouteURLError) -> Text {
    try session.url(for: name, parameters)
  }

  /// Sets an input of one of the module's screens, or resets it if the value is nil.
  ///
  /// Without an id, the screen is the one on top of the key window if the module owns it, or else
  /// the module's last screen in the navigation. The value is checked when the screen is drawn
  /// next; a value that the input doesn't accept is then reported as a fault.
  ///
  /// - Throws: ``InputRequestError``.
  public func fill(
    _ input: Text, with value: Value?, on screen: Text? = nil
  ) throws(InputRequestError) {
    guard !isDrawing else { throw .readOnlyView }
    try session.request(value, ofInput: input, on: screen, by: registration)
  }

  /// Returns an id that no screen, container or window has: the word, or the word and a number.
  ///
  /// - Complexity: O(screens and containers).
  package func freshID(for word: Text, besides taken: Set<Text> = []) -> Text {
    var ids = ScreenIDs(in: navigationTree, besides: taken)
    return ids.fresh(for: word)
  }
}

/// Timers.
extension SessionContext {
  /// Dispatches an action after a time.
  ///
  /// A reload of the module doesn't change the timer. It ends when the module is suspended or
  /// leaves the session.
  ///
  /// - Throws: ``TimerError``.
  /// - Returns: The task of the timer, for ``cancel(_:)``.
  @discardableResult
  public func dispatch(_ action: Action, after time: Duration) throws(TimerError) -> TaskID {
    guard Schedule.isTime(time) else { throw .timeOutOfRange(min: .zero) }
    return try start(action, after: time, every: nil)
  }

  /// Dispatches an action again and again, for the first time after one interval.
  ///
  /// Otherwise like ``dispatch(_:after:)``.
  ///
  /// - Throws: ``TimerError``.
  @discardableResult
  public func dispatch(_ action: Action, every time: Duration) throws(TimerError) -> TaskID {
    guard Schedule.isInterval(time) else { throw .timeOutOfRange(min: Schedule.intervalMin) }
    return try start(action, after: time, every: time)
  }

  /// Cancels a task of the module, such as a timer; returns false if it has ended.
  @discardableResult
  public func cancel(_ task: TaskID) -> Bool { session.timers.cancel(task, of: module) }

  private func start(
    _ action: Action, after time: Duration, every: Duration?
  ) throws(TimerError) -> TaskID {
    guard !isDrawing else { throw .readOnlyView }
    return try session.timers.start(action, after: time, every: every, of: module)
  }
}

extension Path {
  /// The key of the slice that it leads into; nil for the whole state.
  fileprivate var slice: Key? {
    if case .key(let name)? = components.first { .string(name) } else { nil }
  }
}

/// The functions of a session that a context calls.
package protocol ContextSession: AnyObject {
  var id: SessionID { get }
  var stateValue: Value { get }
  var navigationTree: NavigationTree { get }
  var screenSize: ScreenSize? { get }
  func visibleRows(ofList id: Text, rowCount: Int) -> Range<Int>
  var time: Double { get }
  var isWithinNavigation: Bool { get }
  func repetition(of registration: BoundRegistration) -> Repetition?
  func slice(of module: ModuleName) -> Value?
  func noteRead(of key: Key?)
  func dispatch(
    _ action: consuming Action, with others: [Action], cause: Cause
  ) throws(DispatchError)
  var timers: any ContextTimers { get }
  func canRoute(_ url: Text) -> Bool
  func url(for name: Text, _ parameters: Map) throws(RouteURLError) -> Text
  func request(
    _ value: Value?, ofInput input: Text, on screen: Text?, by registration: BoundRegistration
  ) throws(InputRequestError)
}

/// The timers of a session that a context starts.
package protocol ContextTimers {
  func start(
    _ action: Action, after first: Duration, every: Duration?, of module: ModuleName
  ) throws(TimerError) -> TaskID
  func cancel(_ task: TaskID, of module: ModuleName) -> Bool
}
