import Logging
public import MoonFiles
import MoonLua
public import MoonSession
public import MoonStore
public import MoonValues

/// Loads modules, keeps them in step with their files, and runs sessions of the app they make.
///
/// The one actor of the core. It runs on a thread of its own with a big stack, for Lua's sake.
/// Actions of one session never overlap; between two actions modules may be replaced.
public actor Host {
  private let executor: LuaThread
  private let watchdog: Watchdog?
  private let interruption = Interruption()
  private let hub = EventHub()
  private let bindings: Bindings
  private let modules: ModuleSet
  private let reloader: Reloader?
  private let console: Console
  /// In the order in which they were opened; few, so that a search is the fastest look-up.
  @exclusivity(unchecked) private var sessions: [Session] = []
  private var sessionCount = 0
  private var watcher: DirectoryWatcher?
  /// What is special about how the directory is watched; nil as long as nothing is.
  public private(set) var watchNotice: DirectoryWatcher.Notice?
  /// The files that are looked at once more in a moment, with the number of the latest news.
  private var retries: [String: Int] = [:]
  private var retryCount = 0
  private var standingNews = StandingNews()
  let options: HostOptions

  /// Makes a host on a script directory, or on none.
  ///
  /// Nothing is loaded yet.
  ///
  /// - Throws: ``HostError`` when the system grants too few threads or too little memory.
  public init(directory: String?, options: HostOptions = HostOptions()) throws(HostError) {
    try MemoryShortage.check(options)
    guard let executor = LuaThread() else { throw .noThread }
    self.executor = executor
    self.options = options
    let modules = ModuleSet(routing: options.routing)
    self.modules = modules
    let watchdog = options.isWatched ? Watchdog() : nil
    // Without it nothing would end a loop: a host that can't contain its modules runs none.
    guard watchdog != nil || !options.isWatched else { throw .noThread }
    self.watchdog = watchdog
    let bindings = Bindings(logger: options.logger, printed: options.printing)
    self.bindings = bindings
    let loader = directory.map {
      ModuleLoader(
        directory: ScriptDirectory(root: $0, followingLinksInto: options.linkedDirectories),
        options: options, watchdog: watchdog, bindings: bindings)
    }
    reloader = loader.map { Reloader(loader: $0, modules: modules) }
    console = Console(
      bindings: bindings, watchdog: watchdog, memoryQuota: options.promptMemoryQuota
    ) { name throws(Refusal) in
      guard let loader else { throw .refused("there is no script directory") }
      return try loader.library(name)
    }
  }

  deinit { watcher?.stop() }

  /// The host's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// What happens from now on.
  ///
  /// A reader that lags more than 1,000 events behind misses the oldest.
  public nonisolated func events() -> AsyncStream<HostEvent> { hub.stream() }

  /// Runs several calls with nothing else of the host's in between.
  ///
  /// - Throws: What `body` throws.
  public func perform<R: Sendable, E: Error>(
    _ body: @Sendable (isolated Host) throws(E) -> R
  ) throws(E) -> R {
    try body(self)
  }

  // MARK: Modules

  /// Loads all modules of the directory, if there is one; what is good is in service then.
  ///
  /// - Throws: ``FilesError`` when there is no such directory.
  public func load() throws(FilesError) {
    guard let reloader else { return }
    publish(addingNews(try reloader.loadAll(sessions: sessions)))
    settle()
  }

  /// Watches the directory, if there is one, from now on; a finished save is acted on at once.
  ///
  /// Call it before ``load()``, so that nothing is missed in between.
  ///
  /// - Throws: ``FilesError`` when the system has no thread or descriptor left.
  public func watch(_ mode: DirectoryWatcher.Mode = .automatic) throws(FilesError) {
    guard let reloader, watcher == nil else { return }
    watcher = try DirectoryWatcher(reloader.directory, mode: mode) { [weak self] event in
      guard let self else { return }
      Task { await self.filesChanged(event) }
    }
  }

  /// Loads a module again, or all of them, whether or not their files have changed.
  ///
  /// The events say what came of it; they are returned as well as published.
  @discardableResult
  public func reload(_ name: ModuleName? = nil) -> [HostEvent] {
    guard let reloader else { return [] }
    let events = addingNews(reloader.reload(name, sessions: sessions))
    publish(events)
    settle()
    return events
  }

  /// Puts a module in Swift in service, beside those in Lua and on the same terms.
  ///
  /// - Throws: ``HostError/nameTaken(_:)`` or ``HostError/refusedState(_:_:)``.
  public func add(_ module: sending Module) throws(HostError) {
    guard modules[module.name] == nil else { throw .nameTaken(module.name) }
    let module = try options.held(module)
    let entry = ModuleSet.Entry(module)
    modules.apply([module.name: entry])
    for session in sessions {
      session.start(module)
      ScreenRemaking.remake(in: session, of: [module.name])
    }
    publish(addingNews([.started(ModuleInfo(entry, nil))]))
    settle()
  }

  /// Calls a module again that was suspended for its faults; false if it wasn't.
  ///
  /// Its state is as it was left, and its screens are made again.
  @discardableResult
  public func resume(_ name: ModuleName) -> Bool {
    guard modules.resume(name) else { return false }
    publish([.resumed(name)])
    for session in sessions { ScreenRemaking.remake(in: session, of: [name]) }
    settle()
    return true
  }

  /// The modules by name, those that failed included.
  public func moduleInfos() -> [ModuleInfo] {
    let problems = reloader?.problems ?? [:]
    let running = modules.sorted.map {
      ModuleInfo(
        $0, reloader?.generations[$0.module.name], problems: problems[$0.module.name] ?? [],
        suspension: modules.suspension)
    }
    let failed = problems.filter { modules[$0.key] == nil }
      .map { ModuleInfo(failed: $0.key, problems: $0.value) }
    return (running + failed).sorted { $0.name < $1.name }
  }

  /// What is wrong with files that belong to no module: bad names, and what couldn't be listed.
  public func strayProblems() -> [ModuleProblem] { reloader?.strayProblems ?? [] }

  /// The actions that somebody expects by their type, of one module or of all.
  public func actionInfos(of module: ModuleName? = nil) -> [ActionInfo] {
    modules.registry.actions(of: module)
  }

  /// Registrations that may never be called: the name they go by stands for nothing.
  public func deadNames() -> [DeadName] { DeadNames(modules, reloader).all }

  // MARK: Sessions

  /// Begins a run of the app: every module gets its slice and is started, in the order of names.
  public func openSession() -> SessionID { openSession(restoring: SavedState?.none) }

  /// Begins a run of the app with the state that an earlier one had; nil for a new one.
  ///
  /// Modules take up their slices. One of another version goes through `migrate`; one that can't is
  /// put aside, as are those of absent modules. Screens are made again by their routes. Modules
  /// that have started in the earlier run get `on_restore` in place of `on_start`.
  public func openSession(restoring earlier: SavedState?) -> SessionID {
    sessionCount += 1
    let id = SessionID(number: sessionCount)
    let session = Session(id: id, modules: modules, environment: environment)
    sessions.append(session)
    session.begin(with: earlier)
    for (name, problems) in (reloader?.problems ?? [:]).sorted(by: { $0.key < $1.key }) {
      announceFailure(of: name, problems, to: session)
    }
    settle()
    return id
  }

  /// Ends a run: every module is stopped, in the order of names.
  public func closeSession(_ id: SessionID) {
    guard let session = session(id) else { return }
    sessions.removeAll { $0 === session }
    session.stop(modules.sorted.map(\.module))
  }

  /// Carries out an action and all that follow from it.
  ///
  /// - Throws: ``DispatchError``; nothing has changed then. Failures of actions that follow, and
  ///   of observers, are in the outcome.
  @discardableResult
  public func dispatch(
    _ action: consuming Action, to id: SessionID, cause: Cause = .native
  ) throws(DispatchError) -> Outcome {
    guard let session = session(id) else { throw .noSession }
    defer { restartKilled() }
    return try session.run(action, cause: cause)
  }

  /// The whole state of a session; nil if there is no such session.
  public func state(of id: SessionID) -> Value? { session(id)?.stateValue }

  /// The last actions of a session.
  public func history(of id: SessionID) -> History { session(id)?.entries ?? History(entries: []) }

  /// Evaluates Lua text for a person, as an expression or else as statements.
  ///
  /// `state(path)` and `dispatch(type, payload)` are there; names that are assigned stay.
  ///
  /// - Throws: ``Fault`` with the registration's name `prompt`.
  public func evaluate(
    _ text: String, in id: SessionID
  ) throws(Fault) -> [EvaluatedValue] {
    guard let session = session(id) else { throw Console.noSession }
    defer { restartKilled() }
    return try console.evaluate(text, in: session)
  }

  /// Stops what runs now, and drops the actions that wait; false if nothing ran in Lua.
  ///
  /// Any thread may call it.
  @discardableResult
  public nonisolated func interrupt() -> Bool {
    interruption.raise()
    // Once more when a call is about to be ended: the work that makes it may have begun just now,
    // and have taken the flag for an old one.
    return watchdog?.interrupt { interruption.raise() } ?? false
  }

  /// Ends all sessions and stops watching.
  public func close() {
    watcher?.stop()
    watcher = nil
    for id in sessions.map(\.id) { closeSession(id) }
    hub.finish()
  }
}

