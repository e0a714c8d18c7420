import MoonLua
import MoonSession
import MoonStore
import MoonValues

/// The host functions for tasks, which `tasks.lua` calls.
struct TaskBindings {
  /// The maximum duration of a wait in seconds, equal to the one in `tasks.lua`.
  static let secondsMax = 1_000_000_000.0

  private let session: Session
  private let module: ModuleName

  init(_ session: Session?, _ module: ModuleName) throws(Refusal) {
    guard let session else { throw .refused("there are no tasks while a module is loaded") }
    self.session = session
    self.module = module
  }

  /// Carries out a call; the results of a wait that ends immediately begin with true.
  func call(_ number: Int32, _ arguments: [Value?]) throws(Refusal) -> [Argument] {
    switch HostFunction(rawValue: number) {
    case .spawn: return [try spawn(arguments)]
    case .cancel:
      let id = arguments.taskIDs.first.flatMap { session.tasks.owner(of: $0) == module ? $0 : nil }
      return [.value(.bool(id.map { session.tasks.cancel($0) } ?? false))]
    case .sleep: try wait(for: .sleep(arguments.seconds(0)))
    case .take: try wait(for: .action(pattern(arguments.text(0))))
    case .change: try wait(for: .change(path(arguments.text(0))))
    case .await: return try awaitTasks(arguments)
    case .rest: try wait(for: .cancellation)
    case .outcome:
      let actions = try Action.read(arguments, owner: module.text)
      try wait(for: .request(.outcome(of: actions)))
    case .screen:
      let given = arguments.count > 1 ? arguments[1] : nil
      guard let parameters = Redirect.parameters(given) else {
        throw .refused("self.screen takes its parameters as a table such as {id = 7}")
      }
      let url = Text(arguments.text(0))
      try wait(for: .request(.screen(url, passing: parameters)))
    case .callCommand: return [try callCommand(arguments)]
    case .task: return [session.tasks.current?.durableFacts.map { .value($0) } ?? .none]
    case .beginAnew: try beginAnew(arguments)
    case .result: return [try run().takeAnswer().map { .value($0) } ?? .none]
    default: throw .refused("the host has no function \(number)")
    }
    return []
  }

  private func beginAnew(_ arguments: [Value?]) throws(Refusal) {
    let run = try run()
    do throws(Refused) {
      try DurableTurns(session.tasks).beginAnew(with: (arguments.first ?? nil) ?? .null)
    } catch {
      throw .refused(error.text)
    }
    run.wait = .cancellation
  }

  /// Closes a handle of a service, if it is open.
  func closeHandle(_ arguments: [Value?]) throws(Refusal) {
    guard let id = arguments.first??.intValue else { return }
    try run().closeHandle(id)
  }

  private func run() throws(Refusal) -> LuaRun {
    guard let run = session.tasks.current?.run as? LuaRun else {
      throw .refused("only an effect, a command or a routing observer's `will` has tasks")
    }
    return run
  }

  private func wait(for wait: Wait) throws(Refusal) { try run().wait = wait }

  private func spawn(_ arguments: [Value?]) throws(Refusal) -> Argument {
    guard let reference = arguments.first??.intValue,
      let run = LuaRun(reference: reference, spawnedBy: try run())
    else { throw .refused("moon.spawn takes a function") }
    do throws(Refused) {
      return .value(.int(Int64(try session.tasks.spawn(run).number)))
    } catch {
      throw .refused(error.text)
    }
  }

  /// Begins a command; the result is its task.
  private func callCommand(_ arguments: [Value?]) throws(Refusal) -> Argument {
    let run = try run()
    let text = arguments.text(0)
    let name = text.contains("/") ? text : "\(module)/\(text)"
    let payload = (arguments.count > 1 ? arguments[1] : nil) ?? .null
    do throws(CommandError) {
      let task = try CommandCalls(session).begin(
        Text(name), payload, by: session.tasks.current?.id
      ) { [weak run, weak caller = session.tasks.current] result in
        guard case .success(let value) = result else { return }
        run?.answer = value
        caller?.noteResult(value)
      }
      return .value(.int(Int64(task.number)))
    } catch {
      throw .refused(error.description)
    }
  }

  private func awaitTasks(_ arguments: [Value?]) throws(Refusal) -> [Argument] {
    guard case .tasks(let ids, let goal, _) = Self.wait(for: arguments) else { return [] }
    if let current = session.tasks.current?.id, ids.contains(current) {
      throw .refused("a task can't wait for itself")
    }
    if let settled = session.tasks.settled(ids, goal) {
      return [.value(.bool(true))] + settled.map { $0.map { .value($0) } ?? .none }
    }
    try wait(for: Self.wait(for: arguments))
    return []
  }

  /// Returns the wait for tasks: `("all", {3, 4}, 2.5)`.
  static func wait(for arguments: [Value?]) -> Wait {
    .tasks(
      arguments.count > 1 ? [arguments[1]].taskIDs : [],
      Wait.TaskGoal(rawValue: arguments.text(0)) ?? .all,
      within: arguments.count > 2 ? arguments.seconds(2) : nil)
  }

  private func pattern(_ text: String) throws(Refusal) -> ActionPattern {
    guard let pattern = ActionPattern(text, owner: module.text) else {
      throw .refused(
        """
        moon.take: '\(text)' can't be the type of an action; write one such as "auth/logged_in", \
        a family such as "auth/*", or "*"
        """)
    }
    return pattern
  }

  private func path(_ text: String) throws(Refusal) -> Path {
    do {
      return try Path(parsing: text)
    } catch {
      throw .refused("'\(text)' is no path into the state; write one such as cart.items[3].price")
    }
  }
}

extension [Value?] {
  /// The numbers of tasks, which are in lists or alone.
  var taskNumbers: [Int] { taskIDs.map(\.number) }

  /// The tasks with these numbers, which are in lists or alone.
  fileprivate var taskIDs: [TaskID] {
    flatMap { value -> [TaskID] in
      switch value {
      case .int(let number): [TaskID(Int(clamping: number))]
      case .list(let list): list.compactMap { $0.intValue }.map { TaskID(Int(clamping: $0)) }
      default: []
      }
    }
  }

  /// Returns the duration at an index, within the limit; zero for anything but a number.
  func seconds(_ index: Int) -> Duration {
    let seconds: Double =
      switch self[index] {
      case .int(let whole): Double(whole)
      case .double(let number): number
      default: 0
      }
    guard seconds > 0 else { return .zero }
    return .seconds(Swift.min(seconds, TaskBindings.secondsMax))
  }
}
