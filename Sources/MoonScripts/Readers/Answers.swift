import MoonActions
import MoonCards
import MoonLua
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonSession
import MoonValues

/// A reader that checks the results of a generation's functions.
struct Answers {
  /// The maximum depth of nested lists in a result.
  private static let depthMax = 32

  let generation: Generation

  /// Reads the screen that a provider returns.
  func screen(_ map: Map, _ function: LuaFunction) throws(CodeFailure) -> Screen {
    var screen = Screen(id: "")
    for (key, value) in map where !Self.take(value, under: key, &screen) {
      throw generation.refusal(Screen.complaint(key, value), function)
    }
    try check(screen, function)
    return screen
  }

  /// Takes a field of a screen; returns false if there is none that takes the value.
  private static func take(_ value: Value, under key: Key, _ screen: inout Screen) -> Bool {
    switch value {
    case .string(let text):
      switch key {
      case "id": screen.id = text
      case "kind": screen.kind = text
      case "title": screen.title = text
      case "body": screen.body = value.asList
      default: return false
      }
    case .map, .list:
      switch key {
      case "props": screen.props = value
      case "body": screen.body = value.asList
      default: return false
      }
    case .bool(false): return key == "body"
    default: return false
    }
    return true
  }

  /// Reads a handler's answer: nothing or true if it handled the URL, false to decline, or a
  /// redirect.
  func handler(
    _ answer: Value?, of who: String, _ function: LuaFunction
  ) throws(CodeFailure) -> HandlerAnswer {
    switch answer {
    case nil, .bool(true): return .handled
    case .bool(false): return .declined
    case let answer?:
      if let redirect = try redirect(answer, function) { return .redirected(redirect) }
      throw generation.refusal(
        """
        \(who) returns nothing when it is done, false to decline, or moon.redirect(url), not \
        \(answer.kind)
        """, function)
    }
  }

  /// Reads an observer's answer: nothing or true to proceed, false and a reason to veto, or a
  /// redirect.
  func decision(
    _ answers: [Value?], _ function: LuaFunction
  ) throws(CodeFailure) -> RoutingObserver.Decision {
    switch answers.first ?? nil {
    case nil, .bool(true): return .proceed
    case .bool(false):
      let reason = answers.count > 1 ? answers[1]?.stringValue : nil
      return .veto(reason: reason)
    case let answer?:
      if let redirect = try redirect(answer, function) { return .redirect(redirect) }
      throw generation.refusal(
        """
        a routing observer returns nothing to let it pass, false and a reason to veto, or \
        moon.redirect(url), not \(answer.kind)
        """, function)
    }
  }

  /// Reads what becomes of going back: nothing or true to go, false and a reason to stay, or URLs
  /// and actions to carry out instead.
  func back(
    _ answers: [Value?], _ function: LuaFunction, of asked: String
  ) throws(CodeFailure) -> BackHook.Answer {
    switch answers.first ?? nil {
    case nil, .bool(true): return .proceed
    case .bool(false):
      return .stay(reason: answers.count > 1 ? answers[1]?.stringValue : nil)
    case let answer?:
      var actions: [Action] = []
      for one in try flat(answer, function) {
        if case .string(let url) = one {
          actions.append(.route(url))
        } else if let action = Action(script: one, owner: generation.name.text) {
          actions.append(action)
        } else {
          throw generation.refusal(
            """
            \(asked) returns nothing to go back, false and a reason to stay, or what is to be \
            done instead: a URL, an action, or a list of these, not \(one.kind)
            """, function)
        }
      }
      return .replace(actions)
    }
  }

  /// Reads `{redirect = URL, params = {…}}`; nil if the value has another form.
  private func redirect(
    _ value: Value, _ function: LuaFunction
  ) throws(CodeFailure) -> Redirect? {
    guard case .map(let map) = value, let url = map["redirect"]?.textValue else { return nil }
    guard let parameters = Redirect.parameters(map["params"]) else {
      throw generation.refusal(
        "a redirect takes its parameters as a table of names, not "
          + (map["params"]?.kind ?? "nothing"), function)
    }
    var option: RoutingOption?
    if let named = map["option"], named != .null {
      do throws(RoutingOptionError) {
        option = try RoutingOption(reading: named)
      } catch {
        throw generation.refusal(
          "a redirect takes an option such as moon.push(): \(error)", function)
      }
    }
    return Redirect(to: url, passing: parameters, option: option)
  }

