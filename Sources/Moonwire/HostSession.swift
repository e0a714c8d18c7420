public import MoonActions
public import MoonFeatures
public import MoonModules
public import MoonNavigation
import MoonScripts
import MoonServiceKit
public import MoonSession
public import MoonValues

/// An open session of a host: its state, and all that can be done with it.
///
/// ```swift
/// let session = try await host.session()
/// try await session.dispatch(Measure(celsius: 21.5))
/// print(try await session.state(Thermometer.State.self).celsius)
/// ```
///
/// A copy is the same session. It stays open until ``close()``, or until the host is closed. After
/// that, those of its functions that can throw do so, with an error that says why.
public struct HostSession: Sendable, Identifiable {
  /// The host.
  public let host: Host
  /// The number of the session in the host.
  public let id: SessionID

  /// Holds an open session of a host.
  public init(_ id: SessionID, on host: Host) {
    self.id = id
    self.host = host
  }

  /// Opens a session of a host.
  ///
  /// - Throws: ``HostError/closed``.
  init(restoring earlier: SavedState?, on host: isolated Host) throws(HostError) {
    if host.sessions.isClosed { throw .closed }
    self.init(host.openSession(restoring: earlier), on: host)
  }

  // MARK: Actions

  /// Carries out an action and all actions that follow from it.
  ///
  /// With `awaitingEffects` it returns when the effects that the action has started have ended, and
  /// what they have dispatched is carried out. The outcome, which has no id, then holds all changes
  /// until that time, also those of other actions.
  ///
  /// - Throws: ``DispatchError``. Nothing has changed then.
  @discardableResult
  public func dispatch(
    _ action: Action, awaitingEffects: Bool = false
  ) async throws(DispatchError) -> Outcome {
    try await host.dispatch(action, to: id, awaitingEffects: awaitingEffects)
  }

  /// Carries out a typed action and all actions that follow from it.
  ///
  /// - Throws: ``DispatchError``, with ``DispatchError/unencodable(type:reason:)`` if the payload
  ///   can't be encoded. Nothing has changed then.
  @discardableResult
  public func dispatch(
    _ action: some TypedAction, awaitingEffects: Bool = false
  ) async throws(DispatchError) -> Outcome {
    try await dispatch(try action.dispatched(), awaitingEffects: awaitingEffects)
  }

  /// Carries out several actions as one, and all actions that follow from them.
  ///
  /// - Throws: ``DispatchError`` if an action is refused or fails. Nothing has changed then.
  @discardableResult
  public func dispatch(_ actions: [Action]) async throws(DispatchError) -> Outcome {
    try await host.dispatch(actions, to: id)
  }

  /// Carries out several typed actions as one, and all actions that follow from them.
  ///
  /// - Throws: ``DispatchError`` if an action can't be encoded, is refused or fails. Nothing has
  ///   changed then.
  @discardableResult
  public func dispatch(
    _ actions: [any TypedAction]
  ) async throws(DispatchError) -> Outcome {
    try await dispatch(try actions.dispatched())
  }

  /// Calls a command such as `cart/total`, and returns its answer as a type.
  ///
  /// - Throws: ``CommandError``, and ``ValueCodingError`` if the payload or the answer has another
  ///   shape.
  @discardableResult
  public func call<Answer: Decodable>(
    _ command: Text, _ payload: some Encodable = Value.null, within time: Duration? = nil,
    as type: Answer.Type = Value.self
  ) async throws -> Answer {
    let payload = try ValueEncoder().encode(payload)
    let answer = try await host.call(command, payload, in: id, within: time)
    return try ValueDecoder().decode(type, from: answer)
  }

  /// Waits until the effects have ended or wait for an action or a change, at most for a time.
  @discardableResult
  public func waitForEffects(within time: Duration) async -> BackgroundResults {
    await host.waitForTasks(in: id, within: time)
  }

  // MARK: Screens

