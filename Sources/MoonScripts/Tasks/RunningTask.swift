import MoonLua
import MoonModules

/// The task whose code runs in a machine, and what it has asked to wait for.
///
/// Confined to the host.
package final class RunningTask {
  /// The run of the task; nil while other code runs or none does.
  private(set) var run: LuaRun?
  var wait: Wait?

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
}