  /// Reads changes of the navigation: nothing, a URL, an action of `moon.nav`, or a list.
  func navigation(
    _ answer: Value?, of who: String, _ function: LuaFunction
  ) throws(CodeFailure) -> [Action] {
    var actions: [Action] = []
    for one in try flat(answer, function) {
      if case .string(let url) = one {
        actions.append(.route(url))
      } else if let action = Action(script: one, owner: "nav"),
        NavigationActions.include(action.type)
      {
        actions.append(action)
      } else {
        throw generation.refusal(
          """
          \(who) returns nothing, a URL, an action such as moon.nav.push("/counter"), \
          or a list of these, not \(one.kind)
          """, function)
      }
    }
    return actions
  }

  /// Reads a routing presenter's answer: nothing or false if it leaves the screen to the next one,
  /// true if it has shown it, or changes of the navigation.
  func presentation(
    _ answer: Value?, _ function: LuaFunction
  ) throws(CodeFailure) -> [Action]? {
    switch answer {
    case nil, .null, .bool(false): nil
    case .bool(true): []
    case let answer?: try navigation(answer, of: "a routing presenter", function)
    }
  }

  /// Returns the elements of a list and of the lists in it, at any depth.
  func flat(
    _ answer: Value?, _ function: LuaFunction, depth: Int = 0
  ) throws(CodeFailure) -> [Value] {
    guard depth < Self.depthMax else {
      throw generation.refusal("a list of answers is nested deeper than \(Self.depthMax)", function)
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
  func check(_ screen: Screen, _ function: LuaFunction) throws(CodeFailure) {
    if case .list(let elements) = screen.body, elements.isEmpty { return }
    do throws(CardError) {
      _ = try Card(screen.body, at: Path([.key("body")]))
    } catch {
      throw generation.refusal("the screen's \(error)", function)
    }
  }
}

extension Generation {
  /// The reader of the functions' results.
  var answers: Answers { Answers(generation: self) }
}

extension Screen {
  private static let keys = ["body", "id", "kind", "props", "title"]

  /// Returns what is wrong with a field that a script gave to a screen.
  fileprivate static func complaint(_ key: Key, _ value: Value) -> String {
    guard case .string(let name) = key, keys.contains(name.string) else {
      let nearest = Spelling.nearest(to: key.description, in: keys)
      return "a screen has no field '\(key.description)'"
        + (nearest.map { "; did you mean '\($0)'?" }
          ?? ": it has \(keys.joined(separator: ", "))")
    }
    let expected = name == "props" ? "a table" : name == "body" ? "a list of elements" : "a string"
    return "the screen's \(name) must be \(expected), not \(value.kind)"
  }
}

extension Key {
  fileprivate var isInteger: Bool { if case .int = self { true } else { false } }
}

extension Value {
  /// The value as a list; a whole card is returned unchanged.
  ///
  /// Lua's empty table is read as a map, and an element may stand alone.
  fileprivate var asList: Value {
    switch self {
    case .map(let map) where map.isEmpty: .list(List())
    case .map(let map) where map["type"] == "AdaptiveCard": self
    // A list may have gaps, where `condition and element` was nil.
    case .map(let map) where map.keys.allSatisfy(\.isInteger): self
    case .list: self
    default: .list(List([self]))
    }
  }

  /// Returns the value with a list under a key, if the key has a value other than `known`.
  func withList(under field: Key, unless known: Value) -> Value {
    guard case .map(var map) = self, let found = map[field], !found.isIdentical(to: known) else {
      return self
    }
    map[field] = found.asList
    return .map(map)
  }
}
