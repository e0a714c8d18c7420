package import MoonLua
package import MoonModules
import MoonServiceKit

/// The evaluation of text that a person has typed, which can wait.
///
/// It isn't a task of a module: its code runs between the actions of the session, and each of its
/// waits is a task. Confined to the host.
package final class Evaluation {
  /// What an evaluation has come to.
  package enum Step {
    case ended([Form])
    case waits(Wait)
  }

  /// The text.
  package let text: String
  /// The machine that the text runs in.
  package let machine: Machine
  private let task: RunningTask
  private let limits: CallLimits
  private var coroutine: LuaCoroutine?

  /// Makes the evaluation of a text in the machine of the prompt, whose running task is `task`.
  package init(
    _ text: String, in machine: Machine, _ task: RunningTask, limits: CallLimits
  ) {
    self.text = text
    self.machine = machine
    self.task = task
    self.limits = limits
  }

  /// Runs the text until it ends or waits; `name` is that of the text in errors.
  ///
  /// - Throws: ``LuaError``.
  package func begin(name: String) throws(LuaError) -> Step {
    try go { () throws(LuaError) in
      try LuaCoroutine.evaluate(text, name: name, in: machine, limits: limits)
    }
  }

  /// Goes on with the answer to its wait.
  ///
  /// - Throws: ``LuaError``. The evaluation is then over.
  package func goOn(on answer: WaitAnswer) throws(LuaError) -> Step {
    guard let coroutine = coroutine.take() else { return .ended([]) }
    // What tasks open isn't opened for text.
    let answer = LuaCoroutine.Answer(answer) { handle in
      handle.close()
      return []
    }
    return try go { () throws(LuaError) in try coroutine.goOn(answer, limits: limits) }
  }

  /// Ends the text at its wait, after its `__close` handlers have run.
  ///
  /// - Throws: ``LuaError``, also for an error in a handler.
  package func cancel() throws(LuaError) { try coroutine.take()?.cancel(limits: limits) }

  private func go(
    _ body: () throws(LuaError) -> LuaCoroutine.Evaluation
  ) throws(LuaError) -> Step {
    let (step, wait) = try task.evaluate(body)
    switch step {
    case .ended(let forms): return .ended(forms)
    case .waits(let coroutine):
      self.coroutine = coroutine
      guard let wait else { throw .machineIsDead }
      return .waits(wait)
    }
  }
}
