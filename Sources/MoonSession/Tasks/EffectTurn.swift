import MoonModules
import MoonTasks

extension EffectTask {
  /// Runs the code until its next wait or its end.
  ///
  /// - Throws: ``Fault``
  func takeTurn(on answer: WaitAnswer, in session: Session) throws(Fault) -> EffectStep {
    let outer = session.spans.cause
    if origin.spans != nil { session.current.span = enterSpan(in: session) }
    defer { if origin.spans != nil { session.current.span = outer } }
    return try session.caller.call(self) { context in
      if run == nil { run = try effect.part.body(action, context) }
      return try run?.resume(with: answer) {
        TaskPlace(
          session: session.id, task: id, module: effect.owner, access: session.environment.access,
          span: origin.spans?.innermost)
      } ?? .finished([])
    }
  }

  /// The longest time that it may live; zero for no limit.
  var lifeMax: Duration { origin.asker?.lifeMax ?? origin.tally.limits.lifeMax }

  /// Starts the Swift function that it waits for, whose result answers the present wait.
  func start(_ operation: Operation, in session: Session?) {
    guard let session, !session.current.isReplay else { return }
    let access = session.environment.access
    let (sessionID, taskID, number) = (session.id, id, waitNumber)
    self.operation = _Concurrency.Task(executorPreference: operation.executor) {
      let answer: WaitAnswer
      do {
        answer = try await operation.body()
      } catch {
        answer = .failure("\(error)")
      }
      access.enter(sessionID) { $0?.answer(taskID, number, answer) }
    }
  }
}
