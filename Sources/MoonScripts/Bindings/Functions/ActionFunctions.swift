import MoonActions
import MoonLua
import MoonModules
import MoonSession
import MoonValues

/// The functions that dispatch actions, at once or later.
enum ActionFunctions {
  static let all: [HostFunction] = [
    HostFunction(
      "dispatch",
      [
        ScriptWord(
          "self.dispatch(type: string | table | function, payload: any?)",
          "queues an action; a type without a slash is the module's own"),
        ScriptWord(
          "self.route(url: string, params: table?, option: table?)", "queues the routing of a URL"),
      ], replay: .sending
    ) { call throws(HostRefusal) in
      try dispatch(call)
      return .nothing
    },
    // Dispatches the actions and URLs of a list, each alone.
    HostFunction("emit", atPrompt: HostFunction.noTasksAtPrompt, replay: .sending) {
      call throws(HostRefusal) in
      let (context, registration) = try call.registration(noSession)
      var actions: [Action] = []
      for value in call[0]?.listValue ?? List() {
        guard let action = Action(result: value, owner: call.owner) else {
          throw .refused(
            """
            \(registration) returned or emitted \(value.kind), which can't be \
            dispatched; write an action such as {type = "add"}, a URL such as "/counter", a \
            function, moon.defer(f), or a list of these
            """)
        }
        actions.append(action)
      }
      do throws(DispatchError) {
        for action in actions { try context.dispatch(action) }
      } catch {
        throw .refused("\(error)")
      }
      return .nothing
    },
    HostFunction(
      "timer",
      [
        ScriptWord(
          "self.after(seconds: number, type: string | table, payload: any?): timer",
          "dispatches an action after a time; returns a timer, which `timer:cancel()` cancels"),
        ScriptWord(
          "self.every(seconds: number, type: string | table, payload: any?): timer",
          "dispatches an action repeatedly; returns a timer"),
      ], atPrompt: HostFunction.noTasksAtPrompt,
      replay: .refused(
        "a durable effect has no timers, which end with the program: write "
          + "moon.spawn(function() moon.sleep(…) self.dispatch(…) end)")
    ) { call throws(HostRefusal) in
      let context = try call.registration(noSession).context
      let actions = try Action.read(Array(call.arguments.dropFirst(2)), owner: call.owner)
      guard let action = actions.first, actions.count == 1 else {
        throw .refused("a timer dispatches one action, not \(actions.count)")
      }
      let time = call.seconds(1)
      do throws(TimerError) {
        let task =
          call[0] == true
          ? try context.dispatch(action, every: time) : try context.dispatch(action, after: time)
        return .result(.value(.int(Int64(task.number))))
      } catch {
        throw .refused("\(error)")
      }
    },
    HostFunction(
      "outcome",
      [
        ScriptWord(
          "self.dispatch_and_wait(type: string | table, payload: any?, options: table?): table",
          "dispatches as `self.dispatch` does and waits, with `{ effects = true }` also for the "
            + "effects that it starts"),
        ScriptWord(
          "self.route_and_wait(url: string, params: table?, option: table?): table",
          "routes a URL and waits, also for routing observers"),
      ], atPrompt: HostFunction.noTasksAtPrompt, replay: .waiting
    ) { call throws(HostRefusal) in
      _ = try call.taskSession()
      return .waits(
        .request(
          .outcome(
            of: try Action.read(call.arguments, owner: call.owner),
            withEffects: call[2] == .bool(true))))
    },
  ]

  private static let noSession =
    "there is no session while a module is loaded: do it in `on_start`"

  private static func dispatch(_ call: HostCall) throws(HostRefusal) {
    let context =
      call.module == nil
      ? nil
      : try call.registration(
        "nothing can be dispatched while a module is loaded: do it in `on_start`"
      ).context
    let actions = try Action.read(call.arguments, owner: call.owner)
    do throws(DispatchError) {
      if call.module == nil {
        if let session = call.bindings.activity.call?.session, let first = actions.first {
          _ = try session.run(first, with: actions.others, cause: .prompt)
        }
      } else {
        try context?.dispatch(actions)
      }
    } catch {
      throw .refused("\(error)")
    }
  }
}

extension Action {
  /// Reads `("add", {by = 1})`, `{type = "add", payload = …}`, or a list of actions.
  static func read(
    _ arguments: [Value?], owner: String
  ) throws(HostRefusal) -> [Action] {
    let first = arguments.first ?? nil
    let payload = arguments.count > 1 ? arguments[1] : nil
    if let first, var action = Action(script: first, owner: owner) {
      if case .string = first, let payload { action.payload = payload }
      return [action]
    }
    if payload == nil, let list = first?.asActions {
      let actions = list.compactMap { Action(script: $0, owner: owner) }
      if actions.count == list.count { return actions }
      let wrong = list.firstIndex { Action(script: $0, owner: owner) == nil } ?? 0
      throw .refused("dispatch takes a list of actions, and number \(wrong + 1) of them is none")
    }
    throw .refused(
      """
      dispatch takes the type of an action, such as "counter/add", and its payload, a table \
      {type = …, payload = …}, or a list of these
      """
    )
  }
}

extension Value {
  /// The elements of a list; none for Lua's empty table.
  fileprivate var asActions: [Value]? {
    switch self {
    case .list(let list): Array(list)
    case .map(let map) where map.isEmpty: []
    default: nil
    }
  }
}
