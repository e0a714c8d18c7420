import Logging
import MoonActions
import MoonLua
import MoonModules
import MoonScripts
import MoonServiceKit
import MoonSession
import MoonTasks
import MoonValues

/// The sessions of a host: what follows from calls, and the events that tell of it.
///
/// Confined to the host.
final class HostSessions {
  private(set) var open = OpenSessions()
  /// Whether the host is closed.
  private(set) var isClosed = false
  /// The sessions whose screens are watched.
  let watch = ScreenWatch()
  let modules: ModuleSet
  let timer: HostTimer
  private let reloader: Reloader?
  private let readers: Readers<HostEvent>
  private var failureLimit = FailureLimit()
  /// What measures the memory of modules; nil if nothing does.
  private let meter: MemoryMeter?
  /// Makes the services that the sessions share.
  private let makeEnvironment: (HostSessions) -> SessionEnvironment
  private lazy var environment = makeEnvironment(self)
  /// Has the host call ``announceScreens()`` soon.
  private var announceSoon: () -> Void = {}
  /// Access to the sessions from any thread.
  private var access = SessionAccess { _, body in body(nil) }
  /// Returns what waits for the host's thread.
  private var demand: () -> LuaThread.Demand = { .nothing }

  init(
    _ modules: HostModules, _ timer: HostTimer, _ readers: Readers<HostEvent>,
    telemetry: (any Telemetry)?, environment: @escaping (HostSessions) -> SessionEnvironment
  ) {
    meter = MemoryMeter(telemetry, timer.clock)
    self.modules = modules.inService
    reloader = modules.reloader
    self.timer = timer
    self.readers = readers
    makeEnvironment = environment
  }

  /// Lets timers and other threads have the host work for the sessions.
  func attach(to host: Host) {
    timer.attach(to: host)
    demand = { [executor = host.executor] in executor.demand }
    announceSoon = { [weak host] in Task { await host?.announceScreens() } }
    // A task for each would change threads three times.
    access = SessionAccess { [weak host, executor = host.executor] id, body in
      executor.run { [weak host] in
        guard let host else { return body(nil) }
        host.assumeIsolated { $0.sessions.enter(id, body) }
      }
    }
  }

  var all: [Session] { open.all }

  /// Opens a session that `begin` gives its slices.
  func open(_ begin: (Session) -> Void) -> SessionID {
    let session = open.open(modules, environment)
    begin(session)
    for (name, problems) in (reloader?.problems ?? [:]).sorted(by: { $0.key < $1.key }) {
      ModuleProblem.announce(problems, of: name, to: session)
    }
    settle()
    return session.id
  }

  /// Closes all sessions, and opens no more that programs hold.
  func closeAll() {
    isClosed = true
    for id in all.map(\.id) { _ = close(id) }
  }

  /// Closes a session after every module was stopped, in the order of names; returns the state
  /// after that.
  func close(_ id: SessionID) -> SavedState? {
    guard let session = open.remove(id) else { return nil }
    watch.remove(id)
    SessionTimeline(of: session).returnToPresent()
    session.begunTasks?.end(of: [.prompt])
    session.stop(modules.sorted)
    session.readers.finish()
    session.history.finish()
    return SavedState(of: session)
  }

  // MARK: Calls

  /// Begins a command, whose answer comes later.
  func call(
    _ command: Text, _ payload: Value, in id: SessionID, within time: Duration?,
    then answer: @escaping (Result<Value, CommandError>) -> Void
  ) {
    guard let session = open[id] else { return answer(.failure(.noSession)) }
    let timeline = session.timeTravel.timeline
    guard !timeline.isStill else { return answer(.failure(.notBegun("\(timeline.refusal)"))) }
    first(in: session) {
      do throws(CommandError) {
        try CommandCalls(session).begin(command, payload, by: nil, within: time, then: answer)
      } catch {
        answer(.failure(error))
      }
    }
    settle()
    timer.endTurn()
  }

  /// Begins a wait of typed text, whose answer comes later; nil if it was cancelled.
  ///
  /// What the text has changed so far is told as the changes of tasks are.
  func wait(
    for wait: Wait, in session: Session, since before: Map, within time: Duration?,
    then answer: @escaping (WaitAnswer?) -> Void
  ) {
    let outcome = Outcome(id: 0, before: before, after: session.state)
    if outcome.hasChangedState {
      session.tasks.note(outcome)
      publish([.tasksChangedState(session.id, outcome)])
    }
    EvaluationWait.begin(wait, in: session, within: time, then: answer)
    settle()
    timer.endTurn()
  }

  /// Changes the timeline of a session.
  ///
  /// - Throws: ``TimelineError``
  func change(
    timelineOf id: SessionID, _ body: (SessionTimeline) throws(TimelineError) -> Outcome
  ) throws(TimelineError) -> Outcome {
    guard let session = open[id] else { throw .noSession }
    defer {
      finishCalls()
      timer.endTurn()
    }
    return try body(SessionTimeline(of: session))
  }

  // MARK: What follows from calls

  /// Carries out the actions queued by starting and reloading, and restarts killed modules.
  ///
  /// Changes that no caller sees are announced as changes by tasks.
  func settle(tellingChanges tells: Bool = false) {
    restartKilled()  // First, since it may queue actions in all sessions.
    for id in open.unsettled.take() { open[id].map { work(off: $0, tells, isAwaited: true) } }
    finishCalls()
  }

  /// Does something in a session before all that waits there, and carries out what follows from
  /// it; returns the outcome.
  @discardableResult
  private func first(in session: Session, _ body: () -> Void) -> Outcome {
    defer { open.unsettled.remove(session.id) }
    return session.first(body)
  }

