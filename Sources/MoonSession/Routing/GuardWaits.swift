import MoonActions
import MoonModules
import MoonTasks
import MoonValues

/// The waits of routings for guards that take time: how a routing leaves the queue and comes back.
struct GuardWaits {
  let session: Session

  /// Lets an action wait for the guard that it must ask.
  ///
  /// When the guard has answered, the action comes back to the end of the queue.
  func wait(_ guards: RoutingGuards, for pending: RoutingGuards.Pending, in window: Text?)
    -> WaitingRouting
  {
    let routing = WaitingRouting(
      url: pending.question.url, task: pending.task, module: pending.observer.owner,
      place: pending.observer.registration.place, action: guards.action, window: window)
    session.navigation.waiting.add(routing, guards, in: session.state)
    let asker = session.tasks[pending.task]?.origin.asker
    asker?.completion = { [weak session, weak asker] ending in
      guard let session else { return }
      GuardWaits(session: session).comeBack(pending, ending, hasExpired: asker?.hasExpired ?? false)
    }
    return routing
  }

  private func comeBack(
    _ pending: RoutingGuards.Pending, _ ending: EffectTask.Ending, hasExpired: Bool
  ) {
    guard let (routing, guards, state, receipt) = session.navigation.waiting.remove(pending.task)
    else {
      return
    }
    guards.note(outcome(of: pending, ending, hasExpired), of: pending)
    var action = routing.action
    action.meta.guards = guards.returned(afterChange: !session.state.isIdentical(to: state))
    session.current.begin(
      after: action.meta.id, of: routing.module, depth: session.current.effectDepth)
    // Mappers have seen the action already.
    session.intake.addNotingFailure(
      action, cause: action.meta.cause, isMapped: true, answering: receipt)
    if !session.current.isRunning { session.current.end() }
  }

  /// Returns the answer that the ending of a guard's task gives, and notes its fault.
  func outcome(
    of pending: RoutingGuards.Pending, _ ending: EffectTask.Ending, _ hasExpired: Bool
  ) -> GuardAnswer.Outcome {
    switch ending {
    case .finished(let values):
      do throws(Fault) {
        return .decided(try session.caller.call(pending.observer) { _ in try pending.read(values) })
      } catch {
        session.caller.note(error)
        return .ended(error.sentence)
      }
    case .failed(let fault):
      if let refused = fault.refused { return .refused(refused) }
      session.caller.note(fault)
      return .ended(fault.sentence)
    case .cancelled: return .ended(hasExpired ? "it took too long" : "it was cancelled")
    }
  }

  /// Fails the routings that newer ones in their windows replace, and cancels their guards.
  func replaceWaiting(by routed: [RoutedAction]) {
    for one in routed { replaceWaiting(by: one) }
  }

  private func replaceWaiting(by routed: RoutedAction) {
    let waiting = session.navigation.waiting
    for routing in waiting.replaced(by: routed.action, in: routed.windowID) {
      let receipt = drop(routing)
      let error = RoutingError(routing.url, .replaced(by: routed.url))
      receipt?.fail(.routing(error))
      session.history.append(routing.action, failedWith: .routing(error))
      session.fail(routing.action, .routing(error))
      CompletionStage(session: session).tell(error, of: routing.url)
    }
  }

  /// Ends the waits that failed actions have begun.
  func dropWaiting(begunBy ids: [Int64]) {
    guard !session.navigation.waiting.isEmpty else { return }
    for routing in session.navigation.waiting.begun(by: ids) { drop(routing) }
  }

  /// Ends a wait; returns the wait of a task for its outcome.
  @discardableResult
  private func drop(_ routing: WaitingRouting) -> DispatchReceipt? {
    let receipt = session.navigation.waiting.remove(routing.task)?.receipt
    session.tasks.cancel(routing.task)
    return receipt
  }
}
