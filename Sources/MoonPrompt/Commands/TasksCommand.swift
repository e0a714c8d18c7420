import MoonTerminal
import Moonwire

/// The command `:tasks`, which lists the running tasks.
struct TasksCommand: ModuleCommand {
  static let manual = CommandManual(
    name: "tasks", arguments: "[module]",
    summary: "lists tasks, timers and schedules, and what they wait for",
    example: ":tasks timer")

  let module: String?

  init(_ module: String?) { self.module = module }

  func run(
    on module: ModuleName?, in session: PromptSession
  ) async throws(PromptError) -> any PromptAnswer {
    let (tasks, late) = await session.host.perform { [id = session.id] host in
      (host.taskInfos(of: id), host.lateAnswerCount(of: id))
    }
    return Answer(
      tasks: tasks.filter { module == nil || $0.module == module }, lateCount: late,
      now: Clock.system.now())
  }

  private struct Answer: PromptAnswer {
    let tasks: [TaskInfo]
    let lateCount: Int
    /// The time in seconds since 1970.
    let now: Double

    func lines(_ layout: TextLayout) -> [String] {
      let lines = tasks.map { $0.line(layout, now: now) }
      return lines.isEmpty ? [layout.dim("no task runs")] : lines
    }

    var record: Map? {
      [
        "kind": "tasks", "tasks": JSONRecord.list(tasks, \.record),
        "late_answers": .int(Int64(lateCount)),
      ]
    }
  }
}
