import DequeModule
import MoonActions
package import MoonModules
import MoonNavigation
import MoonTasks
import MoonValues

/// Going through a session's timeline, and changing it.
///
/// While an earlier state is shown, the session stands still: it takes no actions, tasks don't
/// resume, deadlines don't pass, and the journal gets nothing. Changes of the navigation are
/// announced once the session goes on.
package struct SessionTimeline {
  let session: Session

  package init(of session: Session) { self.session = session }

  /// Returns the timeline, with the latest changes of the state.
  package var current: Timeline {
    noteOutsideChanges()
    return session.timeTravel.timeline
  }

  /// Shows the state at a place.
  ///
  /// - Throws: ``TimelineError``; the same state is then shown as before.
  package func travel(to place: TimelinePlace) throws(TimelineError) -> Outcome {
    try prepare()
    let before = session.state
    try session.timeTravel.timeline.jump(to: try place.position(in: session.timeTravel.timeline))
    return show(since: before)
  }

  /// Changes the timeline, and shows the state that this leads to.
  ///
  /// - Throws: ``TimelineError``; nothing has changed then.
  package func carryOut(_ edit: TimelineEdit) throws(TimelineError) -> Outcome {
    try prepare()
    let before = session.state
    var timeline = session.timeTravel.timeline
    let undone = timeline.undone(by: edit)
    try recompute(in: &timeline, by: numbered(edit))
    session.timeTravel.timeline = timeline
    if !undone.isEmpty { endWork(begunBy: undone) }
    return show(since: before)
  }

  /// Changes a timeline, and computes later states again, within the time of what follows from an
  /// action.
  ///
  /// - Throws: ``TimelineError``.
  private func recompute(
    in timeline: inout Timeline, by edit: TimelineEdit
  ) throws(TimelineError) {
    let rehearsal = Rehearsal(beside: session)
    let (clock, budget) = (session.environment.budgetClock, session.environment.followingBudget)
    defer { session.current.end() }
    let begin = session.current.nanoseconds(on: clock)
    var isSpent = false
    try timeline.carryOut(edit) { step, slices in
      isSpent = isSpent || budget > 0 && clock.nanoseconds() - begin > budget
      return isSpent ? (slices, nil) : rehearsal.compute(step, in: slices)
    }
    if isSpent { throw .tookTooLong(milliseconds: Int(budget / 1_000_000)) }
  }

  /// Takes back the last action from outside the modules, with all later ones.
  ///
  /// - Throws: ``TimelineError``; nothing has changed then.
  package func undo() throws(TimelineError) -> Outcome {
    try prepare()
    let timeline = session.timeTravel.timeline
    guard !timeline.isPast else {
      throw .isPast(position: timeline.position, count: timeline.count)
    }
    let last = timeline.kept.lastIndex { !$0.isSkipped && $0.action.meta.cause.isFromOutside }
    guard let last else { throw .nothingToUndo }
    let before = session.state
    try session.timeTravel.timeline.jump(to: last)
    _ = show(since: before)
    return try carryOut(.cut).since(before, session.navigation)
  }

  /// Returns to the latest state, and lets the session go on.
  package func returnToPresent() {
    guard session.timeTravel.timeline.isStill, !session.current.isRunning else { return }
    let before = session.state
    try? session.timeTravel.timeline.jump(to: session.timeTravel.timeline.count)
    session.timeTravel.timeline.isLocked = false
    session.timeTravel.timeline.noteModes()
    _ = show(since: before)
  }

  /// Does what a control of the timeline asks for.
  ///
  /// - Throws: ``TimelineError``; nothing has changed then.
  func carryOut(_ move: TimelineMove) throws(TimelineError) -> Outcome {
    switch move {
    case .travel(let place): return try travel(to: place)
    case .edit(let edit): return try carryOut(edit)
    case .undo: return try undo()
    case .open(let screen): return try open(screen)
    case .close:
      try prepare()
      let before = session.state
      guard session.timeTravel.timeline.isStill else { return Outcome(unchanged: before) }
      try session.timeTravel.timeline.jump(to: session.timeTravel.timeline.count)
      session.timeTravel.timeline.isLocked = false
      session.timeTravel.timeline.noteModes()
      return show(since: before)
    }
  }

  private func open(_ screen: Screen) throws(TimelineError) -> Outcome {
    try prepare()
    let before = session.state
    session.timeTravel.window = session.timeTravel.window ?? ControlWindow(screen)
    session.timeTravel.timeline.isLocked = true
    session.timeTravel.timeline.noteModes()
    return show(since: before)
  }

  private func prepare() throws(TimelineError) {
    guard session.timeTravel.timeline.isKept else { throw .notKept }
    guard !session.current.isRunning else { throw .isBusy }
    noteOutsideChanges()
  }

  /// Restarts the timeline if the state has changed outside of any action.
  private func noteOutsideChanges() {
    let timeline = session.timeTravel.timeline
    guard !timeline.isPast else { return }
    let window = session.timeTravel.window
    let shown = window?.slices ?? timeline.latest
    guard !shown.isIdentical(to: session.state) else { return }
    session.timeTravel.timeline.noteOutsideChange(
      to: window?.uncovered(session.state, in: timeline, at: NavigationState.key)
        ?? session.state)
  }

  /// Gives the actions that replace others the host's notes.
  private func numbered(_ edit: TimelineEdit) -> TimelineEdit {
    guard case .replace(let actions) = edit else { return edit }
    return .replace(
      actions.map { $0.meta.id == 0 ? session.stamped($0, cause: $0.meta.cause) : $0 })
  }

  // MARK: Showing

  /// Makes the shown state of the timeline that of the session, which stands still or goes on.
  private func show(since before: Map) -> Outcome {
    let tree = session.navigation.treeOrFirst(in: before)
    if session.timeTravel.timeline.isStill, session.timeTravel.standstill == nil {
      session.timeTravel.standstill = standstill(in: before)
    }
    session.slices.replaceAll(by: shownSlices())
    tell(since: before)
    var settled: Outcome?
    if !session.timeTravel.timeline.isStill {
      let former = session.timeTravel.standstill?.state ?? before
      let standstill = session.timeTravel.standstill
      session.timeTravel.standstill = nil
      announce(since: former)
      if let standstill { release(standstill) }
      settled = session.settle(isWhole: true)
    }
    return Outcome(
      id: 0, before: before, after: session.state,
      followingCount: settled?.followingCount ?? 0,
      records: settled.since(tree, to: session.navigationTree))
  }

  /// Returns the slices of the shown state, with the window of the control if that is open.
  ///
  /// The window is gone once the session goes on.
  private func shownSlices() -> Map {
    let timeline = session.timeTravel.timeline
    guard timeline.isStill, let window = session.timeTravel.window else {
      session.timeTravel.window = nil
      return timeline.slices
    }
    let tree = session.navigation.treeOrFirst(in: timeline.slices)
    return window.cover(timeline, tree, at: NavigationState.key)
  }

  /// Tells those who follow the state; nothing follows from what they do.
  private func tell(since before: Map) {
    guard !session.state.isIdentical(to: before) else { return }
    session.current.begin()
    session.current.mode = .replay
    session.notify(changedSince: before)
    session.current.mode = .live
    session.current.end()
  }

  /// Announces the changes of the navigation, which come from the timeline.
  private func announce(since former: Map) {
    let old = session.navigation.treeOrFirst(in: former)
    let new = session.navigationTree
    guard old != new else { return }
    let work = PendingNavigation(tree: new)
    work.transitions.append(Transition(from: old, to: new, origin: .timeline))
    CompletionStage(session: session).tell(of: work)
  }

  private func standstill(in state: Map) -> Standstill {
    let deadlines = session.environment.deadlines
    let held = session.begunTasks.map { deadlines.hold(of: $0) } ?? []
    return Standstill(state: state, since: deadlines.now(), held: held)
  }

  /// Lets time pass again, with as much until each deadline as there was.
  private func release(_ standstill: Standstill) {
    let deadlines = session.environment.deadlines
    session.begunTasks?.shift(by: deadlines.now() - standstill.since)
    deadlines.release(standstill.held)
  }

  /// Ends the tasks that undone actions began, and drops what they have dispatched.
  private func endWork(begunBy undone: Set<Int64>) {
    if session.begunTasks != nil { session.tasks.cancelAll(begunBy: undone) }
    GuardWaits(session: session).dropWaiting(begunBy: Array(undone))
    session.queue.removeAll { $0.action.meta.parent.map(undone.contains) ?? false }
    session.durable?.noteDrops()
  }
}

