import MoonLua
import MoonSession
import MoonStore
import MoonValues

extension KeyReader {
  /// Reads `middleware = { priority = "high", on = "todo/*", run = function(action, state) … end
  /// }`, a function for all actions, or a list of these.
  static let middleware = KeyReader("middleware", countMax: 100) { reader, form, module in
    for (form, key) in form.elementsOrSelf(key: "middleware") {
      if let one = reader.middleware(form, key: key) { module.middleware.append(one) }
    }
  }
}

extension ModuleReader {
  fileprivate mutating func middleware(_ form: Form, key: String) -> Middleware? {
    if let function = form.functionValue { return generation.middleware(.all, .medium, function) }
    let fields = self.form.fields(of: form, key: key, known: ["on", "priority", "run"])
    guard let function = required(fields["run"], key: "\(key).run", form) else { return nil }
    var priority = Middleware.Priority.medium
    if let text = self.form.string(fields["priority"], key: "\(key).priority") {
      if let known = Middleware.Priority(rawValue: text) {
        priority = known
      } else {
        self.form.note(
          .wrongKind(
            key: "\(key).priority", expected: "\"high\", \"medium\" or \"low\"",
            found: "\"\(text)\""),
          key: "\(key).priority")
      }
    }
    var pattern = ActionPattern.all
    if let text = self.form.string(fields["on"], key: "\(key).on") {
      guard let known = self.pattern(text, key: "\(key).on", place: nil) else { return nil }
      pattern = known
    }
    return generation.middleware(pattern, priority, function)
  }
}

extension Generation {
  fileprivate func middleware(
    _ pattern: ActionPattern, _ priority: Middleware.Priority, _ function: LuaFunction
  ) -> Middleware {
    let limits = limits(.middleware, "a middleware")
    return Middleware(pattern, priority: priority, place: function.place) {
      [self] action, state in
      let value = action.value
      let edit: Machine.Edit
      do throws(LuaError) {
        edit = try machine.edit(
          function, value, name: "action", [.view(state, name: "")], limits: limits)
      } catch {
        throw failure(error)
      }
      let verdict = try verdict(edit.answer, on: action, function)
      if case .pass = verdict, edit.draft != value {
        throw refusal(
          """
          it changed the action and didn't return it: return the action for the change to count, \
          or an action of its own
          """, function)
      }
      return verdict
    }
  }

  /// Reads the answer: nothing or true to pass, false to drop, an action or a list to replace.
  private func verdict(
    _ answer: Value?, on action: Action, _ function: LuaFunction
  ) throws(CodeFailure) -> Middleware.Verdict {
    switch answer {
    case nil, .bool(true): return .pass
    case .bool(false): return .drop
    case .map(let map) where map.isEmpty: return .drop  // a list of no actions
    case .list(let list):
      var actions: [Action] = []
      for element in list {
        guard let made = Action(script: element, owner: name.text, like: action) else { break }
        actions.append(made)
      }
      if actions.count == list.count { return .replace(actions) }
    case let answer?:
      if let made = Action(script: answer, owner: name.text, like: action) {
        return .replace([made])
      }
    }
    throw refusal(
      """
      a middleware returns nothing to pass the action on, false to drop it, or one action or a \
      list of actions, each {type = "…", payload = …}, to put in its place
      """, function)
  }
}
