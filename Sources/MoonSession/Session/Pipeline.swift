import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues

/// The path of one action through the stages.
struct Pipeline {
  let session: Session

  /// Takes an action through all stages, with others as one.
  ///
  /// Either all its changes are committed, or none.
  ///
  /// `isMapped` says whether a module mapper made the action. `link` is the navigation that it
  /// followed from, `owner` the module that it is charged to, `hands` those that have made it what
  /// it is, and `bytes` its size in the history.
  func process(
    _ action: Action, with others: [Action]?, isMapped: Bool, after link: NavigationChain.Link?,
    of owner: ModuleName?, from hands: Set<ModuleName> = [], bytes: Int
  ) throws(DispatchError) {
    let span = session.spans.begin(action)
    session.current.begin(action, of: owner, after: link, from: hands, in: span.innermost)
    var action = action
    do throws(DispatchError) {
      let listeners = try accept(&action)
      var transaction = Transaction(action, listeners, bytes: bytes, changing: session.slices)
      if isMapped || others != nil { transaction.noteArrival(with: others, isMapped: isMapped) }
      try carryOut(action, listeners, isMapped: isMapped, &transaction)
      if let others { try carryOut(others, &transaction) }
      try CommitStage(session: session).commit(&transaction)
      session.spans.end(span.own, of: transaction.taken)
    } catch {
      session.current.calls.end()
      let others = others ?? []
      GuardWaits(session: session).dropWaiting(begunBy: [action.id] + others.map(\.id))
      for failed in [action] + others { session.history.append(failed, failedWith: error) }
      session.spans.end(span.own, of: action, error)
      throw error
    }
  }

  /// Checks an action and returns the listeners to its type.
  private func accept(_ action: inout Action) throws(DispatchError) -> Listeners {
    let listeners = try session.modules.accept(&action)
    // A recording may be of a time when the app had other modules.
    guard listeners.answers.turnsRequests, !session.current.isReplay else { return listeners }
    let problems = RequestSwitch.problems(
      in: action.payload, among: session.modules.sorted.map(\.module.name.text))
    guard problems.isEmpty else {
      throw .invalidPayload(
        type: action.type.string, problems: problems,
        declared: listeners.schema ?? PayloadSchema(fields: []))
    }
    return listeners
  }

  /// Takes a queued action through all stages, unless it controls the timeline.
  func process(
    _ queued: QueuedAction, of owner: ModuleName?, bytes: Int
  ) throws(DispatchError) {
    if queued.others.isEmpty, try TimelineControls(session: session).defers(queued.action) {
      return
    }
    session.taskState.held.note(queued.held, of: queued.action.id)
    session.spans.take(queued)
    try process(
      queued.action, with: queued.others.isEmpty ? nil : queued.others, isMapped: queued.isMapped,
      after: queued.link, of: owner, from: queued.hands, bytes: bytes)
  }

  /// Carries out the others of a batch.
  private func carryOut(
    _ others: [Action], _ transaction: inout Transaction
  ) throws(DispatchError) {
    for other in others {
      session.current.turn(to: other.id)
      if try TimelineControls(session: session).defers(other) { continue }
      var other = other
      let listeners = try accept(&other)
      try carryOut(other, listeners, isMapped: false, &transaction)
    }
  }

  /// Returns an action that is carried out as a part of another, with the host's notes.
  ///
  /// They follow from those of the other, but for the id, which is recorded.
  func part(_ action: consuming Action, of whole: Action) -> Action {
    note(&action, asPartOf: whole)
    return action
  }

  /// Adds the host's notes to an action that is carried out as a part of another.
  func note(_ action: inout Action, asPartOf whole: Action) {
    let id = session.current.calls.id {
      session.lastID += 1
      return session.lastID
    }
    action.note(id: id, time: whole.time, cause: whole.cause, parent: whole.id)
    if !whole.extra.isEmpty { action.meta.extra = action.meta.extra.filled(from: whole) }
  }

  /// Stages 1 to 3: middleware, module mappers, reducers.
  ///
  /// `isMapped` says whether a module mapper made the action; mappers don't see such actions again.
  func carryOut(
    _ action: Action, _ listeners: Listeners, isMapped: Bool, _ transaction: inout Transaction
  ) throws(DispatchError) {
    guard listeners.mayBeReplaced else {
      return try ReducerStage(session: session).reduce(action, listeners, &transaction)
    }
    let stage = MiddlewareStage(session: session)
    for passed in try stage.pass(action, listeners, transaction.state) {
      let mapped =
        isMapped
        ? [passed] : try ModuleMapperStage(session: session).map(passed, &transaction)
      for one in mapped {
        if try TimelineControls(session: session).defers(one) { continue }
        var one = one
        let listeners = try session.modules.accept(&one)
        try listeners.checkMaker(of: one, inPlaceOf: action)
        try ReducerStage(session: session).reduce(one, listeners, &transaction)
      }
    }
  }
}

extension Session {
  var pipeline: Pipeline { Pipeline(session: self) }
}
