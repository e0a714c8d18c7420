import MoonModules
package import MoonTasks
import MoonValues

/// The result of running a durable task of a journal through its log on the code in service.
package struct TaskCheck: Sendable {
  /// The task in words.
  package let task: String
  /// What the code does differently, or the reason that it can't run; nil if the task could go on.
  package let problem: String?
}

/// The check of durable tasks on the code in service, in a session that replays.
package struct TaskChecking {
  private let session: Session
  private let machines: any DurableMachines

  package init(in session: Session, on machines: any DurableMachines) {
    self.session = session
    self.machines = machines
  }

  /// Runs durable tasks through their logs, changing nothing.
  package func check(_ kept: KeptTasks) -> [TaskCheck] {
    kept.tasks.sorted { $0.key < $1.key }.compactMap { number, task in
      guard let first = task.entries.first?["begin"],
        let beginning = DurableTask.Beginning(number, first)
      else { return nil }
      return TaskCheck(task: beginning.name, problem: problem(with: beginning, task.entries))
    }
  }

  private func problem(
    with beginning: DurableTask.Beginning, _ entries: [Value]
  ) -> String? {
    guard let code = machines.code(of: beginning.module),
      let module = session.modules[beginning.module]?.module
    else { return "there is no module \(beginning.module)" }
    let effect = module.effects.first {
      $0.durability != nil && $0.registration.name == beginning.effect
    }
    guard let effect else { return "the module has no such durable effect" }
    let task = DurableTask(beginning.on(code), TaskLog(entries), .replaying) { _ in }
    do {
      let part = try session.tasks.makeTask(Bound(effect, of: module), on: beginning.action)
      part.run = try machines.run(of: task, code.contents, in: session)
      part.durable = task.admit(part)
      session.tasks.add(part)
    } catch {
      return "\(error)"
    }
    defer { DurableTurns(session.tasks).drop(task) }
    TaskReplay(session: session, task: task).replay()
    return task.mismatch.map { "the journal has \($0.kept), and the code comes to \($0.present)" }
  }
}
