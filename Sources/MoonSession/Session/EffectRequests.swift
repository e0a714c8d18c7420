import MoonActions
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonTasks
import MoonValues

/// The requests that tasks wait for, which the session itself carries out.
struct EffectRequests {
  let session: Session

  /// Begins the work of a request, which ends by answering the wait of the task.
  func begin(_ request: SessionRequest, for task: EffectTask) {
    let answer: ([Value?]) -> Void = {
      [weak session, id = task.id, waitNumber = task.waitNumber] values in
      session?.tasks.answer(id, waitNumber, .values(values))
    }
    switch request {
    case .outcome(let actions, let withEffects):
      dispatch(
        actions, for: task.id, DispatchReceipt(awaitingEffects: withEffects) { answer([$0.value]) })
    case .screen(let url, let parameters):
      makeScreen(RoutingGuards(.route(url, passing: parameters)), url, parameters, answer)
    }
  }

  private func dispatch(_ actions: [Action], for task: TaskID, _ receipt: DispatchReceipt) {
    guard let effect = session.tasks[task]?.effect else { return }
    guard let first = actions.first else {
      return receipt.succeed(from: .null, to: .null, showing: nil)
    }
    do throws(DispatchError) {
      try session.intake.add(
        first, with: Array(actions.dropFirst()),
        cause: .module(effect.owner.text, effect.registration.kind), by: effect,
        answering: receipt)
    } catch {
      receipt.fail(error)
    }
  }

  /// Answers a receipt after its action was carried out, or lets it wait with the action or for its
  /// effects.
  func settle(_ receipt: DispatchReceipt?, for action: Action, since before: Value) {
    guard let receipt else { return }
    if session.navigation.waiting.keep(receipt, for: action.meta.id) {
      return session.tasks.awaitedEffects.drop(receipt)
    }
    if session.tasks.awaitedEffects.hold(receipt, among: session.tasks.living) { return }
    let screen = action.type == NavigationActions.route ? session.navigationTree.topScreen : nil
    receipt.succeed(from: before, to: session.stateValue, showing: screen)
  }

  /// Answers the receipts whose effects have ended; returns false if there are none.
  ///
  /// What the effects have dispatched was carried out then.
  func answerDue() -> Bool {
    guard let tasks = session.begunTasks, !tasks.awaitedEffects.isEmpty else { return false }
    var queued: [Int64] = []
    session.forEachFirstQueued { queued.append($0.action.id) }
    let due = tasks.awaitedEffects.takeDue(
      among: tasks.living, last: session.lastID, firstQueued: queued.min())
    for one in due {
      switch one.failure {
      case nil: one.receipt.succeed(from: one.before, to: session.stateValue, showing: nil)
      case .failed(let fault)?:
        one.receipt.fail(fault.refusal.map { .refused($0) } ?? .fault(fault))
      case .finished?, .cancelled?:
        one.receipt.fail(.notFinished("an effect of the action was cancelled"))
      }
    }
    return !due.isEmpty
  }

  private func makeScreen(
    _ guards: RoutingGuards, _ url: Text, _ parameters: Map,
    _ answer: @escaping ([Value?]) -> Void
  ) {
    guards.pending = nil
    let sequence = RoutingSequence(session: session, purpose: .screen, guards: guards)
    var ids = ScreenIDs(in: session.navigationTree)
    do throws(RoutingError) {
      var screen = try sequence.screen(for: RoutedURL(url: url, parameters: parameters), &ids).0
      do throws(ScreenFailure) {
        screen.body = try ScreenPresentation(session: session).body(of: screen)
        answer([screen.value])
      } catch {
        answer([nil, .string(Text(error.text))])
      }
    } catch {
      guard error.isWaiting, let pending = guards.pending,
        let asker = session.tasks[pending.task]?.origin.asker
      else { return answer([nil, .string(Text(error.description))]) }
      asker.completion = { [weak session, weak asker] ending in
        guard let session else { return }
        let hasExpired = asker?.hasExpired ?? false
        let outcome = GuardWaits(session: session).outcome(of: pending, ending, hasExpired)
        guards.note(outcome, of: pending)
        if case .ended = outcome {
          let problem = RoutingError(
            url, .unanswered(by: pending.observer.owner, at: nil, reason: "it ended"))
          return answer([nil, .string(Text(problem.description))])
        }
        EffectRequests(session: session).makeScreen(guards, url, parameters, answer)
      }
    }
  }
}

extension Session {
  var requests: EffectRequests { EffectRequests(session: self) }
}

extension ScreenFailure {
  /// The failure in words.
  fileprivate var text: String {
    switch self {
    case .fault(let fault): fault.sentence
    case .suspended(let module): "module \(module), which draws the screen, is suspended"
    case .malformed(let error, _): "the screen's \(error)"
    }
  }
}
