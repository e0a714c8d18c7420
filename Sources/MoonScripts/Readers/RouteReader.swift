import MoonLua
import MoonModules
import MoonNavigation
import MoonRouting
import MoonValues

extension KeyReader {
  /// Reads `routes = { ["/counter/:start"] = { screen = function, option = …, … } }`.
  static let routes = KeyReader("routes", countMax: .max) { reader, form, module in
    module.routes += reader.routes(form)
  }

  /// Reads `handlers = { ["/logout"] = function }`, or `{ run = function, … }`.
  static let handlers = KeyReader("handlers", countMax: .max) { reader, form, module in
    module.routes += reader.handlers(form)
  }

  /// Reads `unmatched = function(route, state, self) … end`.
  static let unmatched = KeyReader("unmatched") { reader, form, module in
    module.hooks.unmatched = reader.form.function(form, key: "unmatched")
      .map(reader.generation.unmatched)
  }
}

extension ModuleReader {
  fileprivate mutating func routes(_ table: Form) -> [Route] {
    var routes: [Route] = []
    for (text, value) in patterns(table, key: "routes") where !form.isFull {
      let key = "routes[\"\(text)\"]"
      var fields: [String: Form] = [:]
      if value.functionValue != nil {
        fields = ["screen": value]
      } else {
        fields = form.fields(
          of: value, key: key,
          known: ["kind", "name", "option", "parent", "priority", "screen", "when"])
        if fields["screen"] == nil, value.fields != nil {
          form.note(
            .wrongKind(key: key + ".screen", expected: "a function", found: "nothing"),
            at: form.place(of: text, in: "routes"))
          continue
        }
      }
      let option = RoutingOption(
        reading: fields["option"], key: key + ".option", of: text, &form)
      guard let function = form.function(fields["screen"], key: key + ".screen"),
        let pattern = routePattern(text, function)
      else { continue }
      routes.append(
        Route(
          pattern, name: form.string(fields["name"], key: key + ".name").map { Text($0) },
          priority: priority(fields["priority"], key: key), option: option,
          kind: form.string(fields["kind"], key: key + ".kind").map { Text($0) },
          parent: ParentRoute(
            reading: fields["parent"], key: key + ".parent", of: pattern, &form),
          place: form.place(of: text, in: "routes") ?? function.place,
          when: Route.condition(fields["when"], key: key, of: generation, &form),
          screen: generation.screenProvider(function)))
    }
    return routes
  }

  fileprivate mutating func handlers(_ table: Form) -> [Route] {
    var routes: [Route] = []
    for (text, value) in patterns(table, key: "handlers") where !form.isFull {
      let key = "handlers[\"\(text)\"]"
      var fields: [String: Form] = [:]
      if value.functionValue != nil {
        fields = ["run": value]
      } else {
        fields = form.fields(of: value, key: key, known: ["name", "priority", "run", "when"])
      }
      guard let function = form.required(fields["run"], key: key + ".run", value),
        let pattern = routePattern(text, function)
      else { continue }
      routes.append(
        Route(
          pattern, name: form.string(fields["name"], key: key + ".name").map { Text($0) },
          priority: priority(fields["priority"], key: key),
          place: form.place(of: text, in: "handlers") ?? function.place,
          when: Route.condition(fields["when"], key: key, of: generation, &form),
          handler: generation.handler(function)))
    }
    return routes
  }

  private mutating func patterns(_ table: Form, key: String) -> [(String, Form)] {
    guard let fields = table.fields else {
      form.note(
        .wrongKind(key: key, expected: "a table of patterns", found: table.kind), key: key)
      return []
    }
    form.noteUnnamed(in: table, key: key, what: "pattern")
    return fields.map { ($0.name, $0.form) }
  }

  private mutating func routePattern(_ text: String, _ function: LuaFunction) -> RoutePattern? {
    do throws(RoutePatternError) {
      let pattern = try RoutePattern(parsing: Text(text))
      if patternCount.takes(pattern) { return pattern }
      if !patternCount.isFull {
        patternCount.isFull = true
        form.note(.tooManyRoutes, at: form.place(quoting: text) ?? function.place)
      }
    } catch {
      form.note(
        .invalidRoute(text: text, error), at: form.place(quoting: text) ?? function.place)
    }
    return nil
  }
}

extension Generation {
  fileprivate func screenProvider(_ function: LuaFunction) -> Route.ScreenProvider {
    let limits = limits(.routing, "a screen provider")
    return { [self] route, context in
      let answer = try ask(function, .draft(route.value, name: "route"), context, limits)
      switch answer {
      case nil, .bool(false): return nil
      case .map(let map): return try answers.screen(map, function)
      case let other?:
        throw refusal("a screen is a table such as {title = \"…\"}, not \(other.kind)", function)
      }
    }
  }

  fileprivate func handler(_ function: LuaFunction) -> Route.Handler {
    let limits = limits(.routing, "a handler")
    return { [self] route, context in
      try answers.handler(
        try ask(function, .value(route.value), context, limits), of: "a handler", function)
    }
  }

  fileprivate func unmatched(_ function: LuaFunction) -> UnmatchedHandler {
    let limits = limits(.routing, "the unmatched handler")
    return UnmatchedHandler(place: function.place) { [self] url, parameters, context in
      let route: Value = ["url": .string(url), "params": .map(parameters)]
      return try answers.handler(
        try ask(function, .value(route), context, limits), of: "the unmatched handler", function)
    }
  }
}

extension Route {
  /// Reads the condition of a route.
  fileprivate static func condition(
    _ value: Form?, key: String, of generation: Generation, _ form: inout FormReader
  ) -> Condition? {
    guard let function = form.function(value, key: key + ".when") else { return nil }
    let limits = generation.limits(.routing, "when")
    return { route, context in
      switch try generation.ask(function, .draft(route.value, name: "route"), context, limits) {
      case nil, .bool(false): return nil
      case .bool(true): return Map()
      case .map(let map) where map.keys.allSatisfy(\.isText): return map
      case let other?:
        throw generation.refusal(
          "`when` returns true or a table of parameters to take the URL, or false to leave it to "
            + "other routes, not " + other.kind, function)
      }
    }
  }
}

extension ParentRoute {
  /// Reads the parent of a route.
  fileprivate init?(
    reading value: Form?, key: String, of route: RoutePattern, _ form: inout FormReader
  ) {
    guard let text = form.string(value, key: key) else { return nil }
    do throws(ParentError) {
      try self.init(parsing: Text(text), of: route)
    } catch {
      form.note(
        .invalidParent(key: key, text: text, error), at: form.place(quoting: route.text.string))
      return nil
    }
  }
}

extension RoutingOption {
  /// Reads the option of a route.
  fileprivate init?(
    reading value: Form?, key: String, of pattern: String, _ form: inout FormReader
  ) {
    guard let value else { return nil }
    guard case .value(let read) = value else {
      form.note(
        .wrongKind(key: key, expected: "an option such as moon.push()", found: value.kind),
        at: form.place(quoting: pattern))
      return nil
    }
    do throws(RoutingOptionError) {
      try self.init(reading: read)
    } catch {
      form.note(.invalidOption(key: key, error), at: form.place(quoting: pattern))
      return nil
    }
  }
}

extension Key {
  fileprivate var isText: Bool { if case .string = self { true } else { false } }
}
