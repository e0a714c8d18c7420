import MoonLua
import MoonSession
import MoonStore
import MoonValues

/// The host functions that dispatch what scripts hand over.
extension Bindings {
  /// Dispatches the actions and URLs of a list, each alone.
  func emit(_ arguments: [Value?], from module: ModuleName) throws(Refusal) {
    guard let call = activity.call, let registration = call.registration else {
      throw .refused("there is no session while a module is loaded: do it in `on_start`")
    }
    var actions: [Action] = []
    for value in (arguments.first ?? nil)?.listValue ?? List() {
      guard let action = Action(result: value, owner: module.text) else {
        throw .refused(
          """
          \(registration.registration) returned or emitted \(value.kind), which can't be \
          dispatched; write an action such as {type = "add"}, a URL such as "/counter", a \
          function, moon.defer(f), or a list of these
          """)
      }
      actions.append(action)
    }
    do throws(DispatchError) {
      for action in actions {
        try SessionContext(call.session, registration).dispatch(action)
      }
    } catch {
      throw .refused("\(error)")
    }
  }

  /// Starts a timer; returns the number of its task.
  func startTimer(_ arguments: [Value?], of module: ModuleName) throws(Refusal) -> Argument {
    guard let call = activity.call, let registration = call.registration else {
      throw .refused("there is no session while a module is loaded: do it in `on_start`")
    }
    let actions = try Action.read(Array(arguments.dropFirst(2)), owner: module.text)
    guard let action = actions.first, actions.count == 1 else {
      throw .refused("a timer dispatches one action, not \(actions.count)")
    }
    let context = SessionContext(call.session, registration)
    let time = arguments.seconds(1)
    do throws(TimerError) {
      let task =
        arguments.first == .some(.bool(true))
        ? try context.dispatch(action, every: time) : try context.dispatch(action, after: time)
      return .value(.int(Int64(task.number)))
    } catch {
      throw .refused("\(error)")
    }
  }
}

extension Action {
  /// Reads `("add", {by = 1})`, `{type = "add", payload = …}`, or a list of actions.
  static func read(
    _ arguments: [Value?], owner: String
  ) throws(Refusal) -> [Action] {
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
