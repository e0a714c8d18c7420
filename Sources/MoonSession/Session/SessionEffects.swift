package import MoonActions
package import MoonModules
import MoonTasks
package import MoonValues

extension Session: EffectSession {
  package func runs(_ task: TaskID) -> Bool { tasks[task] != nil }

  package func dispatch(_ actions: [Action], for task: TaskID) throws(DispatchError) {
    guard let task = tasks[task] else { throw .noSession }
    guard let first = actions.first else { return }
    current.begin(task)
    defer { if !current.isRunning { current.end() } }
    try intake.add(
      first, with: Array(actions.dropFirst()), cause: task.cause, by: task.effect)
  }

  package func wait(_ run: SwiftWait, for task: TaskID) -> TaskID? {
    guard let task = tasks[task] else { return nil }
    do throws(TaskError) {
      return try tasks.spawn(run, by: task)
    } catch {
      run.fail(error)
      return nil
    }
  }

  package func cancel(waiting task: TaskID) { tasks.cancel(task) }

  package func answer(_ task: TaskID, _ waitNumber: Int, _ answer: WaitAnswer) {
    tasks.answer(task, waitNumber, answer)
  }

  package func finish(_ task: TaskID, _ result: Result<Value?, any Error>) {
    guard let task = tasks[task] else { return }
    switch result {
    case .success(let value): tasks.end(task, .finished([value]))
    case .failure(is CancellationError): tasks.end(task, .cancelled)
    case .failure(let error): tasks.end(task, .failed(caller.fault(error, of: task)))
    }
    // The function has ended without a turn of the task, which would answer who waits for it.
    if queue.isEmpty { _ = requests.answerDue() }
  }

  package func call(
    _ command: Text, _ payload: Value, for task: TaskID,
    then answer: @escaping (Result<Value, CommandError>) -> Void
  ) {
    do throws(CommandError) {
      try CommandCalls(self).begin(command, payload, by: task, then: answer)
    } catch {
      answer(.failure(error))
    }
  }
}
