import MoonLua
import MoonModules

/// The task whose code runs in a machine, and what it has asked to wait for.
///
/// Confined to the host.
package final class RunningTask {
  /// The run of the task; nil while other code runs or none does.
  private(set) var run: LuaRun?
  /// Whether it is text that a person has typed, which isn't a task of a module.
  private var isEvaluation = false
  var wait: Wait?

  /// Whether the code can wait.
  var canWait: Bool { run != nil || isEvaluation }

  /// Makes the record of no task.
  package init() {}

  /// Runs the code of a task until it returns or waits; returns what it waits for as well.
  func run<Result>(
    _ run: LuaRun, _ body: () throws(LuaError) -> Result
  ) throws(LuaError) -> (Result, Wait?) {
    self.run = run
    defer { (self.run, wait) = (nil, nil) }
    return (try body(), wait)
  }

  /// Runs typed text until it ends or waits; returns what it waits for as well.
  func evaluate<Result>(
    _ body: () throws(LuaError) -> Result
  ) throws(LuaError) -> (Result, Wait?) {
    isEvaluation = true
    defer { (isEvaluation, wait) = (false, nil) }
    return (try body(), wait)
  }
}
