import MoonStore
import MoonValues

/// Stage 7: middleware after the reduce sees what was committed, with both states.
struct AfterReduceStage {
  /// How many actions one answer may hold.
  static let countMax = 1_000

  let session: Session

  /// Tells of everything that a transaction has reduced; what is answered is queued.
  func tell(of transaction: borrowing Transaction) {
    let (before, after) = (Value.map(transaction.before), Value.map(transaction.state))
    for reduced in transaction.reduced {
      for middleware in reduced.listeners.answers.afterReduce {
        let actions = session.caller.attempt(middleware, on: reduced.action) {
          let actions = try middleware.part.body(reduced.action, before, after, $0)
          guard actions.count <= Self.countMax else { throw TooManyActions(count: actions.count) }
          return actions
        }
        for action in actions ?? [] {
          session.intake.addNoting(
            action, cause: .module(middleware.owner.text, .afterReduce), by: middleware)
        }
      }
    }
  }
}

/// A middleware after the reduce has answered with too much.
private struct TooManyActions: Error, CustomStringConvertible {
  let count: Int

  var description: String {
    "after_reduce returns \(AfterReduceStage.countMax) actions at most, not \(count)"
  }
}
