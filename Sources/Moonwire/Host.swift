import Logging
public import MoonFiles
import MoonLua
public import MoonSession
public import MoonStore
public import MoonValues

/// A host of an app: it loads modules, keeps them in step with their files, and runs sessions.
///
/// It is the only actor of the core. It runs on its own thread, whose large stack Lua needs.
/// Actions of one session never overlap, and modules are replaced only between two actions.
public actor Host {
  let executor: LuaThread
  private let watchdog: Watchdog?
  private let interruption = Interruption()
  private let hub = EventHub()
  let bindings: Bindings
  let modules: ModuleSet
  let swiftModules: SwiftModules
  let reloader: Reloader?
  let console: Console
  // Confined to the host and never lent while other code runs, so the checks of exclusive access
  // would find nothing. Without them a dispatch takes 75 instructions less.
  @exclusivity(unchecked) private(set) var sessions = OpenSessions()
  private var directoryWatch = DirectoryWatch()
  var reportedWarnings = ReportedWarnings()
  let timer: HostTimer
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
    let modules = ModuleSet(routing: options.routing)
    self.modules = modules
    timer = HostTimer(options.clock.timer)
    let watchdog = options.isWatched ? Watchdog() : nil
    // Nothing else could end a loop, and a host must not run modules that it can't contain.
    guard watchdog != nil || !options.isWatched else { throw .noThread }
    self.watchdog = watchdog
    try options.checkServiceNames()
    let bindings = try Bindings(options)
    self.bindings = bindings
    let loader = directory.map {
      ModuleLoader(
        directory: ScriptDirectory(root: $0, followingLinksInto: options.linkedDirectories),
        options: options, watchdog: watchdog, bindings: bindings)
    }
    let observers = ModuleObservers(options: options)
    swiftModules = SwiftModules(modules: modules, observers: observers, options: options)
    reloader = loader.map { Reloader(loader: $0, modules: modules, observers: observers) }
    console = Console(
      bindings: bindings, watchdog: watchdog, memoryQuota: options.promptMemoryQuota
    ) { name throws(Refusal) in
      guard let loader else { throw .refused("there is no script directory") }
      return try loader.library(name)
    }
    timer.attach(to: self)
  }

  deinit { directoryWatch.stop() }

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
  public nonisolated func events() -> AsyncStream<HostEvent> { hub.stream() }

  /// Calls a function with each event from now on, until the host is closed.
  ///
  /// It is called on the host's thread, before the call that caused the event returns. It must
  /// return soon and not wait for the host.
  public nonisolated func deliverEvents(to receive: @escaping @Sendable (HostEvent) -> Void) {
    hub.deliver(to: receive)
  }

  /// Runs several calls without other work of the host in between.
  ///
  /// - Throws: The error that `body` throws.
  public func perform<R: Sendable, E: Error>(
    _ body: @Sendable (isolated Host) throws(E) -> R
  ) throws(E) -> R {
    try body(self)
  }

  // MARK: Modules

  /// Loads all modules of the directory, if there is one, and puts those without problems in
  /// service.
  ///
  /// - Throws: ``FilesError`` if the directory doesn't exist or can't be read.
  public func load() throws(FilesError) {
    guard let reloader else { return }
    announce(try reloader.loadAll(sessions: sessions.all))
  }

  /// Starts watching the directory, if there is one; a finished save then takes effect at once.
  ///
  /// Call it before ``load()``, so that no change is missed in between.
  ///
  /// - Throws: ``FilesError`` if the system has no thread or descriptor left.
  public func watch(_ mode: DirectoryWatcher.Mode = .automatic) throws(FilesError) {
    guard let reloader else { return }
    try directoryWatch.begin(reloader.directory, mode) { [weak self] changes in
      await self?.filesChanged(changes)
    }
  }

  /// The latest notice about watching the directory; nil if there is none.
  public var watchNotice: DirectoryWatcher.Notice? { directoryWatch.notice }

  /// Reloads a module, or all, even if unchanged; the events are both returned and published.
  @discardableResult
  public func reload(_ name: ModuleName? = nil) -> [HostEvent] {
    guard let reloader else { return [] }
    return announce(reloader.reload(name, sessions: sessions.all))
  }

  /// Returns all modules, sorted by name, including those that failed to load.
  public func moduleInfos() -> [ModuleInfo] {
    ModuleInfo.all(in: modules, reloader)
  }

  /// Returns the problems with files that belong to no module: invalid names, and files that
  /// couldn't be listed.
  public func strayProblems() -> [ModuleProblem] { reloader?.strayProblems ?? [] }

  /// Returns the actions of one module or of all: those declared, and those that reducers name.
  public func actionInfos(of module: ModuleName? = nil) -> [ActionInfo] {
    modules.registry.actions(of: module)
  }

  /// Returns the registrations that may never be called, because the name that they refer to is
  /// unknown; at most 100 for each module.
  ///
  /// - Complexity: O(names) after each change of modules.
  public func deadNames() -> [DeadName] { reportedWarnings.names(in: modules, reloader).all }

  /// Returns the names in the modules' files that are most likely mistakes: globals, and unknown
  /// fields of the state; at most 100 for each module.
  ///
  /// - Complexity: O(names) after each change of modules.
  public func doubtfulNames() -> [DoubtfulName] {
    reportedWarnings.names(in: modules, reloader).doubtful
  }

  // MARK: Sessions

  /// Opens a session and starts every module with its slice, in the order of names.
  public func openSession() -> SessionID { openSession(restoring: SavedState?.none) }

  /// Opens a session with the state of an earlier one; nil means a new state.
  ///
  /// Modules get their earlier slices. A slice of another version goes through `migrate`. A slice
  /// that can't be migrated is put aside, as are those of missing modules. Routes remake the
  /// screens. For modules that started in the earlier session, `on_restore` is called instead of
  /// `on_start`.
  public func openSession(restoring earlier: SavedState?) -> SessionID {
    openSession { $0.begin(with: earlier) }
  }

  /// Opens a session that `begin` gives its slices.
  func openSession(_ begin: (Session) -> Void) -> SessionID {
    let session = sessions.open(modules, sessions.environment ?? makeEnvironment())
    begin(session)
    for (name, problems) in (reloader?.problems ?? [:]).sorted(by: { $0.key < $1.key }) {
      ModuleProblem.announce(problems, of: name, to: session)
    }
    settle()
    return session.id
  }

  /// Closes a session.
  ///
  /// Every module is stopped, in the order of names. Returns the state after that; nil if there is
  /// no such session.
  @discardableResult
  public func closeSession(_ id: SessionID) -> SavedState? {
    guard let session = sessions.remove(id) else { return nil }
    SessionTimeline(of: session).returnToPresent()
    session.stop(modules.sorted)
    session.readers.finish()
    return SavedState(of: session)
  }

  /// Carries out an action and all actions that follow from it.
  ///
  /// - Throws: ``DispatchError`` if the action is refused or fails; nothing has changed then.
  ///   Failures of later actions and of observers are in the outcome.
  @discardableResult
  public func dispatch(
    _ action: consuming Action, to id: SessionID, cause: Cause = .native
  ) throws(DispatchError) -> Outcome {
    guard let session = session(id) else { throw .noSession }
    defer { finishCalls() }
    return try session.run(action, cause: cause)
  }

  /// Carries out an action and all actions that follow from it, for a caller that awaits it.
  ///
  /// If a journal keeps the session, the host is free for other dispatchers while the outcome waits
  /// to be kept, and those that wait at the same time share one write. Effects begin after it, so
  /// that the outcome doesn't include what they dispatch at once.
  ///
  /// - Throws: ``DispatchError``, as the function that isn't awaited.
  @discardableResult
  public func dispatch(
    _ action: consuming Action, to id: SessionID, cause: Cause = .native
  ) async throws(DispatchError) -> Outcome {
    let action = action
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
  public func dispatch(
    _ actions: [Action], to id: SessionID, cause: Cause = .native
  ) throws(DispatchError) -> Outcome {
    guard let session = session(id) else { throw .noSession }
    guard let first = actions.first else { return session.settle() }
    defer { finishCalls() }
    return try session.run(first, with: actions.others, cause: cause)
  }

  /// Carries out several actions as one, for a caller that awaits it.
  ///
  /// A journal is written as for a single action.
  ///
  /// - Throws: ``DispatchError``, as the function that isn't awaited.
  @discardableResult
  public func dispatch(
    _ actions: [Action], to id: SessionID, cause: Cause = .native
  ) async throws(DispatchError) -> Outcome {
    try await sharingWrites(of: id) { host throws(DispatchError) in
      try host.dispatch(actions, to: id, cause: cause)
    }
  }

  /// Returns the whole state of a session; nil if there is no such session.
  public func state(of id: SessionID) -> Value? { session(id)?.stateValue }

  /// Returns the most recent actions of a session.
  public func history(of id: SessionID) -> History { session(id)?.history.snapshot ?? History() }

  /// Stops the running code and drops the queued actions; returns false if no Lua code was running.
  ///
  /// May be called on any thread.
  @discardableResult
  public nonisolated func interrupt() -> Bool {
    interruption.raise()
    // Raised again when a call is about to be ended. The work that makes the call may have begun
    // just now and taken the flag for an old one.
    return watchdog?.interrupt { interruption.raise() } ?? false
  }

  /// Ends all sessions, stops watching, and waits until the services have released what they hold.
  public func close() async {
    directoryWatch.end()
    for id in sessions.all.map(\.id) { closeSession(id) }
    hub.finish()
    await withTaskGroup { group in
      for service in options.services { group.addTask { await service.close() } }
    }
  }
}

