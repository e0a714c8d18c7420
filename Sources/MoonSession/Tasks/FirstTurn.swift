import MoonActions
import MoonModules
import MoonTasks
import MoonValues

/// The first turn of code that runs on behalf of a registration, such as a guard.
enum FirstTurn {
  case ended(EffectTask.Ending)
  /// The code waits, as this task.
  case waits(TaskID)
}

extension FirstTurn {
  /// Runs code on behalf of a registration, as a task, until its first wait.
  ///
  /// `completion` receives the ending of code that waits.
  ///
  /// - Throws: ``TaskError`` if the module has as many tasks as it may.
  static func run(
    _ code: any EffectRun, as registration: BoundRegistration, on action: Action,
    within lifeMax: Duration? = nil, in tasks: TaskScheduler,
    then completion: @escaping (EffectTask.Ending) -> Void
  ) throws(TaskError) -> FirstTurn {
    let interrupted = exchange(&tasks.current, with: nil)
    defer { tasks.current = interrupted }
    var ending: EffectTask.Ending?
    let asker = EffectTask.Asker(within: lifeMax) { ending = $0 }
    let task = try tasks.makeTask(registration.effect, on: action, run: code, for: asker)
    tasks.go(task, on: .begin)
    if let ending { return .ended(ending) }
    if task.standing == .ended { return .ended(.cancelled) }
    asker.completion = completion
    return .waits(task.id)
  }
}
