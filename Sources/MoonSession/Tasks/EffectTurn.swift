import MoonModules
import MoonTasks

extension EffectTask {
  /// Runs the code until its next wait or its end.
  ///
  /// - Throws: ``Fault``
  func takeTurn(on answer: WaitAnswer, in session: Session) throws(Fault) -> EffectStep {
    try session.caller.call(self) { context in
      if run == nil { run = try effect.part.body(action, context) }
      return try run?.resume(with: answer) {
        TaskPlace(
          session: session.id, task: id, module: effect.owner, access: session.environment.access)
      } ?? .finished([])
    }
  }
}
