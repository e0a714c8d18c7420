import MoonStore
package import MoonValues

/// The end of a session's queue: what is dispatched while actions are carried out is put here.
struct Intake {
  let session: Session

  /// Puts an action at the end of the queue, and others with it that are carried out as one.
  ///
  /// `isMapped` says that module mappers have made it, `dispatcher` who dispatched it, if not the
  /// code that runs.
  ///
  /// - Throws: ``DispatchError`` if it can't be taken.
  func add(
    _ action: consuming Action, with others: [Action] = [], cause: Cause, isMapped: Bool = false,
    by dispatcher: BoundRegistration? = nil
  ) throws(DispatchError) {
    try Session.checkBatch(others)
    // Checked here and in its turn, so that whoever dispatches learns of it where they do.
    if cause != .host { _ = try session.listeners(to: action, cause: cause) }
    for other in others { _ = try session.listeners(to: other, cause: cause) }
    let bytes = others.reduce(action.storageCost) {
      let (sum, isTooLarge) = $0.addingReportingOverflow($1.storageCost)
      return isTooLarge ? .max : sum
    }
    let dispatcher = dispatcher ?? session.environment.activity.call?.registration
    let queued = QueuedAction(
      action: session.stamped(action, cause: cause),
      others: others.isEmpty ? [] : others.map { session.stamped($0, cause: cause) },
      isMapped: isMapped,
      link: session.work.chain.latest, dispatcher: dispatcher)
    // What the host makes of an action is on the account of whoever dispatched that.
    let owner = dispatcher?.owner ?? session.work.owner
    let removed: [SessionQueue.Entry]
    do throws(ActionQueueFull) {
      removed = try session.queue.append(queued, of: owner, bytes: bytes)
    } catch {
      throw DispatchError(error)
    }
    for entry in removed { fail(pushedOut: entry.action) }
  }

  /// Puts an action at the end of the queue; a failure is noted.
  func addNoting(
    _ action: Action, cause: Cause, isMapped: Bool = false, by dispatcher: BoundRegistration? = nil
  ) {
    do throws(DispatchError) {
      try add(action, cause: cause, isMapped: isMapped, by: dispatcher)
    } catch {
      session.fail(session.stamped(action, cause: cause), error)
    }
  }

  /// Checks that actions of a module can be put at the end of the queue.
  ///
  /// - Throws: ``DispatchError`` if one of them can't be taken.
  func checkRoom(for actions: [Action], of owner: ModuleName) throws(DispatchError) {
    for action in actions { _ = try session.listeners(to: action) }
    guard actions.count <= session.queue.room(for: owner) else {
      throw .queueFull(max: SessionQueue.countMax)
    }
  }

  /// Fails an action whose place another module's action needed.
  private func fail(pushedOut queued: QueuedAction) {
    let error = DispatchError.pushedOut(max: SessionQueue.countMax)
    if let dispatcher = queued.dispatcher {
      session.caller.note(session.caller.fault(error, dispatcher, queued.action))
    }
    session.fail(queued.action, error)
  }
}

extension Session {
  var intake: Intake { Intake(session: self) }

  /// Queues an action of the host's, if anybody listens to it.
  package func announce(_ type: Text, _ payload: Value) {
    guard modules.listeners(to: type).isHeard else { return }
    intake.addNoting(Action(type, payload), cause: .host)
  }
}

extension DispatchError {
  /// Says what a queue has too much of.
  init(_ full: ActionQueueFull) {
    self =
      switch full {
      case .count: .queueFull(max: SessionQueue.countMax)
      case .bytes: .queueTooLarge(maxBytes: SessionQueue.bytesMax)
      }
  }
}
