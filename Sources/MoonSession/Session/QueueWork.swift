import MoonActions
import MoonModules
import MoonServiceKit
import MoonTasks
import MoonValues

/// The work on what waits in a session: queued actions, and the turns of tasks between them.
struct QueueWork {
  private let session: Session
  private var following = Following(countMax: Session.followingMax)
  private var turns = TurnBudget()
  private var slice = WorkSlice()
  private var count: Int { following.count }

  init(_ session: Session) { self.session = session }

  /// Carries out all queued actions; returns their number.
  ///
  /// If nobody awaits them, some may be left for the host's next turn.
  consuming func carryOut() -> Int {
    let budget = session.environment.followingBudget
    if budget > 0 { session.current.clock.following = FollowingTime(budget: budget) }
    defer {
      if budget > 0 { session.current.clock.following = FollowingTime() }
      if session.taskState.areReady { session.tasks.postpone() }
    }
    while true {
      // Restarted between two actions, so that the next ones find the module in service.
      if !session.modules.killed.isEmpty { session.environment.restartKilled() }
      let sliceMax = givesWay ? session.environment.sliceMax() : nil
      if let sliceMax, slice.isOver(after: sliceMax, at: now) {
        leaveRest()
        return count
      }
      if session.taskState.areReady, tasksAreNext(isShort: sliceMax != nil) {
        if sliceMax == nil { takeTurn() } else { session.taskState.owedToActions = timed(takeTurn) }
        continue
      }
      if sliceMax != nil, let entry = session.queue.popFirstByTime() {
        let time = timed { carryOut(entry) }
        session.queue.charge(entry.owner, for: time)
        session.taskState.owedToActions -= time
        continue
      }
      guard let entry = session.queue.popFirst() else {
        if session.requests.answerDue() { continue }
        return count
      }
      carryOut(entry)
    }
  }

  /// Whether other work of the host may interrupt this.
  ///
  /// What a person interrupts ends in this turn, in which that is known.
  private var givesWay: Bool {
    session.current.work == .background && !session.environment.interruption.isRaised
  }

  /// Returns the time that something takes, in nanoseconds.
  private func timed(_ body: () -> Void) -> Int64 {
    let begin = session.current.nanoseconds(on: session.environment.budgetClock)
    body()
    return session.current.nanoseconds(on: session.environment.budgetClock) - begin
  }

  private var now: Duration { session.current.time(on: session.environment.budgetClock) }

  /// Leaves the queued actions for the host's next turn.
  private func leaveRest() {
    _ = session.requests.answerDue()
    guard !session.queue.isEmpty else { return }
    session.leaveWork()
  }

  /// Returns whether a ready task has its turn before the next action.
  ///
  /// In a short time, actions have as much of it as turns, or neither might leave the other any.
  private mutating func tasksAreNext(isShort: Bool) -> Bool {
    if isShort, session.taskState.owedToActions > 0, !session.queue.isEmpty { return false }
    return turns.next { [session] in session.current.time(on: session.environment.budgetClock) }
  }

  private func takeTurn() {
    if session.current.clock.following.isRunning {
      session.current.clock.following.end(
        at: session.current.nanoseconds(on: session.environment.budgetClock))
    }
    session.tasks.takeTurn()
  }

  private mutating func carryOut(_ entry: SessionQueue.Entry) {
    let queued = entry.action
    let before = queued.receipt.map { _ in session.stateValue } ?? .null
    if let receipt = queued.receipt {
      let ids = Set([queued.action.meta.id] + queued.others.map(\.meta.id))
      session.tasks.awaitedEffects.watch(receipt, for: ids, since: before)
    }
    do throws(DispatchError) {
      try check(entry)
      session.current.effectDepth = queued.effectDepth
      try session.pipeline.process(queued, of: entry.owner, bytes: entry.bytes)
      if let owner = entry.owner { session.modules.suspension.recordSuccess(ofActionBy: owner) }
      session.requests.settle(queued.receipt, for: queued.action, since: before)
    } catch {
      defer { session.durable?.noteDrops() }
      if let receipt = queued.receipt {
        session.tasks.awaitedEffects.drop(receipt)
        receipt.fail(error)
      } else {
        session.fail(queued.action, error, by: queued.dispatcher)
      }
    }
    session.durable?.noteTaken(queued.action.id)
  }

  /// Removes the queued actions of an owner that has exceeded a limit on following actions.
  private mutating func check(_ entry: SessionQueue.Entry) throws(DispatchError) {
    let owner = entry.owner
    let isExceeded = following.isExceeded(
      byNextOf: owner, count: entry.action.others.count + 1)
    let budget = session.environment.followingBudget
    if budget > 0 {
      session.current.clock.following.begin(
        of: owner, at: session.current.nanoseconds(on: session.environment.budgetClock))
    }
    if session.environment.interruption.isRaised {
      session.queue.removeAll()
      throw .interrupted
    }
    if isExceeded {
      let dropped = session.queue.removeAll(of: owner)
      throw .tooManyFollowing(max: Session.followingMax, dropped: dropped)
    }
    if budget > 0, session.current.clock.following.isSpent(by: owner) {
      let dropped = session.queue.removeAll(of: owner)
      throw .followingTooLong(max: .nanoseconds(budget), dropped: dropped)
    }
  }
}
