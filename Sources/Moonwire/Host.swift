import Logging
package import MoonActions
public import MoonFiles
import MoonLua
package import MoonModules
import MoonScripts
public import MoonServiceKit
package import MoonSession
package import MoonValues

/// A host of an app: it loads modules, keeps them in step with their files, and runs sessions.
///
/// It is the only actor of the core. It runs on its own thread, whose large stack Lua needs.
/// Actions of one session never overlap, and modules are replaced only between two actions.
public actor Host {
  let executor: LuaThread
  private let watchdog: Watchdog?
  private let interruption = Interruption()
  private let readers = Readers<HostEvent>()
  let bindings: Bindings
  let modules: HostModules
  let sessions: HostSessions
  let console: Console
  let options: HostOptions

  /// Makes a host for a script directory, or without one.
  ///
  /// Nothing is loaded yet.
  ///
  /// - Throws: ``HostError`` if the system grants too few threads or too little memory.
  public init(directory: String?, options: HostOptions = HostOptions()) throws(HostError) {
    try MemoryShortage.check(options)
    let options = options.knowing(directory)
    guard let executor = LuaThread() else { throw .noThread }
    self.executor = executor
    self.options = options
    let watchdog = options.trial.isWatched ? Watchdog() : nil
    // Nothing else could end a loop, and a host must not run modules that it can't contain.
    guard watchdog != nil || !options.trial.isWatched else { throw .noThread }
    self.watchdog = watchdog
    try options.checkServiceNames()
    let bindings = try Bindings(options)
    self.bindings = bindings
    let loader = directory.map {
      ModuleLoader(
        directory: ScriptDirectory(root: $0, followingLinksInto: options.linkedDirectories),
        options: options.loading, watchdog: watchdog, bindings: bindings)
    }
    let modules = HostModules(
      ModuleSet(routing: options.routing) { bindings.services.grants }, loader, options)
    self.modules = modules
    console = Console(
      bindings: bindings, watchdog: watchdog, limits: options.prompt
    ) { name throws(HostRefusal) in
      guard let loader else { throw .refused("there is no script directory") }
      return try loader.library(name)
    }
    sessions = HostSessions(
      modules, HostTimer(options.clock.timer), readers, telemetry: options.telemetry,
      environment: HostSessions.environment(options, watchdog, bindings, interruption))
    sessions.attach(to: self)
  }

  /// The executor of the host's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unownedSerialExecutor }

  /// The executor of tasks that do little but wait for the host: they run on its thread, too.
  ///
  /// Each result that another task awaits wakes a thread of Swift's pool. A dispatch that one of
  /// 100 tasks awaits takes three times as long as one in ``perform(_:)``. In a task such as
  /// `Task(executorPreference: host.taskExecutor) { … }` it takes 1.3 times as long.
  ///
  /// What the task does between its calls holds up the host: it must neither block nor compute for
  /// long. The same holds for what it calls, apart from actors with an executor of their own. While
  /// it awaits something, the host is free.
  ///
  /// The executor doesn't keep the host. It and the tasks that prefer it keep the thread, so tasks
  /// that outlive the host run to their end as before.
  public nonisolated var taskExecutor: any TaskExecutor { executor }

  /// Returns the events from now on.
  ///
  /// A reader that falls more than 1,000 events behind misses the oldest.
  public nonisolated func events() -> AsyncStream<HostEvent> { readers.stream(HostEvent.countMax) }

  /// Calls a function with each event from now on, until the host is closed.
  ///
  /// It is called on the host's thread, before the call that caused the event returns, apart from
  /// ``HostEvent/longCall(_:)``. It must return soon and not wait for the host.
  public nonisolated func deliverEvents(to receive: @escaping @Sendable (HostEvent) -> Void) {
    readers.add(tell: receive)
  }

  /// Runs several calls without other work of the host in between.
  ///
  /// - Throws: The error that `body` throws.
  public func perform<R: Sendable, E: Error>(
    _ body: @Sendable (isolated Host) throws(E) -> R
  ) throws(E) -> R {
    try body(self)
  }

  // MARK: Files

  /// Loads all modules of the directory, if there is one, and puts those without problems in
  /// service.
  ///
  /// - Throws: ``FilesError`` if the directory doesn't exist or can't be read.
  public func load() throws(FilesError) {
    guard let reloader = modules.reloader else { return }
    announce(try reloader.loadAll(sessions: sessions.all))
  }

  /// Starts watching the directory, if there is one; a finished save then takes effect at once.
  ///
  /// Call it before ``load()``, so that no change is missed in between.
  ///
  /// - Throws: ``FilesError`` if the system has no thread or descriptor left.
  public func watch(_ mode: DirectoryWatcher.Mode = .automatic) throws(FilesError) {
    try modules.watch(mode) { [weak self] changes in
      if let self { await FileChanges.handle(changes, on: self) }
    }
  }

  /// The latest notice about watching the directory; nil if there is none.
  package var watchNotice: DirectoryWatcher.Notice? { modules.watchNotice }

  /// Reloads a module, or all, even if unchanged; the events are both returned and published.
  @discardableResult
  public func reload(_ name: ModuleName? = nil) -> [HostEvent] {
    announce(modules.reloader?.reload(name, sessions: sessions.all) ?? [])
  }

  /// Publishes what has changed with the modules, and finishes the work that follows from it.
  ///
  /// New warnings follow the events. Returns all that it has published.
  @discardableResult
  func announce(_ events: [HostEvent]) -> [HostEvent] {
    let all = modules.withWarnings(events)
    sessions.publish(all)
    sessions.settle(tellingChanges: true)
    return all
  }

  // MARK: Sessions

  /// Opens a session and starts every module with its slice, in the order of names.
  package func openSession() -> SessionID { openSession(restoring: SavedState?.none) }

  /// Opens a session with the state of an earlier one; nil means a new state.
  ///
  /// Modules get their earlier slices. A slice of another version goes through `migrate`. A slice
  /// that can't be migrated is put aside, as are those of missing modules. Routes remake the
  /// screens. For modules that started in the earlier session, `on_restore` is called instead of
  /// `on_start`.
  package func openSession(restoring earlier: SavedState?) -> SessionID {
    openSession { $0.begin(with: earlier) }
  }

  /// Opens a session that `begin` gives its slices.
  func openSession(_ begin: (Session) -> Void) -> SessionID { sessions.open(begin) }

  /// Closes a session.
  ///
  /// Every module is stopped, in the order of names. Returns the state after that; nil if there is
  /// no such session.
  @discardableResult
  package func closeSession(_ id: SessionID) -> SavedState? { sessions.close(id) }

  /// Carries out an action and all actions that follow from it, before what modules have dispatched
  /// by themselves.
  ///
  /// - Throws: ``DispatchError`` if the action is refused or fails; nothing has changed then.
  ///   Failures of later actions and of observers are in the outcome.
  @discardableResult
  package func dispatch(
    _ action: consuming Action, to id: SessionID, cause: Cause = .native
  ) throws(DispatchError) -> Outcome {
    guard let session = session(id) else { throw .noSession }
    defer { sessions.finishCalls() }
    return try session.run(action, cause: cause)
  }

  /// Carries out an action and all actions that follow from it, for a caller that awaits it.
  ///
  /// If a journal keeps the session, the host is free for other dispatchers while the outcome waits
  /// to be kept, and those that wait at the same time share one write. Effects begin after it, so
  /// that the outcome doesn't include what they dispatch at once.
  ///
  /// With `awaitingEffects` it returns when the effects that the action has started have ended, and
  /// what they have dispatched is carried out. The outcome, which has no id, then holds all changes
  /// until that time, also those of other actions. Scripts wait the same way with
  /// `self.dispatch_and_wait(type, payload, { effects = true })`.
  ///
  /// - Throws: ``DispatchError``, as the function that isn't awaited. If an awaited effect fails,
  ///   refuses or doesn't finish, the action itself was carried out.
  @discardableResult
  package func dispatch(
    _ action: consuming Action, to id: SessionID, cause: Cause = .native,
    awaitingEffects: Bool = false
  ) async throws(DispatchError) -> Outcome {
    let action = action
    if awaitingEffects {
      return try await withCheckedContinuation { sessions.run(action, in: id, cause, $0) }.get()
    }
    return try await sharingWrites(of: id) { host throws(DispatchError) in
      try host.dispatch(action, to: id, cause: cause)
    }
  }

  /// Carries out several actions as one, and all actions that follow from them.
  ///
  /// Either all are committed together, and observers are called once, or none is carried out. An
  /// empty list has no effect.
  ///
  /// - Throws: ``DispatchError`` if an action is refused or fails. Nothing has changed then.
  @discardableResult
  package func dispatch(
    _ actions: [Action], to id: SessionID, cause: Cause = .native
  ) throws(DispatchError) -> Outcome {
    guard let session = session(id) else { throw .noSession }
    guard let first = actions.first else { return session.first {} }
    defer { sessions.finishCalls() }
    return try session.run(first, with: actions.others, cause: cause)
  }

  /// Carries out several actions as one, for a caller that awaits it.
  ///
  /// A journal is written as for a single action.
  ///
  /// - Throws: ``DispatchError``, as the function that isn't awaited.
  @discardableResult
  package func dispatch(
    _ actions: [Action], to id: SessionID, cause: Cause = .native
  ) async throws(DispatchError) -> Outcome {
    try await sharingWrites(of: id) { host throws(DispatchError) in
      try host.dispatch(actions, to: id, cause: cause)
    }
  }

  /// Returns the whole state of a session; nil if there is no such session.
  package func state(of id: SessionID) -> Value? { session(id)?.stateValue }

  /// Returns the most recent actions of a session.
  package func history(of id: SessionID) -> History { session(id)?.history.snapshot ?? History() }

  /// Stops the running code and drops the queued actions; returns false if no Lua code was running.
  ///
  /// May be called on any thread.
  @discardableResult
  public nonisolated func interrupt() -> Bool {
    interruption.raise()
    // Raised again when a call is about to be ended. The work that makes the call may have just
    // begun, and have taken the flag for an old one.
    return watchdog?.interrupt { interruption.raise() } ?? false
  }

  /// Ends all sessions, stops watching, and waits until the services have released what they hold.
  public func close() async {
    modules.endWatch()
    sessions.closeAll()
    readers.finish()
    await withTaskGroup { group in
      for service in options.services { group.addTask { await service.close() } }
    }
  }
}

extension Host {
  func session(_ id: SessionID) -> Session? { sessions.open[id] }

  /// Announces the changes of watched screens.
  package func announceScreens() { sessions.announceScreens() }

  /// Resumes the tasks whose deadlines have passed.
  package func wake() { sessions.wake(isAwaited: true) }
}
