import MoonActions
import MoonModules
import MoonServiceKit
import MoonTasks
import MoonValues

/// Stage 8: calls the middleware after the reduce for committed actions.
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
        switch middleware.part.code {
        case .function(let body):
          call(middleware, on: reduced.action) { try body(reduced.action, before, after, $0) }
        case .run(let start):
          begin(start(reduced.action, before, after), of: middleware, on: reduced.action)
        }
      }
    }
  }

  /// Calls a function, and queues the actions that it returns.
  private func call(
    _ middleware: Bound<AfterReduce>, on action: Action,
    _ body: (SessionContext) throws -> [Action]
  ) {
    let actions = session.caller.attempt(middleware, on: action) {
      let actions = try body($0)
      guard actions.count <= Self.countMax else {
        throw CodeFailure(
          .raised("after_reduce returns \(Self.countMax) actions at most, not \(actions.count)"))
      }
      return actions
    }
    for action in actions ?? [] {
      session.intake.addNotingFailure(
        action, cause: .module(middleware.owner.text, .afterReduce), by: middleware)
    }
  }

  /// Runs code until its end, or until it waits for what it has deferred.
  private func begin(
    _ run: any EffectRun, of middleware: Bound<AfterReduce>, on action: Action
  ) {
    let note: (EffectTask.Ending) -> Void = { [weak session] ending in
      if case .failed(let fault) = ending { session?.caller.note(fault) }
    }
    do throws(TaskError) {
      if case .ended(let ending) = try FirstTurn.run(
        run, as: middleware, on: action, in: session.tasks, then: note)
      {
        note(ending)
      }
    } catch {
      session.caller.note(
        session.caller.fault(CodeFailure(.raised(error.text)), middleware, action))
    }
  }
}
