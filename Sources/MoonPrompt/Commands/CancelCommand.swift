import Moonwire

/// The command `:cancel`, which cancels a task.
struct CancelCommand: PromptCommand {
  static let manual = CommandManual(
    name: "cancel", arguments: "number", summary: "cancels a task and the tasks it spawned",
    example: ":cancel 3")

  let task: TaskID

  init(_ task: TaskID) { self.task = task }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    guard let number = try arguments.count() else {
      throw arguments.error(.missingArgument(Self.manual))
    }
    task = TaskID(number)
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let (isDone, before, after) = await session.host.perform { [id = session.id, task] host in
      let before = host.state(of: id) ?? .null
      let isDone = host.cancelTask(task, in: id)
      return (isDone, before, host.state(of: id) ?? .null)
    }
    guard isDone else { throw .noTask(task) }
    return Answer(task: task, step: StateStep(from: before, to: after))
  }

  private struct Answer: PromptAnswer {
    let task: TaskID
    let step: StateStep?
    var screenDisplay: ScreenDisplay { .whenNew }

    func lines(_ layout: TextLayout) -> [String] {
      [layout.dim("task \(task) was cancelled")] + layout.anyChanges(step)
    }

    var record: Map? {
      [
        "kind": "cancel", "task": .int(Int64(task.number)),
        "changes": step.map { JSONRecord.changes($0.changes) } ?? [],
      ]
    }
  }
}
