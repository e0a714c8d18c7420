package import MoonSession
import MoonTasks

/// The check of a journal's durable tasks against the modules as they are, before they are put in
/// service.
package struct TaskChecks: Sendable {
  private var kept = KeptTasks()
  private var isBegun = false

  /// Makes a check of no tasks.
  package init() {}

  /// Takes the next entry of a journal or a recording.
  package mutating func take(_ entry: JournalEntry) {
    switch entry {
    case .state(let entry):
      // Later states repeat what the entries before them say.
      if !isBegun { kept = KeptTasks(header: entry.tasks) }
      isBegun = true
    case .task(let entry): kept.take(entry)
    case .commit, .change: break
    }
  }

  /// Runs the tasks that haven't ended through their logs, in order, and changes nothing: no wait
  /// begins, and no action is dispatched.
  ///
  /// - Complexity: O(size of the logs), and what modules do.
  package func results(on host: isolated Host) -> [TaskCheck] {
    guard let reloader = host.modules.reloader else { return [] }
    var results: [TaskCheck] = []
    let id = host.openSession { session in
      session.current.mode = .replay
      results = TaskChecking(in: session, on: reloader.machines).check(kept)
    }
    host.closeSession(id)
    return results
  }
}
