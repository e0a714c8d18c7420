package import MoonStore
import MoonValues

/// The loop of a session: an action is taken in, led through all stages, and what follows from it
/// is worked off.
extension Session {
  /// How many actions one dispatch may lead to, directly and through others.
  package static let followingMax = 10_000

  /// Carries out an action and all that follow from it.
  ///
  /// - Throws: ``DispatchError`` of this action; failures of those that follow are in the outcome.
  package func run(_ action: consuming Action, cause: Cause) throws(DispatchError) -> Outcome {
    guard !work.isRunning else {
      try intake.add(action, cause: cause)
      return Outcome(id: 0, before: stateValue, after: stateValue)
    }
    let before = stateValue
    beginWork()
    defer { endWork() }
    let stamped = stamped(action, cause: cause)
    do throws(DispatchError) {
      try process(stamped, isMapped: false, after: nil, of: nil, bytes: 0)
    } catch {
      _ = drain(id: stamped.meta.id, since: before)
      throw error
    }
    return drain(id: stamped.meta.id, since: before)
  }

  /// Works off the queue.
  @discardableResult
  package func settle() -> Outcome {
    let before = stateValue
    guard !work.isRunning else { return Outcome(id: 0, before: before, after: before) }
    beginWork()
    defer { endWork() }
    return drain(id: 0, since: before)
  }

  private func beginWork() {
    work.begin()
    environment.interruption.clear()
  }

  private func endWork() { work.end() }

  /// Works off what has followed; what has come of it all since the state was `before`.
  private func drain(id: Int64, since before: Value) -> Outcome {
    let isIdle = queue.isEmpty && !modules.hasKilled && !hasReadyTasks
    let followingCount = isIdle ? 0 : workOff()
    var outcome = Outcome(
      id: id, before: before, after: stateValue, followingCount: followingCount)
    if work.hasNotes { work.report(into: &outcome, tree: navigation.tree(in: state)) }
    return outcome
  }

  /// How many actions have followed.
  private func workOff() -> Int {
    var following = Following(countMax: Self.followingMax, budget: environment.followingBudget)
    var turns = TaskTurns()
    defer { if hasReadyTasks { tasks.postpone() } }
    while true {
      // Between two actions, so that those that wait find the module in service again.
      if !modules.killed.isEmpty { environment.restartKilled() }
      if hasReadyTasks, turns.next({ work.time(on: environment.budgetClock) }) {
        tasks.takeTurn()
        continue
      }
      guard let entry = queue.popFirst() else { return following.count }
      do throws(DispatchError) {
        try check(entry, &following)
        let queued = entry.action
        try process(
          queued.action, isMapped: queued.isMapped, after: queued.link, of: entry.owner,
          bytes: entry.bytes)
      } catch {
        fail(entry.action.action, error)
      }
    }
  }

  /// Drops what still waits of an owner that has let too much follow.
  private func check(
    _ entry: SessionQueue.Entry, _ following: inout Following
  ) throws(DispatchError) {
    let excess = following.next(of: entry.owner) { work.time(on: environment.budgetClock) }
    if environment.interruption.isRaised {
      queue.removeAll()
      throw .interrupted
    }
    guard let excess else { return }
    let dropped = queue.removeAll(of: entry.owner)
    switch excess {
    case .count: throw .tooManyFollowing(max: Self.followingMax, dropped: dropped)
    case .time: throw .followingTooLong(max: environment.followingBudget, dropped: dropped)
    }
  }
}

/// One action's way.
extension Session {
  /// Takes an action through all stages, as one or not at all.
  ///
  /// `isMapped` says that module mappers have made it, `link` what navigation it followed from,
  /// `owner` on which module's account it is, `bytes` how many the history counts for it.
  private func process(
    _ action: Action, isMapped: Bool, after link: NavigationChain.Link?, of owner: ModuleName?,
    bytes: Int
  ) throws(DispatchError) {
    work.begin(action, of: owner, after: link)
    do throws(DispatchError) {
      let listeners = try listeners(to: action)
      var transaction = Transaction(action, listeners, bytes: bytes, state: slices.state)
      try carryOut(action, listeners, isMapped: isMapped, &transaction)
      try CommitStage(session: self).commit(&transaction)
    } catch {
      history.append(action, bytes: bytes, failedWith: error)
      throw error
    }
  }

  /// Stages 1 to 3: middleware, module mappers, reducers.
  ///
  /// `isMapped` says that module mappers have made the action, which aren't asked again.
  func carryOut(
    _ action: Action, _ listeners: Listeners, isMapped: Bool, _ transaction: inout Transaction
  ) throws(DispatchError) {
    guard listeners.mayChange else {
      return try ReducerStage(session: self).reduce(action, listeners, &transaction)
    }
    for passed in try MiddlewareStage(session: self).pass(action, listeners, transaction.state) {
      let mapped =
        isMapped
        ? [passed] : try ModuleMapperStage(session: self).map(passed, &transaction)
      for one in mapped {
        let listeners = try self.listeners(to: one)
        try listeners.checkMaker(of: one, inPlaceOf: action)
        try ReducerStage(session: self).reduce(one, listeners, &transaction)
      }
    }
  }
}