  /// Cancels a task; returns false if there is no such task.
  func cancel(_ task: TaskID, in session: Session) -> Bool {
    var isCancelled = false
    tell(of: first(in: session) { isCancelled = session.tasks.cancel(task) }, in: session)
    settle(tellingChanges: true)
    timer.endTurn()
    return isCancelled
  }

  /// Performs the pending work after calls of modules.
  func finishCalls() {
    if watch.becomesDue() { announceSoon() }
    if modules.hasKilled { restartKilled() }
    if let meter { meter.measure(reloader?.generations ?? [:]) }
  }

  /// Announces the changes of watched screens, once for all calls since the last announcement.
  func announceScreens() {
    for (id, shown) in watch.look(at: all) { readers.tell(.screenChanged(id, shown)) }
    restartKilled()
  }

  /// Restarts modules whose machine was killed.
  func restartKilled() {
    guard modules.hasKilled else { return }
    for session in all { session.tasks.end(of: modules.killed, isKilled: true) }
    publish(reloader?.restartKilled() ?? [])
    modules.killed = []
  }

  /// Carries out what waits in a session, and tells what it has changed if `tells` says so.
  ///
  /// `isAwaited` says whether a caller waits for that. Once actions were left for another turn, it
  /// waits for some only, so that a flood of actions delays no caller.
  private func work(off session: Session, _ tells: Bool = true, isAwaited: Bool = false) {
    let outcome = session.settle(isWhole: isAwaited && !session.taskState.isBehind)
    if tells { tell(of: outcome, in: session) }
  }

  /// Tells of what no caller sees.
  private func tell(of outcome: Outcome, in session: Session) {
    session.tasks.note(outcome)
    if outcome.hasChangedState { publish([.tasksChangedState(session.id, outcome)]) }
  }

  /// Resumes the tasks whose deadlines have passed.
  func wake(isAwaited: Bool = false) {
    for session in timer.beginTurn().compactMap({ open[$0] }) {
      work(off: session, isAwaited: isAwaited)
    }
    finishCalls()
    timer.endTurn()
  }

  /// Calls a function with a session, and carries out what follows.
  ///
  /// If other functions wait, that is left for a turn after them, in which those that have used
  /// least are first. But actions that the function itself has queued are carried out at once,
  /// unless others were left: the code that has dispatched them expects to see what they change.
  func enter(_ id: SessionID, _ body: @Sendable ((any EffectSession)?) -> Void) {
    let session = open[id]
    let before = session?.queuedCount ?? 0
    body(session)
    if let session {
      let hasQueued = session.queuedCount > before && !session.taskState.isBehind
      if hasQueued || demand() == .nothing { work(off: session) } else { session.leaveWork() }
    }
    finishCalls()
    timer.endTurn()
  }

  /// Carries out an action, and resumes when its effects have ended, too.
  func run(
    _ action: Action, in id: SessionID, _ cause: Cause,
    _ continuation: CheckedContinuation<Result<Outcome, DispatchError>, Never>
  ) {
    guard let session = open[id] else {
      return continuation.resume(returning: .failure(.noSession))
    }
    defer { finishCalls() }
    AwaitedDispatch(in: session).run(action, cause: cause) { continuation.resume(returning: $0) }
  }

  // MARK: Events

  /// Returns the events of a session from now on, which end with it.
  func events(of id: SessionID) -> AsyncStream<HostEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(HostEvent.countMax)) { stream in
      guard let session = open[id],
        let end = session.readers.add(tell: { _ in }, finish: { stream.finish() }),
        let reader = readers.add(
          tell: { if $0.session == id { stream.yield($0) } }, finish: { stream.finish() })
      else { return stream.finish() }
      stream.onTermination = { [weak readers, weak states = session.readers] _ in
        readers?.remove(reader)
        states?.remove(end)
      }
    }
  }

  /// Publishes an event of a session, and ends the tasks of a suspended module.
  func note(_ event: SessionEvent) {
    if case .suspended(let name, _, _) = event {
      for session in all { session.tasks.cancelAll(of: name) }
    }
    for event in failureLimit.told(event) { readers.tell(event) }
  }

  /// Publishes events, and tells the sessions about modules' files that failed to load.
  func publish(_ events: [HostEvent]) {
    for event in events {
      readers.tell(event)
      guard case .failed(let name, let problems, _) = event else { continue }
      for session in all { ModuleProblem.announce(problems, of: name, to: session) }
    }
  }
}

extension HostSessions {
  /// Makes the services of sessions.
  static func environment(
    _ options: HostOptions, _ watchdog: Watchdog?, _ bindings: Bindings,
    _ interruption: Interruption
  ) -> (HostSessions) -> SessionEnvironment {
    { sessions in
      bindings.activity.watch = CallWatch(every: options.trial.longCallTime) {
        [readers = sessions.readers, logger = options.logger] call in
        logger.warning("\(call)")
        readers.tell(.longCall(call))
      }
      return SessionEnvironment(
        clock: options.clock, budgetClock: watchdog.map(BudgetClock.init) ?? .continuous,
        actionBudget: options.actionBudget, followingBudget: options.followingBudget,
        faultsMax: options.faultsMax(of:), taskLimits: options.taskLimits(of:),
        memory: { [services = bindings.services] in services.memory(of: $0) },
        timelineLimits: options.timeline, deadlines: sessions.timer.deadlines,
        unsettled: sessions.open.unsettled, access: sessions.access,
        activity: bindings.activity,
        interruption: interruption, report: { [unowned sessions] in sessions.note($0) },
        restartKilled: { [unowned sessions] in sessions.restartKilled() },
        sliceMax: { [unowned sessions] in
          switch sessions.demand() {
          case .nothing: nil
          case .functions: TurnBudget.timeMax
          case .jobs: WorkSlice.timeMax
          }
        })
    }
  }
}
