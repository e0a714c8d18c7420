package import MoonActions
package import MoonModules
package import MoonServiceKit
package import MoonTasks
import MoonValues

/// The scheduler of a session's tasks: the running tasks, their waits, and the queue of ready
/// tasks.
///
/// Tasks take turns between actions: a ready task resumes before the next action is carried out.
/// Confined to the host.
package final class TaskScheduler: TaskOwner {
  /// The session of the tasks; nil if it is closed.
  unowned private(set) var session: Session?
  var living: [TaskID: EffectTask] = [:]
  var tallies = TaskTallies()
  var lanes = Lanes(front: ReadyTasks())
  private var listening = Listening()
  /// The waits of tasks for each other's ends.
  var awaited = AwaitedTasks()
  var endings = TaskEndings()
  /// The waits of tasks for the effects of their actions.
  var awaitedEffects = AwaitedEffects()
  /// The starts of effects that have a policy or a pace, by the identity of the effect.
  var starts: [ObjectIdentifier: EffectStarts] = [:]
  /// The schedules of modules in service, each with its task.
  var schedules: [ModuleName: [ScheduledTask]] = [:]
  private var background = BackgroundResults()
  /// The calls of observers that aren't due yet, by the identity of the observer's pace.
  var pendingCalls: [ObjectIdentifier: any PendingCall] = [:]
  /// The task whose code is running.
  package internal(set) var current: EffectTask?
  /// The number of answers that arrived after their wait had ended.
  package private(set) var lateCount = 0

  init(of session: Session) { self.session = session }

  /// Notes that the session is closed.
  func leave() { session = nil }

  /// Returns the module of a task; nil if the task has ended.
  package func owner(of id: TaskID) -> ModuleName? {
    living[id]?.effect.owner ?? (current?.id == id ? current?.effect.owner : nil)
  }

  subscript(id: TaskID) -> EffectTask? { living[id] }

  package var sessionID: SessionID? { session?.id }
  var deadlines: DeadlineQueue? { session?.environment.deadlines }

  /// Adds an outcome that no dispatch returned to the background work.
  package func note(_ outcome: Outcome) { background.add(outcome) }

  /// Returns the background work since the last call, with the running tasks.
  package func takeWork() -> BackgroundResults {
    defer { background = BackgroundResults() }
    background.running = infos()
    return background
  }

  // MARK: Beginning

  /// Starts an effect as its policy and its pace say.
  func start(_ effect: Bound<Effect>, on action: Action) {
    guard let session else { return }
    do throws(TaskError) {
      guard effect.part.isRuled else {
        // Such a task has begun with the commit.
        if effect.part.durability != nil, durable != nil { return }
        return go(try makeTask(effect, on: action), on: .begin)
      }
      try starter.start(effect, on: action)
    } catch {
      session.caller.note(
        session.caller.fault(CodeFailure(.raised(error.text)), effect, action))
    }
  }

  /// Makes a task on behalf of the current one, to begin at its first turn.
  ///
  /// - Throws: ``TaskError`` if the task can't be made.
  package func spawn(_ run: any EffectRun) throws(TaskError) -> TaskID {
    guard let parent = current else { throw TaskError("only an effect can spawn a task") }
    return try spawn(run, by: parent)
  }

  /// Makes a task on behalf of another one, to begin at its first turn.
  @discardableResult
  func spawn(_ run: any EffectRun, by parent: EffectTask) throws(TaskError) -> TaskID {
    try begin(run, as: parent.effect, on: parent.action, by: parent)
  }

  /// Makes a task, to begin at its first turn, which is cancelled with its parent.
  ///
  /// - Throws: ``TaskError`` if the task can't be made.
  @discardableResult
  package func begin(
    _ run: any EffectRun, as effect: BoundRegistration, on action: Action, by parent: EffectTask?,
    for asker: EffectTask.Asker? = nil
  ) throws(TaskError) -> TaskID {
    let effect = effect as? Bound<Effect> ?? effect.effect
    let chain = try parent?.chain.ofSpawned()
    let task = try makeTask(effect, on: action, parent: parent, run: run, for: asker)
    if let chain { task.chain = chain }
    if let parent { task.join(parent) }
    add(task)
    makeReady(task, .begin)
    return task.id
  }

  /// Makes a task that isn't running yet.
  ///
  /// - Throws: ``TaskError`` if the module has as many tasks as it may.
  func makeTask(
    _ effect: Bound<Effect>, on action: Action, parent: EffectTask? = nil,
    run: (any EffectRun)? = nil, for asker: EffectTask.Asker? = nil
  ) throws(TaskError) -> EffectTask {
    guard let session else { throw TaskError("the session is closed") }
    let tally = try tallies.withRoom(of: effect.owner, for: action, session.environment.taskLimits)
    var origin = EffectTask.Origin(
      generation: session.modules[effect.owner]?.generation ?? 0, parent: parent?.id,
      action: action, tally: tally, since: session.environment.clock.now(), asker: asker,
      held: try session.taskState.held.hold(
        action, of: parent, in: session.environment.memory(session.current.owner ?? effect.owner)))
    (origin.givers, origin.spans) = (session.current.hands(in: action), session.spans.ofTask)
    let task = EffectTask(
      id: tallies.nextID(), effect: effect, origin: origin, run: run, in: self)
    task.chain = .effect(after: session.current.effectDepth)
    return task
  }

  /// Adds a task to the running ones; does nothing if it is one already.
  func add(_ task: EffectTask) {
    guard living.updateValue(task, forKey: task.id) == nil else { return }
    tallies.noteBeginning(&task.origin)
    let life = task.lifeMax
    if life > .zero, !task.isTimer, !task.effect.part.isKept {
      deadlines?.set(for: task, after: life, endsLife: true)
    }
  }

  // MARK: Turns

  /// Resumes the next ready task; returns its module.
  @discardableResult
  func takeTurn(by account: TimeAccount<ModuleName?>) -> ModuleName? {
    guard let next = ready.popFirst(by: account) else { return nil }
    let task = next.task
    noteListening()
    switch task.standing {
    case .ended: break
    case .cancelled: close(task)
    case .alive:
      guard let answer = task.answer.take() else { break }
      awaited.endHearing(by: task.id)
      session?.current.begin(task)
      go(task, on: answer)
    }
    return task.effect.owner
  }

  /// Lets the ready tasks resume in a later turn of the host.
  package func postpone() { deadlines?.requestTurn(self) }

  /// Runs the code of a task until its next wait or its end.
  func go(_ task: EffectTask, on answer: WaitAnswer) {
    guard let session else { return }
    if let recording = session.recorders.journal, !task.isReplaying,
      !recording.admits(task, on: answer)
    {
      return
    }
    if let ending = task.origin.asker?.ending { return end(task, ending) }
    current = task
    let step: EffectStep
    do throws(Fault) {
      step =
        task.durable == nil
        ? try task.takeTurn(on: answer, in: session)
        : try DurableTurns(self).take(task, on: answer, in: session)
      current = nil
    } catch {
      current = nil
      return end(task, .failed(error.after(task.lastWait, endings)))
    }
    switch step {
    // A durable task that was stopped meanwhile.
    case _ where task.standing == .ended: break
    case .finished(let values): end(task, .finished(values))
    case .waits where task.standing == .cancelled: close(task)
    case .waits(let wait): hold(task, until: wait)
    }
  }

  /// Lets a task resume, or begin, at its next turn; `held` holds the memory of the answer.
  func makeReady(
    _ task: EffectTask, _ answer: WaitAnswer, holding held: HeldMemory.Share? = nil
  ) {
    if task.isReplaying { return }
    task.answer = answer
    ready.append(ReadyTask(task: task, held: held), of: task.effect.owner)
    noteReady()
  }

  /// The tasks that are ready, apart from those that give way.
  var ready: ReadyTasks {
    get { lanes.front }
    _modify { yield &lanes.front }
  }

  func noteReady() {
    guard let session, !session.taskState.areReady else { return }
    session.taskState.areReady = true
    if session.intake.askToSettle() { postpone() }
  }

  private func noteListening() {
    session?.taskState.areReady = !ready.isEmpty
    session?.taskState.areWaiting = !listening.isEmpty
  }

  /// Adds a task to the running ones, and starts a wait of it.
  func hold(_ task: EffectTask, until wait: Wait) {
    add(task)
    task.wait = wait
    task.waitNumber += 1
    task.chain.beginAwaiting()
    if task.durable != nil, DurableTurns(self).hold(task, until: wait) { return }
    arm(task, wait)
  }

  /// Starts what ends a wait.
  func arm(_ task: EffectTask, _ wait: Wait) {
    switch wait {
    case .sleep(let time), .start(let time), .timer(let time, _):
      deadlines?.set(for: task, after: time)
    case .action, .change:
      listening.add(task.id, for: wait)
      session?.taskState.areWaiting = true
    case .tasks(let ids, _, let limit):
      task.awaitedCount = awaited.add(task.id, for: Set(ids).filter { living[$0] != nil })
      if let limit { deadlines?.set(for: task, after: limit) }
    case .operation(let operation): task.start(operation, in: session)
    case .request(let request):
      session?.requests.begin(request, for: task)
    case .code, .turn, .cancellation: break
    }
  }

  /// Ends the current wait of a task and removes all records of it.
  func release(_ task: EffectTask) {
    guard let wait = task.wait.take() else { return }
    task.lastWait = wait
    switch wait {
    case .sleep, .start, .timer: deadlines?.forget()
    case .action, .change:
      listening.remove(task.id, for: wait)
      noteListening()
    case .tasks(let ids, _, let limit):
      awaited.remove(task.id, for: ids)
      if limit != nil { deadlines?.forget() }
    case .operation(let operation):
      task.lastWait = .operation(operation.ended)
      task.operation?.cancel()
      task.operation = nil
    case .request(let request): task.lastWait = .request(request.ended)
    case .code, .turn, .cancellation: break
    }
  }

  /// Resumes a task with an answer at its next turn, unless the task has left that wait.
  package func answer(_ id: TaskID, _ waitNumber: Int, _ answer: WaitAnswer) {
    guard let task = living[id], task.wait != nil, task.waitNumber == waitNumber else {
      lateCount += 1
      return
    }
    self.answer(task, answer)
  }

  /// Resumes a task with an answer at its next turn; until then, it hears the errors of others.
  ///
  /// `action` is the one that it answers with, if it is one.
  func answer(
    _ task: EffectTask, _ answer: WaitAnswer, hearing others: [TaskID] = [],
    with action: Action? = nil
  ) {
    if let member = task.durable, !DurableTurns(self).noteAnswer(answer, to: member) { return }
    if !others.isEmpty { awaited.hear(others.filter { living[$0] != nil }, by: task.id) }
    task.chain.note(endOf: task.wait, after: session?.current.effectDepth ?? 0)
    release(task)
    guard let session else { return }
    let held = session.taskState.held.hold(
      answer, with: action,
      in: session.environment.memory(session.current.owner ?? task.effect.owner))
    makeReady(task, held.answer, holding: held.share)
  }

  /// Resumes a task at the deadline of its wait.
  package func deadlineReached(for task: EffectTask) {
    switch task.wait {
    case .tasks: answer(task, .values([.int(0), "timeout"]))
    case .start: starter.startDelayed(task)
    default: answer(task, .values([]))
    }
  }

  /// Ends a task at the end of its maximum life.
  package func lifetimeExpired(of task: EffectTask) {
    guard let session else { return }
    let life = task.lifeMax
    task.origin.asker?.hasExpired = true
    let failure = CodeFailure(.lifetimeExceeded(milliseconds: life.wholeMilliseconds))
    if task.effect.owner != .prompt {
      let fault = session.caller.fault(failure, task.effect, task.action)
      session.caller.note(fault.after(task.wait ?? task.lastWait, endings))
    }
    cancel(task.id)
  }

  /// Resumes the tasks that wait for one of these actions, or for a change between two states.
  func tell(of actions: [Action], _ before: Map, _ after: Map) {
    for action in actions {
      for id in listening.tasks(for: action.type) {
        guard let task = living[id] else { continue }
        session?.caller.noteHeard(action, by: task)
        answer(task, .values([action.value]), with: action)
      }
    }
    guard !before.isIdentical(to: after) else { return }
    for id in listening.tasks(forChangesOf: before, to: after) {
      if let task = living[id] { answer(task, .values([])) }
    }
  }
}

