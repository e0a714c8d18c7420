package import MoonNavigation
package import MoonStore
package import MoonValues

/// One run of the app: its state, the actions that wait, and what became of earlier ones.
///
/// Confined to the host. Sessions share the modules and nothing else. What happens to an action is
/// here and, stage by stage, in the files under `Stages`.
package final class Session {
  /// How many actions one dispatch may lead to, directly and through others.
  package static let followingMax = 10_000

  package let id: SessionID
  package let modules: ModuleSet
  let environment: SessionEnvironment

  // Confined to the host and never lent while other code of the session runs, so that a check at
  // each access would find nothing. Without the checks a dispatch takes 1,170 instructions less.
  @exclusivity(unchecked) package var slices = Slices()
  @exclusivity(unchecked) var navigation = NavigationState()
  @exclusivity(unchecked) var forms = ScreenForms()
  @exclusivity(unchecked) var history = HistoryRing()
  @exclusivity(unchecked) var work = Work()
  @exclusivity(unchecked) var queue = SessionQueue()
  @exclusivity(unchecked) private var lastID: Int64 = 0

  package init(id: SessionID, modules: ModuleSet, environment: SessionEnvironment) {
    self.id = id
    self.modules = modules
    self.environment = environment
  }

  package var state: Map { slices.state }
  package var stateValue: Value { .map(slices.state) }
  package var entries: History { history.snapshot }
  var caller: ModuleCaller { ModuleCaller(session: self) }
  var intake: Intake { Intake(session: self) }
  /// Where the session is; the first tree of all if the slice holds none.
  package var navigationTree: NavigationTree { navigation.treeOrFirst(in: slices.state) }

  /// The tree that the state holds.
  ///
  /// - Throws: ``DispatchError/navigation(_:)`` if the slice holds something else.
  func readNavigation() throws(DispatchError) -> NavigationTree {
    try navigation.read(slices.state)
  }

  // MARK: Taking in

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

  /// Queues an action of the host's, if anybody listens to it.
  package func announce(_ type: Text, _ payload: Value) {
    guard modules.listeners(to: type).isHeard else { return }
    intake.addNoting(Action(type, payload), cause: .host)
  }

  /// The action with what the host notes about it.
  func stamped(_ action: consuming Action, cause: Cause) -> Action {
    lastID += 1
    action.meta.note(
      id: lastID, time: environment.clock.now(), cause: cause, parent: work.actionID)
    return action
  }

  // MARK: Working off

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
    let followingCount = queue.isEmpty && !modules.hasKilled ? 0 : workOff()
    var outcome = Outcome(
      id: id, before: before, after: stateValue, followingCount: followingCount)
    if work.hasNotes { work.report(into: &outcome, tree: navigation.tree(in: state)) }
    return outcome
  }

  /// How many actions have followed.
  private func workOff() -> Int {
    var following = Following(countMax: Self.followingMax, budget: environment.followingBudget)
    while true {
      // Between two actions, so that those that wait find the module in service again.
      if !modules.killed.isEmpty { environment.restartKilled() }
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

  /// Notes an action that followed from another and failed.
  func fail(_ action: Action, _ error: DispatchError) {
    work.failures.append(FollowingFailure(action: action, error: error))
    environment.report(.dispatchFailed(id, action, error))
  }

  // MARK: The pipeline

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

  /// What an action's type sets in motion, see ``ModuleSet/listeners(to:cause:)``.
  func listeners(to action: Action, cause: Cause? = nil) throws(DispatchError) -> Listeners {
    try modules.listeners(to: action, cause: cause)
  }
}
