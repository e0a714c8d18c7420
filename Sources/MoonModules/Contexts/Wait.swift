package import MoonActions
package import MoonValues

/// The event that a task waits for.
package enum Wait {
  /// The end of a duration.
  case sleep(Duration)
  /// The next action that matches a pattern.
  case action(ActionPattern)
  /// The next change of a part of the state.
  case change(Path)
  /// The end of other tasks, or of a duration.
  case tasks([TaskID], TaskGoal, within: Duration?)
  /// The result of a Swift function that runs outside the host.
  case operation(Operation)
  /// The answer of the session to a request.
  case request(SessionRequest)
  /// The end of the task's own Swift function, which runs outside the host.
  case code
  /// The start of the effect, which its timing delays.
  case start(Duration)
  /// The start of the effect, once it has ended for an earlier action.
  case turn
  /// The next run of a timer.
  case timer(Duration, every: Duration?)
  /// Nothing: the task ends only when it is cancelled.
  case cancellation

  /// The condition on the awaited tasks.
  package enum TaskGoal: String, Sendable {
    /// One task has ended in any way.
    case any
    /// All tasks have finished, or one has failed or was cancelled.
    case all
  }

  /// The shortest wait that counts as time passing, and not as an answer to an action.
  static let restMin: Duration = .milliseconds(1)

  /// Whether time or something outside the session ends the wait.
  package var isRest: Bool {
    switch self {
    case .sleep(let time), .start(let time), .timer(let time, _): time >= Self.restMin
    case .operation, .code: true
    case .tasks, .action, .change, .request, .turn, .cancellation: false
    }
  }

  /// Whether the wait can end without a dispatched action, and isn't a timer's.
  package var endsWithoutAction: Bool {
    switch self {
    case .sleep, .operation, .code, .request, .start: true
    case .tasks(_, _, let limit): limit != nil
    case .action, .change, .turn, .cancellation: false
    // Would make every wait for the tasks of a session last as long as it may.
    case .timer: false
    }
  }
}

extension Wait: CustomStringConvertible {
  /// The object of "waits for": `2 s`, `auth/*`, `a change of cart.total`, `task 3`.
  package var description: String {
    switch self {
    case .sleep(let time): Wording.time(time)
    case .action(let pattern): pattern.description
    case .change(let path): "a change of \(path.components.isEmpty ? "the state" : "\(path)")"
    case .tasks(let tasks, let goal, let limit):
      Self.description(of: tasks, goal) + (limit.map { ", \(Wording.time($0)) at most" } ?? "")
    case .operation(let operation): operation.name
    case .request(let request): request.description
    case .code: "Swift code of its own"
    case .start(let time): "its start in \(Wording.time(time))"
    case .turn: "its turn"
    case .timer(_, let every?): "its next run, every \(Wording.time(every))"
    case .timer(let time, nil): "its run in \(Wording.time(time))"
    case .cancellation: "its cancellation"
    }
  }

  /// The maximum number of tasks named.
  private static let namedMax = 5

  private static func description(of tasks: [TaskID], _ goal: TaskGoal) -> String {
    guard tasks.count > 1 else { return tasks.first.map { "task \($0)" } ?? "no task" }
    let named = tasks.prefix(namedMax).map(\.description).joined(separator: ", ")
    let rest = tasks.count > namedMax ? ", …" : ""
    return (goal == .any ? "the first of tasks " : "tasks ") + named + rest
  }
}

/// A Swift function that a task waits for: one call of a service.
package struct Operation: Sendable {
  /// The object of "waits for": `http.get https://example.com`.
  package let name: String
  /// The function, which returns the task's answer.
  ///
  /// It runs outside the host and is cancelled with the task.
  package let body: @Sendable () async throws -> WaitAnswer
  /// What runs the function; nil for Swift's threads.
  package let executor: (any TaskExecutor)?

  /// Makes an operation.
  package init(
    name: String, on executor: (any TaskExecutor)? = nil,
    _ body: @escaping @Sendable () async throws -> WaitAnswer
  ) {
    self.name = name
    self.executor = executor
    self.body = body
  }

  /// The operation without its function, and without the memory of its arguments.
  package var ended: Operation { Operation(name: name) { .failure("\(CancellationError())") } }
}
