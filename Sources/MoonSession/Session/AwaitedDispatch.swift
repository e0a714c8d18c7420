package import MoonActions
package import MoonModules
import MoonTasks
import MoonValues

/// An action whose dispatcher waits for the effects that it starts.
package struct AwaitedDispatch {
  private let session: Session

  package init(in session: Session) { self.session = session }

  /// Carries out an action, and answers when its effects have ended, too.
  ///
  /// The outcome holds all that has changed until then.
  package func run(
    _ action: Action, cause: Cause,
    then answer: @escaping (Result<Outcome, DispatchError>) -> Void
  ) {
    let receipt = DispatchReceipt(awaitingEffects: true) { result in
      switch result {
      case .done(let before, let after, _):
        answer(
          .success(
            Outcome(id: 0, before: before.mapValue ?? Map(), after: after.mapValue ?? Map())))
      case .failed(let error): answer(.failure(error))
      }
    }
    let timeline = session.timeTravel.timeline
    if timeline.isStill { return receipt.fail(timeline.refusal) }
    session.first {
      do throws(DispatchError) {
        try session.intake.add(action, cause: cause, answering: receipt)
      } catch {
        receipt.fail(error)
      }
    }
  }
}
