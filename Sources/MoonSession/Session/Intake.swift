import MoonActions
import MoonModules
import MoonServiceKit
import MoonTasks
package import MoonValues

/// The end of a session's queue.
///
/// Actions that are dispatched while another is carried out are added here.
struct Intake {
  let session: Session

  /// Appends an action to the queue, with others that are carried out as one with it.
  ///
  /// `isMapped` says whether a module mapper made the action. `dispatcher` is the registration that
  /// dispatched it; nil means the one whose code runs.
  ///
  /// - Throws: ``DispatchError`` if the action can't be accepted.
  func add(
    _ action: consuming Action, with others: [Action] = [], cause: Cause, isMapped: Bool = false,
    by dispatcher: BoundRegistration? = nil, answering receipt: DispatchReceipt? = nil
  ) throws(DispatchError) {
    // What followed was recorded, too, and is carried out from the recording.
    guard !session.current.isReplay else { return }
    try others.checkBatch()
    try EffectChain.check(session.current.effectDepth, cause)
    // Checked here and again in its turn, so that the dispatcher gets the error at the call.
    if cause != .host { _ = try session.listeners(to: action, cause: cause) }
    for other in others { _ = try session.listeners(to: other, cause: cause) }
    let bytes = others.reduce(action.storageCost) {
      let (sum, isTooLarge) = $0.addingReportingOverflow($1.storageCost)
      return isTooLarge ? .max : sum
    }
    let dispatcher = dispatcher ?? session.environment.activity.call?.registration
    var rest = others
    if let dispatcher {
      for one in [copy action] + others {
        try session.modules.checkControl(
          of: one, by: dispatcher.owner, for: session.current.causers)
      }
      if cause != .host {
        let fills = if case .module = cause { false } else { true }
        action = GivenScreens.owned(action, by: dispatcher.owner, in: session, fills: fills)
        rest = rest.map {
          GivenScreens.owned($0, by: dispatcher.owner, in: session, fills: fills)
        }
      }
    }
    // An action of the host's is charged to the module that dispatched the action it follows from.
    let owner = dispatcher?.owner ?? session.current.owner
    let held = try hold(bytes, for: owner)
    // Counted in place of the limit on what follows from one dispatch, which ends with each turn of
    // the host.
    let isFollowing =
      session.current.work == .background && session.begunTasks?.current == nil && cause != .host
    receipt?.held = held
    let type = action.type
    let hands = session.begunTasks?.current.map { givers(ofResult: type, of: $0) } ?? []
    let queued = QueuedAction(
      action: session.stamped(action, cause: cause),
      others: rest.isEmpty ? [] : rest.map { session.stamped($0, cause: cause) },
      isMapped: isMapped,
      link: session.current.chain.link(),
      effectDepth: session.current.effectDepth + (isFollowing ? 1 : 0),
      hands: hands,
      dispatcher: dispatcher, receipt: receipt, held: held, span: session.spans.cause)
    let removed: [SessionQueue.Entry]
    do throws(ActionQueueFull) {
      removed = try session.queue.append(
        queued, of: owner, bytes: bytes, at: session.taskState.used.total)
    } catch {
      throw DispatchError(error)
    }
    askToSettle()
    for entry in removed { fail(displaced: entry.action) }
  }

  /// Returns the modules that the result of an effect is owed to: those that started it.
  private func givers(ofResult type: Text, of task: EffectTask) -> Set<ModuleName> {
    let begun = task.action.type
    guard type.utf8Count == begun.utf8Count + "_result".utf8.count, type.hasPrefix(begun) else {
      return []
    }
    return session.caller.givers(to: task)
  }

  private func hold(
    _ bytes: Int, for owner: ModuleName?
  ) throws(DispatchError) -> HeldMemory.Share? {
    guard let owner, bytes >= HeldMemory.countedBytesMin else { return nil }
    do throws(ServiceRefusal) {
      return try session.environment.memory(owner).hold(bytes)
    } catch {
      throw .memoryFull(error)
    }
  }

  /// Has the host settle the session soon.
  ///
  /// Returns false if the session is at work and will come to what waits.
  @discardableResult
  func askToSettle() -> Bool {
    guard !session.current.isRunning else { return false }
    session.environment.unsettled.note(session.id)
    return true
  }

  /// Has the host settle the session soon if anything arrived while it was held at work.
  func askToSettleRest() {
    guard !session.queue.isEmpty || session.taskState.areReady, askToSettle() else { return }
    if session.taskState.areReady { session.tasks.postpone() }
  }

  /// Appends an action to the queue, and notes a failure instead of throwing.
  func addNotingFailure(
    _ action: Action, cause: Cause, isMapped: Bool = false, by dispatcher: BoundRegistration? = nil,
    answering receipt: DispatchReceipt? = nil
  ) {
    do throws(DispatchError) {
      try add(action, cause: cause, isMapped: isMapped, by: dispatcher, answering: receipt)
    } catch {
      receipt?.fail(error)
      session.fail(session.stamped(action, cause: cause), error, by: dispatcher)
    }
  }

  /// Checks that all of a module's actions can be appended to the queue.
  ///
  /// - Throws: ``DispatchError`` if one of them can't be accepted.
  func checkRoom(for actions: [Action], of owner: ModuleName) throws(DispatchError) {
    for action in actions { _ = try session.listeners(to: action) }
    guard actions.count <= session.queue.room(for: owner) else {
      throw .queueFull(max: SessionQueue.countMax)
    }
  }

  /// Fails an action that was removed to make room for another module's.
  private func fail(displaced queued: QueuedAction) {
    let error = DispatchError.displaced(max: SessionQueue.countMax)
    if let dispatcher = queued.dispatcher {
      session.caller.note(session.caller.fault(error, dispatcher, queued.action))
    }
    session.fail(queued.action, error, by: queued.dispatcher)
  }
}

extension Session {
  var intake: Intake { Intake(session: self) }

  /// Queues an action of the host's, if any registration listens to it.
  package func announce(_ type: Text, _ payload: @autoclosure () -> Value) {
    guard modules.listeners(to: type).hasListeners else { return }
    intake.addNotingFailure(Action(type, payload()), cause: .host)
  }
}

extension DispatchError {
  /// Makes the error for a full queue.
  init(_ full: ActionQueueFull) {
    self =
      switch full {
      case .count: .queueFull(max: SessionQueue.countMax)
      case .bytes: .queueTooLarge(maxBytes: SessionQueue.bytesMax)
      }
  }
}
