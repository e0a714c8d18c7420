package import MoonStore
package import MoonValues

/// What a task waits for.
package enum Wait {
  /// A time.
  case sleep(Duration)
  /// The next action of a type, or of a family.
  case action(ActionPattern)
  /// The next change of a part of the state.
  case change(Path)
  /// The end of other tasks.
  case tasks([TaskID], TaskGoal, within: Duration?)
  /// A function in Swift that runs beside the host.
  case operation(Operation)
  /// Code of its own that runs beside the host.
  case code

  /// Which end of tasks is waited for.
  package enum TaskGoal: String, Sendable {
    /// That of the first to end, in whatever way.
    case any
    /// That of all, or of the first that doesn't finish.
    case all
  }

  /// Whether it ends without anybody dispatching anything.
  package var endsByItself: Bool {
    switch self {
    case .sleep, .operation, .code: true
    case .tasks(_, _, let limit): limit != nil
    case .action, .change: false
    }
  }
}

extension Wait: CustomStringConvertible {
  /// What it is, as the object of "waits for": `2 s`, `auth/*`, `a change of cart.total`, `task 3`.
  package var description: String {
    switch self {
    case .sleep(let time): Wording.time(time)
    case .action(let pattern): pattern.description
    case .change(let path): "a change of \(path.components.isEmpty ? "the state" : "\(path)")"
    case .tasks(let tasks, let goal, let limit):
      Self.description(of: tasks, goal) + (limit.map { ", \(Wording.time($0)) at most" } ?? "")
    case .operation(let operation): operation.name
    case .code: "Swift code of its own"
    }
  }

  /// How many tasks are named.
  private static let namedMax = 5

  private static func description(of tasks: [TaskID], _ goal: TaskGoal) -> String {
    guard tasks.count > 1 else { return tasks.first.map { "task \($0)" } ?? "no task" }
    let named = tasks.prefix(namedMax).map(\.description).joined(separator: ", ")
    let rest = tasks.count > namedMax ? ", …" : ""
    return (goal == .any ? "the first of tasks " : "tasks ") + named + rest
  }
}

/// A function in Swift that a task waits for: one call of a service.
package struct Operation: Sendable {
  /// What it is, as the object of "waits for": `http.get https://example.com`.
  package let name: String
  /// Runs beside the host and is cancelled with the task, which gets its result.
  package let body: @Sendable () async throws -> Value

  /// Makes an operation.
  package init(name: String, _ body: @escaping @Sendable () async throws -> Value) {
    self.name = name
    self.body = body
  }
}
