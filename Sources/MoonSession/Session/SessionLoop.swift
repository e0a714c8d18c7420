package import MoonActions
package import MoonModules
import MoonServiceKit
import MoonTasks
import MoonValues

/// The loop of a session: it takes an action through its pipeline, then the actions that follow
/// from it.
extension Session {
  /// The maximum number of actions that follow from one dispatch, directly or through others.
  package static let followingMax = 10_000
  /// The maximum number of actions that are carried out as one.
  package static let batchMax = 256

  /// Carries out an action, with others as one, and all actions that follow from them.
  ///
  /// `others` must not be empty.
  ///
  /// - Throws: ``DispatchError`` if one of these actions fails. Failures of those that follow are
  ///   in the outcome.
  package func run(
    _ action: consuming Action, with others: [Action]? = nil, cause: Cause
  ) throws(DispatchError) -> Outcome {
    if current.isRunning {
      try intake.add(action, with: others ?? [], cause: cause)
      return Outcome(unchanged: state)
    }
    if let others { try Self.checkBatch(others) }
    if let outcome = try TimelineControls.outcome(of: action, with: others, cause, in: self) {
      return outcome
    }
    if timeTravel.timeline.isStill { throw timeTravel.timeline.refusal }
    // Everything so far is kept before anything else happens.
    try recorders.journal?.check()
    current.begin()
    slices.noteChanges()
    environment.interruption.clear()
    defer { current.end() }
    let stamped = stamped(action, cause: cause)
    do throws(DispatchError) {
      try pipeline.process(
        stamped, with: others?.map { self.stamped($0, cause: cause) },
        isMapped: false, after: nil, of: nil, bytes: 0)
    } catch {
      _ = drain(id: stamped.id)
      throw error
    }
    // Returned as it is made, since it would be copied otherwise.
    guard let recording = recorders.journal else { return drain(id: stamped.id) }
    let outcome = drain(id: stamped.id)
    try recording.check()
    return outcome
  }

  /// Checks the number of actions that are carried out as one with another.
  ///
  /// - Throws: ``DispatchError/batchTooLong(count:max:)``.
  static func checkBatch(_ others: [Action]) throws(DispatchError) {
    guard others.count < batchMax else {
      throw .batchTooLong(count: others.count + 1, max: batchMax)
    }
  }

  /// Carries out all queued actions.
  @discardableResult
  package func settle() -> Outcome {
    guard !current.isRunning, !timeTravel.timeline.isStill else { return Outcome(unchanged: state) }
    current.begin()
    slices.noteChanges()
    environment.interruption.clear()
    defer { current.end() }
    return drain(id: 0)
  }

  /// Carries out all queued actions, and then those that control the timeline; returns the outcome
  /// since the slices' changes began to be noted.
  private func drain(id: Int64) -> Outcome {
    let isIdle = queue.isEmpty && !modules.hasKilled && !taskState.areReady
    let followingCount = (isIdle ? 0 : drainQueue()) + Presenting(session: self).updateShown()
    for error in recorders.keep() { environment.report(.copyEnded(self.id, error)) }
    let records = current.takeRecords { navigation.tree(in: state) }
    if timeTravel.controls.isEmpty { return Outcome(id: id, of: self, followingCount, records) }
    return TimelineControls(session: self).finish(
      Outcome(id: id, of: self, followingCount, records))
  }

  /// Carries out all queued actions; returns their number.
  func drainQueue() -> Int {
    var following = Following(countMax: Self.followingMax, budget: environment.followingBudget)
    var turns = TurnBudget()
    defer { if taskState.areReady { tasks.postpone() } }
    while true {
      // Restarted between two actions, so that the next ones find the module in service.
      if !modules.killed.isEmpty { environment.restartKilled() }
      if taskState.areReady, turns.next({ current.time(on: environment.budgetClock) }) {
        tasks.takeTurn()
        continue
      }
      guard let entry = queue.popFirst() else {
        if requests.answerDue() { continue }
        return following.count
      }
      let before = entry.action.receipt.map { _ in stateValue } ?? .null
      if let receipt = entry.action.receipt {
        let all = [entry.action.action] + entry.action.others
        tasks.awaitedEffects.watch(receipt, for: Set(all.map(\.meta.id)), since: before)
      }
      do throws(DispatchError) {
        try check(entry, &following)
        let queued = entry.action
        current.effectDepth = queued.effectDepth
        try pipeline.process(queued, of: entry.owner, bytes: entry.bytes)
        if let owner = entry.owner { modules.suspension.recordSuccess(ofActionBy: owner) }
        EffectRequests(session: self).settle(queued.receipt, for: queued.action, since: before)
      } catch {
        defer { durable?.noteDrops() }
        if let receipt = entry.action.receipt {
          tasks.awaitedEffects.drop(receipt)
          receipt.fail(error)
        } else {
          fail(entry.action.action, error, by: entry.action.dispatcher)
        }
      }
      durable?.noteTaken(entry.action.action.id)
    }
  }

  /// Removes the queued actions of an owner that has exceeded a limit on following actions.
  private func check(
    _ entry: SessionQueue.Entry, _ following: inout Following
  ) throws(DispatchError) {
    let excess = following.next(of: entry.owner, count: entry.action.others.count + 1) {
      current.time(on: environment.budgetClock)
    }
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

extension Outcome {
  /// Makes the outcome since the changes of a session's slices began to be noted, and stops noting
  /// them.
  fileprivate init(
    id: Int64, of session: Session, _ followingCount: Int, _ records: Records?
  ) {
    self.init(
      id: id, before: session.slices.takeFormer(), after: session.state,
      followingCount: followingCount, records: records)
  }
}

extension [Action] {
  /// The actions that are carried out as one with the first; nil for none.
  package var others: [Action]? { count > 1 ? Array(dropFirst()) : nil }
}
