import MoonCards
import MoonLua
import MoonNavigation
import MoonStore
import MoonValues

/// Reads and checks what functions of scripts return.
extension Generation {
  /// How deep lists of returned values may nest.
  private static let answerDepthMax = 32

  private static let screenKeys = ["body", "id", "kind", "props", "title"]

  /// Reads the screen that a provider returns.
  func screen(_ map: Map, _ function: LuaFunction) throws(LuaError) -> Screen {
    var screen = Screen(id: "")
    for (key, value) in map {
      switch (key, value) {
      case ("id", .string(let text)): screen.id = text
      case ("kind", .string(let text)): screen.kind = text
      case ("title", .string(let text)): screen.title = text
      case ("props", .map), ("props", .list): screen.props = value
      case ("body", .list), ("body", .map), ("body", .string):
        screen.body = Self.list(value)
      default: throw Self.error(Self.complaint(key, value), function)
      }
    }
    try check(screen, function)
    return screen
  }

  private static func complaint(_ key: Key, _ value: Value) -> String {
    guard case .string(let name) = key, screenKeys.contains(name.string) else {
      let nearest = Spelling.nearest(to: key.description, in: screenKeys)
      return "a screen has no field '\(key.description)'"
        + (nearest.map { "; did you mean '\($0)'?" }
          ?? ": it has \(screenKeys.joined(separator: ", "))")
    }
    let expected = name == "props" ? "a table" : name == "body" ? "a list of elements" : "a string"
    return "the screen's \(name) must be \(expected), not \(value.kind)"
  }

  /// The list that a script meant by a value; a whole card stays as it is.
  ///
  /// Lua's empty table is read as a map, and an element may stand alone.
  private static func list(_ value: Value) -> Value {
    switch value {
    case .map(let map) where map.isEmpty: .list(List())
    case .map(let map) where map["type"] == "AdaptiveCard": value
    case .list: value
    default: .list(List([value]))
    }
  }

  static func withList(_ field: Key, in value: Value) -> Value {
    guard case .map(var map) = value, let found = map[field] else { return value }
    map[field] = list(found)
    return .map(map)
  }

  /// Reads a handler's answer: nothing or true if it is done, false to decline, or a redirect.
  static func answer(
    _ answer: Value?, of who: String, _ function: LuaFunction
  ) throws(LuaError) -> HandlerAnswer {
    switch answer {
    case nil, .bool(true): return .handled
    case .bool(false): return .declined
    case let answer?:
      if let redirect = try redirect(answer, function) { return .redirected(redirect) }
      throw error(
        """
        \(who) returns nothing when it is done, false to decline, or moon.redirect(url), not \
        \(answer.kind)
        """, function)
    }
  }

  /// Reads an observer's answer: nothing or true to proceed, false and a reason to veto, or a
  /// redirect.
  static func decision(
    _ answers: [Value?], _ function: LuaFunction
  ) throws(LuaError) -> RoutingObserver.Decision {
    switch answers.first ?? nil {
    case nil, .bool(true): return .proceed
    case .bool(false):
      let reason = answers.count > 1 ? answers[1]?.stringValue : nil
      return .veto(reason: reason)
    case let answer?:
      if let redirect = try redirect(answer, function) { return .redirect(redirect) }
      throw error(
        """
        a routing observer returns nothing to let it pass, false and a reason to veto, or \
        moon.redirect(url), not \(answer.kind)
        """, function)
    }
  }

  /// Reads `{redirect = URL, params = {…}}`; nil if the value is something else.
  private static func redirect(
    _ value: Value, _ function: LuaFunction
  ) throws(LuaError) -> Redirect? {
    guard case .map(let map) = value, let url = map["redirect"]?.textValue else { return nil }
    guard let parameters = Session.parameters(map["params"]) else {
      throw error(
        "a redirect takes its parameters as a table of names, not "
          + (map["params"]?.kind ?? "nothing"), function)
    }
    return Redirect(to: url, passing: parameters)
  }

  /// Reads a module mapper's answer: nothing, one mapping, or a list of them.
  func mappings(_ answer: Value?, _ function: LuaFunction) throws(LuaError) -> [ModuleMapping] {
    var found: [ModuleMapping] = []
    for one in try Self.flat(answer, function) {
      guard let mapping = mapping(one) else {
        throw Self.error(
          """
          a module mapper returns nothing, moon.start(module), moon.stop(module), \
          moon.replace(action), or a list of these, not \(one.kind)
          """, function)
      }
      found.append(mapping)
    }
    return found
  }

  private func mapping(_ value: Value) -> ModuleMapping? {
    guard case .map(let map) = value else { return nil }
    let payload = map["payload"] ?? .null
    if let module = map["start"]?.stringValue.flatMap({ ModuleName($0) }) {
      return .start(module, payload)
    }
    if let module = map["stop"]?.stringValue.flatMap({ ModuleName($0) }) {
      return .stop(module, payload)
    }
    return map["replace"].flatMap { Action(script: $0, owner: name.text) }.map { .replace($0) }
  }

  /// Reads what to do to the navigation: nothing, a URL, an action of `moon.nav`, or a list.
  static func navigation(
    _ answer: Value?, of who: String, _ function: LuaFunction
  ) throws(LuaError) -> [Action] {
    var actions: [Action] = []
    for one in try flat(answer, function) {
      if case .string(let url) = one {
        actions.append(.route(url))
      } else if let action = Action(script: one, owner: "nav"),
        NavigationActions.include(action.type)
      {
        actions.append(action)
      } else {
        throw error(
          """
          \(who) returns nothing, a URL, an action such as moon.nav.push("/counter"), \
          or a list of these, not \(one.kind)
          """, function)
      }
    }
    return actions
  }

  /// The elements of a list and of the lists in it, at any depth.
  private static func flat(
    _ answer: Value?, _ function: LuaFunction, depth: Int = 0
  ) throws(LuaError) -> [Value] {
    guard depth < answerDepthMax else {
      throw error("a list of answers is nested deeper than \(answerDepthMax)", function)
    }
    switch answer {
    case nil, .null, .bool(false): return []
    case .map(let map) where map.isEmpty: return []
    case .list(let list):
      var all: [Value] = []
      for element in list { all += try flat(element, function, depth: depth + 1) }
      return all
    case let one?: return [one]
    }
  }

  /// Checks the body of a screen.
  func check(_ screen: Screen, _ function: LuaFunction) throws(LuaError) {
    do throws(CardError) {
      _ = try Card(screen.body, at: Path([.key("body")]))
    } catch {
      throw Self.error("the screen's \(error)", function)
    }
  }
}