extension Host {
  var router: Router { modules.registry.router }
  var routing: RoutingRules { modules.routing }

  func session(_ id: SessionID) -> Session? { sessions.first { $0.id == id } }

  /// Works off what starting and reloading has queued, and starts killed modules again.
  func settle() {
    for session in sessions { session.settle() }
    restartKilled()
  }

  /// Starts modules again whose machine was killed.
  func restartKilled() {
    guard modules.hasKilled else { return }
    publish(reloader?.restartKilled() ?? [])
    modules.killed = []
  }

  /// What a session needs of the host.
  private var environment: SessionEnvironment {
    SessionEnvironment(
      clock: options.clock, budgetClock: watchdog.map(BudgetClock.init) ?? .continuous,
      actionBudget: options.actionBudget, followingBudget: options.followingBudget,
      faultsMax: options.faultsMax(of:), activity: bindings.activity, interruption: interruption,
      report: { [hub] in hub.publish(HostEvent($0)) },
      // A session works only where the host does, which outlives its work.
      restartKilled: { [unowned self] in assumeIsolated { $0.restartKilled() } })
  }

  /// Announces that a module's files don't make a module.
  private func announceFailure(
    of module: ModuleName?, _ problems: [ModuleProblem], to session: Session
  ) {
    session.announce("host/failed", .map(ModuleProblem.payload(module, problems)))
  }