extension Host {
  func session(_ id: SessionID) -> Session? { sessions[id] }

  /// Carries out the actions queued by starting and reloading, and restarts killed modules.
  ///
  /// Changes that no caller sees are told as those of tasks.
  func settle(tellingChanges tells: Bool = false) {
    restartKilled()  // First, since it may queue actions in all sessions.
    for id in sessions.unsettled.take() { session(id).map { work(off: $0, tells) } }
    finishCalls()
  }

  /// Performs the pending work after calls of modules.
  func finishCalls() {
    if sessions.watch.becomesDue() { Task { [weak self] in await self?.announceScreens() } }
    if modules.hasKilled { restartKilled() }
  }

  /// Announces the changes of watched screens, once for all calls since the last announcement.
  private func announceScreens() {
    let changes = sessions.watch.look(at: sessions.all)
    for (id, shown) in changes { hub.publish(.screenChanged(id, shown)) }
    restartKilled()
  }

  /// Restarts modules whose machine was killed.
  func restartKilled() {
    guard modules.hasKilled else { return }
    for session in sessions.all { session.tasks.end(of: modules.killed, isKilled: true) }
    publish(reloader?.restartKilled() ?? [])
    modules.killed = []
  }

  private func makeEnvironment() -> SessionEnvironment {
    SessionEnvironment(
      clock: options.clock, budgetClock: watchdog.map(BudgetClock.init) ?? .continuous,
      actionBudget: options.actionBudget, followingBudget: options.followingBudget,
      faultsMax: options.faultsMax(of:), taskLimits: options.taskLimits(of:),
      timelineLimits: options.timeline,
      deadlines: timer.deadlines, unsettled: sessions.unsettled, access: access,
      activity: bindings.activity, interruption: interruption,
      // A session runs only on the host, which outlives its work.
      report: { [unowned self] event in assumeIsolated { $0.note(event) } },
      restartKilled: { [unowned self] in assumeIsolated { $0.restartKilled() } })
  }