// MARK: - Endings

extension TaskScheduler {
  func end(_ task: EffectTask, _ ending: EffectTask.Ending) {
    guard task.standing != .ended, !DurableTurns(self).holdEnding(of: task, ending) else { return }
    release(task)
    task.noteEnd(ending)
    awaited.endHearing(by: task.id)
    // Nobody can await a task that hasn't begun, such as each start that a debounce replaces.
    if task.run != nil || task.origin.asker?.ending != nil { endings.note(ending, of: task.id) }
    task.run = nil
    if living.removeValue(forKey: task.id) != nil {
      tallies.noteEnd(task.origin)
    }
    if !awaitedEffects.isEmpty { awaitedEffects.note(ending, of: task) }
    if let parent = task.origin.parent.flatMap({ living[$0] }) { leave(parent, task) }
    if let member = task.durable { durable?.noteEnd(of: member, ending) }
    if task.effect.part.isRuled { starter.leave(task) }
    let hasListeners = resumeAwaiters(of: task) || task.isHeard(in: self)
    task.origin.asker?.completion(ending)
    defer { task.forgetPayload() }
    switch ending {
    case .finished: break
    case .cancelled: cancelChildren(of: task)
    case .failed(let fault):
      if !hasListeners, !task.isReplaying { session?.caller.note(fault) }
      cancelChildren(of: task)
    }
  }

  private func leave(_ parent: EffectTask, _ task: EffectTask) {
    parent.children.remove(task.id)
    // A Swift function waits through such tasks, and isn't told of their ends.
    if case .code = parent.wait { parent.chain.goOn(from: task.chain) }
  }
}