  private func publish(_ events: [HostEvent]) {
    for event in events {
      hub.publish(event)
      guard case .failed(let name, let problems, _) = event else { continue }
      for session in sessions { announceFailure(of: name, problems, to: session) }
    }
  }

  private func addingNews(_ events: [HostEvent]) -> [HostEvent] {
    events.isEmpty ? events : events + standingNews.take(router.conflicts, deadNames())
  }

  private func filesChanged(_ event: DirectoryWatcher.Event) {
    guard let reloader else { return }
    switch event {
    case .notice(let notice):
      watchNotice = notice
      publish([.watching(notice)])
    case .changed(let paths):
      publish(addingNews(reloader.update(paths, attempt: .first, sessions: sessions)))
    case .rescan(let reason):
      publish(addingNews(reloader.rescan(reason, attempt: .first, sessions: sessions)))
    }
    settle()
    retryLater(reloader.takeRetries())
  }

  /// A failure just after a save may be half a save: it is looked at once more before it's shown.
  private func retryLater(_ paths: Set<String>) {
    guard !paths.isEmpty else { return }
    retryCount += 1
    let number = retryCount
    for path in paths { retries[path] = number }
    let delay = options.retryDelay
    Task { [weak self] in
      try? await Task.sleep(for: delay)
      await self?.retry(paths, number)
    }
  }

  private func retry(_ awaited: Set<String>, _ number: Int) {
    // A file that was saved again meanwhile gets its time from then.
    let paths = awaited.filter { retries[$0] == number }
    for path in paths { retries[path] = nil }
    guard let reloader, !paths.isEmpty else { return }
    publish(addingNews(reloader.update(paths, attempt: .second, sessions: sessions)))
    settle()
    retryLater(reloader.takeRetries())
  }
}
