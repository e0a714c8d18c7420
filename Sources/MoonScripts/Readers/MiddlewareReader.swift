import MoonActions
import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `middleware = { priority = "high", on = "todo/*", run = function(action, state, self) …
  /// end }`, a function for all actions, or a list of these.
  static let middleware = KeyReader("middleware", countMax: 100) { reader, form, module in
    for (form, key) in form.elementsOrSelf(key: "middleware") {
      guard let part = reader.middlewarePart(form, key: key) else { continue }
      module.middleware.append(reader.generation.middleware(part))
    }
  }
}

extension KeyReader {
  /// Reads `after_reduce = { on = "todo/*", run = function(action, before, after, self) … end }`, a
  /// function for all actions, or a list of these.
  static let afterReduce = KeyReader("after_reduce", countMax: 100) { reader, form, module in
    for (form, key) in form.elementsOrSelf(key: "after_reduce") {
      guard let part = reader.middlewarePart(form, key: key) else { continue }
      module.afterReduce.append(reader.generation.afterReduce(part))
    }
  }
}

/// The parts of a middleware in Lua.
private struct MiddlewarePart {
  var pattern = ActionPattern.all
  var priority = Middleware.Priority.medium
  let function: LuaFunction
}

extension ModuleReader {
  fileprivate mutating func middlewarePart(_ form: Form, key: String) -> MiddlewarePart? {
    if let function = form.functionValue { return MiddlewarePart(function: function) }
    let fields = self.form.fields(of: form, key: key, known: ["on", "priority", "run"])
    guard let function = self.form.required(fields["run"], key: "\(key).run", form)
    else { return nil }
    var part = MiddlewarePart(function: function)
    if let text = self.form.string(fields["priority"], key: "\(key).priority") {
      if let known = Middleware.Priority(rawValue: text) {
        part.priority = known
      } else {
        self.form.note(
          .wrongKind(
            key: "\(key).priority", expected: "\"high\", \"medium\" or \"low\"",
            found: "\"\(text)\""),
          key: "\(key).priority")
      }
    }
    if let text = self.form.string(fields["on"], key: "\(key).on") {
      guard let known = self.pattern(text, key: "\(key).on", place: nil) else { return nil }
      part.pattern = known
    }
    return part
  }
}

extension Generation {
  fileprivate func middleware(_ part: MiddlewarePart) -> Middleware {
    let limits = limits(.middleware, "a middleware")
    let function = part.function
    return Middleware(part.pattern, priority: part.priority, place: function.place) {
      [self] action, state, context in
      let value = action.value
      let edit: Machine.Edit
      do throws(LuaError) {
        edit = try machine.edit(
          function, value, name: "action", limits: limits.repeatable(in: context)
        ) { arguments in
          arguments.append(.view(state, name: ""))
          arguments.append(.context)
        }
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

  fileprivate func afterReduce(_ part: MiddlewarePart) -> AfterReduce {
    let limits = limits(.middleware, "after_reduce")
    let function = part.function
    return AfterReduce(part.pattern, priority: part.priority, place: function.place) {
      [self] action, before, after in
      let arguments: [Argument] = [
        .value(action.value), .view(before, name: ""), .view(after, name: ""), .context,
      ]
      return LuaRun(function, arguments, limits, sendsResults: true, of: self)
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
