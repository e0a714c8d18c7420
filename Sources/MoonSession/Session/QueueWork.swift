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
      let isShared = givesWay
      if isShared, let sliceMax = session.environment.sliceMax(),
        slice.isOver(after: sliceMax, at: .nanoseconds(now))
      {
        leaveRest()
        return count
      }
      let next = isShared && used.hasHeavy ? session.queue.next(by: used) : nil
      if session.taskState.areReady, tasksAreNext(before: next) {
        takeTurn(isShared)
      } else if let owner = next, let entry = session.queue.popFirst(of: owner) {
        timed(for: owner) { $0.carryOut(entry) }
      } else if let entry = session.queue.popFirst() {
        if isShared { timed(for: entry.owner) { $0.carryOut(entry) } } else { carryOut(entry) }
      } else if !session.requests.answerDue() {
        return count
      }
      if session.queue.isEmpty, !session.taskState.areReady, session.queues.behind == nil {
        used.startOver()
      }
    }
  }

  /// Whether other work of the host may interrupt this.
  ///
  /// What a person interrupts ends in this turn, in which that is known.
  private var givesWay: Bool {
    session.current.work == .background && !session.environment.interruption.isRaised
  }

  private var used: TimeAccount<ModuleName?> {
    get { session.taskState.used }
    nonmutating _modify { yield &session.taskState.used }
  }

  /// The time on the clock of budgets, in nanoseconds.
  private var now: Int64 { session.current.nanoseconds(on: session.environment.budgetClock) }

  /// Charges the time that something takes to an owner.
  private mutating func timed(for owner: ModuleName?, _ body: (inout Self) -> Void) {
    let begin = now
    body(&self)
    used.charge(owner, for: now - begin)
  }

  /// Leaves the queued actions for the host's next turn.
  private func leaveRest() {
    _ = session.requests.answerDue()
    guard !session.queue.isEmpty else { return }
    session.leaveWork()
  }

  /// Returns whether a ready task has its turn before the next action, which is this owner's.
  private mutating func tasksAreNext(before owner: ModuleName??) -> Bool {
    if let owner, let task = session.tasks.ready.next(by: used),
      !used.isNext(turnOf: task, before: owner)
    {
      return false
    }
    return turns.next { [session] in session.current.time(on: session.environment.budgetClock) }
  }

  /// Gives the next ready task its turn, and charges the time to its module if others want it, too.
  private func takeTurn(_ isShared: Bool) {
    let begin = isShared || session.tasks.ready.hasRivals ? now : nil
    if session.current.clock.following.isRunning {
      session.current.clock.following.end(at: begin ?? now)
    }
    let owner = session.tasks.takeTurn(by: used)
    if let begin { used.charge(owner, for: now - begin) }
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
