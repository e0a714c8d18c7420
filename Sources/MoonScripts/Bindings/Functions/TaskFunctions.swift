import MoonActions
import MoonLua
import MoonModules
import MoonSession
import MoonTasks
import MoonValues

/// The functions of tasks, which `tasks.lua` calls.
enum TaskFunctions {
  static let all: [HostFunction] = [
    HostFunction(
      "sleep", [ScriptWord("moon.sleep(seconds: number)", "waits for a time")], replay: .waiting
    ) { call throws(HostRefusal) in
      _ = try call.taskSession()
      return .waits(.sleep(call.seconds(0)))
    },
    HostFunction(
      "take",
      [
        ScriptWord(
          "moon.take(type: string): table",
          "waits for the next action of a type, of a family such as `auth/*`, or of any (`*`), "
            + "and returns it")
      ], replay: .waiting
    ) { call throws(HostRefusal) in
      _ = try call.taskSession()
      guard let pattern = ActionPattern(call.text(0), owner: call.owner) else {
        throw .refused(
          """
          moon.take: '\(call.text(0))' can't be the type of an action; write one such as \
          "auth/logged_in", a family such as "auth/*", or "*"
          """)
      }
      return .waits(.action(pattern))
    },
    // Waits for a change of a part of the state.
    HostFunction(
      "change",
      [
        ScriptWord(
          "moon.when(path: string, f: function?): any",
          "waits until `f(part)` is true for a part of the state, or without `f`, until the"
            + " part itself is true; returns the part")
      ], replay: .waiting
    ) { call throws(HostRefusal) in
      _ = try call.taskSession()
      return .waits(.change(try call.path(0, example: "cart.items[3].price")))
    },
    // Waits for nothing but its cancellation.
    HostFunction("rest", atPrompt: HostFunction.noTasksAtPrompt, replay: .waiting) {
      call throws(HostRefusal) in
      _ = try call.taskSession()
      return .waits(.cancellation)
    },
    HostFunction(
      "spawn",
      [ScriptWord("moon.spawn(f: function): task", "starts a task that calls `f`")],
      atPrompt: HostFunction.noTasksAtPrompt, replay: .spawning
    ) { call throws(HostRefusal) in
      let session = try call.taskSession()
      guard let reference = call[0]?.intValue,
        let run = LuaRun(reference: reference, spawnedBy: try call.run())
      else { throw .refused("moon.spawn takes a function") }
      do throws(TaskError) {
        return .result(.value(.int(Int64(try session.tasks.spawn(run).number))))
      } catch {
        throw .refused(error.text)
      }
    },
    HostFunction(
      "cancel",
      [
        ScriptWord(
          "task:cancel(): boolean",
          "cancels a task where it waits; returns `false` if it had already ended"),
        ScriptWord(
          "timer:cancel(): boolean", "cancels a timer; returns `false` if it had already ended"),
      ], atPrompt: HostFunction.noTasksAtPrompt, replay: .cancelling
    ) { call throws(HostRefusal) in
      let tasks = try call.taskSession().tasks
      let id = call.tasks(0).first.flatMap { tasks.owner(of: $0) == call.module ? $0 : nil }
      return .result(.value(.bool(id.map { tasks.cancel($0) } ?? false)))
    },
    // Waits for the ends of tasks: `("all", {3, 4}, 2.5)`.
    HostFunction(
      "await",
      [
        ScriptWord(
          "task:await(): any",
          "waits until a task has ended; returns what `f` returned, or raises its error"),
        ScriptWord(
          "moon.all(parts: table): table",
          "waits for functions and tasks; returns their first results under the same keys"),
        ScriptWord(
          "moon.race(parts: table): any",
          "waits for the first one to end; returns its key and its results, and cancels the"
            + " other functions"),
        ScriptWord(
          "moon.timeout(seconds: number, f: function): any",
          "calls `f` and returns its results; after the time, cancels it and raises an error"),
      ], atPrompt: HostFunction.noTasksAtPrompt, replay: .awaiting
    ) { call throws(HostRefusal) in
      let tasks = try call.taskSession().tasks
      let (ids, goal, limit) = call.awaited
      if let current = tasks.current?.id, ids.contains(current) {
        throw .refused("a task can't wait for itself")
      }
      if let settled = tasks.settled(ids, goal) {
        return .results([.value(.bool(true))] + settled.map { $0.map { .value($0) } ?? .none })
      }
      return .waits(.tasks(ids, goal, within: limit))
    },
    // Begins a command; the result is its task.
    HostFunction(
      "callCommand",
      [
        ScriptWord(
          "self.call(command: string, payload: any?): any",
          "calls a command such as `cart/total`, or `total` of the same module, and returns its "
            + "answer, or raises its error")
      ], atPrompt: HostFunction.noTasksAtPrompt, replay: .calling
    ) { call throws(HostRefusal) in
      let session = try call.taskSession()
      let run = try call.run()
      let text = call.text(0)
      let name = text.contains("/") ? text : "\(call.owner)/\(text)"
      do throws(CommandError) {
        let task = try CommandCalls(session).begin(
          Text(name), call[1] ?? .null, by: session.tasks.current?.id
        ) { [weak run, weak caller = session.tasks.current] result in
          guard case .success(let value) = result else { return }
          run?.answer = value
          caller?.noteResult(value)
        }
        return .result(.value(.int(Int64(task.number))))
      } catch {
        throw .refused(error.description)
      }
    },
    // The answer of the command that the task has called.
    HostFunction("result", atPrompt: HostFunction.noTasksAtPrompt, replay: .takingResult) {
      call throws(HostRefusal) in
      .result(try call.run().takeAnswer().map { .value($0) } ?? .none)
    },
    HostFunction(
      "task",
      [
        ScriptWord(
          "self.task: table?",
          "the `number`, `key` and `generation` of the running durable task; nil in other code")
      ], atPrompt: HostFunction.noTasksAtPrompt, replay: .live
    ) { call throws(HostRefusal) in
      let facts = try call.taskSession().tasks.current?.durableFacts
      return .result(facts.map { .value($0) } ?? .none)
    },
    HostFunction(
      "beginAnew",
      [
        ScriptWord(
          "moon.continue(payload: any?)",
          "restarts a durable effect with another payload and a short journal")
      ], atPrompt: HostFunction.noTasksAtPrompt, replay: .beginningAnew
    ) { call throws(HostRefusal) in
      let session = try call.taskSession()
      _ = try call.run()
      do throws(TaskError) {
        try DurableTurns(session.tasks).beginAnew(with: call[0] ?? .null)
      } catch {
        throw .refused(error.text)
      }
      return .waits(.cancellation)
    },
  ]
}

extension HostCall {
  /// The tasks that a call waits for, with the goal and the maximum time.
  var awaited: (ids: [TaskID], goal: Wait.TaskGoal, limit: Duration?) {
    (
      tasks(1), Wait.TaskGoal(rawValue: text(0)) ?? .all, arguments.count > 2 ? seconds(2) : nil
    )
  }
}