extension Timeline {
  /// Returns the ids of the actions that a change undoes.
  fileprivate func undone(by edit: TimelineEdit) -> Set<Int64> {
    let steps: [TimelineStep]
    switch edit {
    case .cut, .commit: steps = Array(kept.suffix(count - position))
    case .revert, .reset, .replace: steps = Array(kept)
    case .toggle, .skip, .sweep, .move, .recompute, .lock, .pause: return []
    }
    return Set(steps.flatMap { [$0.id] + $0.others.map(\.meta.id) })
  }
}

extension Cause {
  /// Whether neither a module nor the host itself dispatched the action.
  fileprivate var isFromOutside: Bool {
    switch self {
    case .prompt, .commandLine, .native, .screen: true
    case .host, .module: false
    }
  }
}

extension Outcome {
  /// The outcome of several changes, with an earlier state to begin with.
  fileprivate func since(_ before: Map, _ navigation: NavigationState) -> Outcome {
    let tree = navigation.treeOrFirst(in: before)
    let after = navigation.treeOrFirst(in: slicesAfter)
    return Outcome(
      id: 0, before: before, after: slicesAfter, followingCount: followingCount,
      records: Optional(self).since(tree, to: after))
  }
}

extension Outcome? {
  /// The records of the outcome, with the navigation since an earlier tree.
  func since(_ old: NavigationTree, to new: NavigationTree) -> Outcome.Records {
    Outcome.Records(
      navigation: old == new ? nil : (old, new), failures: self?.failures ?? [],
      faults: self?.faults ?? [], waiting: self?.waiting ?? [], stopped: self?.stopped ?? [])
  }
}
