import MoonModules
import MoonTasks

/// Tasks whose code is ended with the machine of their module.
extension EffectTask {
  /// Returns whether its code was ended with its module's machine, so that it no longer hears of
  /// anything.
  func hasLostCode(in session: Session?) -> Bool {
    // A durable task has a machine of its own.
    guard durable == nil, let modules = session?.modules, modules.hasKilled else { return false }
    return modules.killed.contains(effect.owner)
  }

  /// Returns whether a part of the session waits for its result, or code that still exists is about
  /// to learn of its end.
  func isHeard(in tasks: TaskScheduler) -> Bool {
    if tasks.awaited.isHeard(id), !hasLostCode(in: tasks.session) { return true }
    guard origin.asker != nil else { return false }
    return !(origin.parent.flatMap { tasks[$0] }?.hasLostCode(in: tasks.session) ?? false)
  }

  /// Lets go of code that no longer exists; whoever awaits the task hears that it was cancelled.
  func loseCode(telling endings: inout TaskEndings) {
    guard run != nil else { return }
    endings.note(.cancelled, of: id)
    run = nil
  }
}