  /// Publishes an event of a session, and ends the tasks of a suspended module.
  private func note(_ event: SessionEvent) {
    if case .suspended(let name, _, _) = event {
      for session in sessions.all { session.tasks.cancelAll(of: name) }
    }
    hub.publish(HostEvent(event))
  }

  /// Announces that a module's files failed to load.
  func publish(_ events: [HostEvent]) {
    for event in events {
      hub.publish(event)
      guard case .failed(let name, let problems, _) = event else { continue }
      for session in sessions.all { ModuleProblem.announce(problems, of: name, to: session) }
    }
  }

  private func filesChanged(_ unhandled: UnhandledChanges) {
    guard let reloader else { return }
    for event in unhandled.takeAll() {
      announce(directoryWatch.handle(event, reloader, sessions.all))
    }
    retryLater(reloader.takeRetries())
  }

  /// Schedules a second attempt to load some files, before their failure is reported.
  ///
  /// A failure just after a save may come from a half-written file.
  private func retryLater(_ paths: Set<String>) {
    guard !paths.isEmpty, let number = reloader?.pause.add(paths) else { return }
    let delay = options.retryDelay
    Task { [weak self] in
      try? await Task.sleep(for: delay)
      await self?.retry(paths, number)
    }
  }

  private func retry(_ awaited: Set<String>, _ number: Int) {
    guard let reloader else { return }
    let paths = reloader.pause.take(awaited, since: number)
    guard !paths.isEmpty else { return }
    announce(reloader.update(paths, attempt: .second, sessions: sessions.all))
    retryLater(reloader.takeRetries())
  }
}