  /// Routes a URL: finds the route that matches it, and shows its screen or runs its handler.
  ///
  /// - Throws: ``DispatchError``. The navigation is then unchanged.
  @discardableResult
  public func route(
    _ url: Text, passing parameters: Map = Map(), option: RoutingOption? = nil
  ) async throws(DispatchError) -> Outcome {
    try await dispatch(.route(url, passing: parameters, option: option))
  }

  /// The content of the screen on top of the key window; nil if there is none.
  public var screen: ShownScreen? { get async { await host.shownScreen(in: id) } }

  /// Draws the screen on top whenever it may have changed, and tells the new one as a
  /// ``HostEvent/screenChanged(_:_:)``, until the session is closed.
  public func watchScreen() async { await host.watchScreen(of: id) }

  /// Performs the action of a control of the screen on top, named by its id or title.
  ///
  /// - Throws: ``ScreenError``.
  @discardableResult
  public func tap(_ control: String) async throws(ScreenError) -> Outcome {
    try await host.use(.name(control), in: id)
  }

  /// Fills in an input of the screen on top; an empty text clears it.
  ///
  /// - Throws: ``ScreenError``.
  public func fill(_ input: String, with text: String) async throws(ScreenError) {
    try await host.fill([(input, text)], in: id)
  }

  /// Returns whether a route matches a URL; its target may still decline.
  ///
  /// The result is false for text that isn't a URL.
  public func canRoute(_ url: Text) async -> Bool { await host.canRoute(url) }

  /// Makes the screen of a URL without showing it.
  ///
  /// Routing observers are called, but not option providers and handlers.
  ///
  /// - Throws: ``DispatchError/routing(_:)``.
  public func screen(
    for url: Text, passing parameters: Map = Map()
  ) async throws(DispatchError) -> Screen {
    try await host.screen(for: url, passing: parameters, in: id)
  }

  /// Goes one step back: pops, or else dismisses.
  ///
  /// - Throws: ``DispatchError``.
  @discardableResult
  public func back() async throws(DispatchError) -> Outcome { try await host.back(in: id) }

  // MARK: Navigation, tasks and time

  /// The windows of the session and what they show; nil once it is closed.
  public var navigation: NavigationTree? { get async { await host.navigationTree(of: id) } }

  /// The running tasks, such as those of effects, in the order in which they began.
  public var tasks: [TaskInfo] { get async { await host.taskInfos(of: id) } }

  /// Cancels a task and those that it has begun; returns false if it has ended.
  @discardableResult
  public func cancel(_ task: TaskID) async -> Bool { await host.cancelTask(task, in: id) }

  /// Shows the state at a place in the ``timeline``.
  ///
  /// While an earlier state is shown, actions are refused and tasks stand still.
  ///
  /// - Throws: ``TimelineError``; the same state is then shown as before.
  @discardableResult
  public func travel(to place: TimelinePlace) async throws(TimelineError) -> Outcome {
    try await host.travel(to: place, in: id)
  }

  /// Changes the ``timeline``.
  ///
  /// Actions that run again have their recorded ids, times and causes. Nothing follows from them.
  ///
  /// - Throws: ``TimelineError``; nothing has changed then.
  @discardableResult
  public func carryOut(_ edit: TimelineEdit) async throws(TimelineError) -> Outcome {
    try await host.carryOut(edit, in: id)
  }

  /// Takes back the last action of the program or of a person, with all that followed.
  ///
  /// - Throws: ``TimelineError``; nothing has changed then.
  @discardableResult
  public func undo() async throws(TimelineError) -> Outcome { try await host.undo(in: id) }

  /// The timeline of the session; nil if the session is closed.
  public var timeline: Timeline? { get async { await host.timeline(of: id) } }

  /// Closes the session, and returns the state after every module was stopped; nil if it is closed
  /// already.
  ///
  /// Its effects are cancelled, and its sequences end.
  @discardableResult
  public func close() async -> SavedState? { await host.closeSession(id) }
}
