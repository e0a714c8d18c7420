import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues

/// Stage 7: calls the middleware after the reduce for committed actions.
struct AfterReduceStage {
  /// The maximum number of actions that one call returns.
  static let countMax = 1_000

  let session: Session

  /// Calls the middleware for all actions that a transaction reduced, and queues the actions that
  /// it returns.
  func tell(of all: ReducedActions, in transaction: borrowing Transaction) {
    for reduced in all where !reduced.listeners.answers.afterReduce.isEmpty {
      session.current.turn(to: reduced.action.id)
      let (before, after) = (Value.map(transaction.before), Value.map(transaction.state))
      for middleware in reduced.listeners.answers.afterReduce {
        let actions = session.caller.attempt(middleware, on: reduced.action) {
          let actions = try middleware.part.body(reduced.action, before, after, $0)
          guard actions.count <= Self.countMax else {
            throw CodeFailure(
              .raised("after_reduce returns \(Self.countMax) actions at most, not \(actions.count)")
            )
          }
          return actions
        }
        for action in actions ?? [] {
          session.intake.addNotingFailure(
            action, cause: .module(middleware.owner.text, .afterReduce), by: middleware)
        }
      }
    }
  }
}
