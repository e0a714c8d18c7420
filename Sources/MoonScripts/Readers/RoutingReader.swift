import MoonLua
import MoonModules
import MoonNavigation
import MoonRouting
import MoonValues

extension KeyReader {
  /// Reads `routing_options = { route = "/x", priority = 1, run = function(route, option, state)
  /// … end }`, a function for all routes, or a list of these.
  static let routingOptions = KeyReader("routing_options") { reader, form, module in
    for part in reader.routingParts(form, key: "routing_options") {
      module.optionProviders.append(
        reader.generation.optionProvider(part.function, part.pattern, part.priority))
    }
  }

  /// Reads `presenters = { route = "/x", on = "detail/*", priority = 1, run = function(screen,
  /// route, state) … end }`, a function for all routes, or a list of these.
  static let presenters = KeyReader("presenters") { reader, form, module in
    for part in reader.routingParts(form, key: "presenters", mayChoose: true) {
      module.presenters.append(Presenter(part, of: reader.generation))
    }
  }

  /// Reads `routing_observers = { route = "/x", will = function, did = function, failed = function
  /// }`, or a list of these.
  static let routingObservers = KeyReader("routing_observers") { reader, form, module in
    for (form, key) in form.elementsOrSelf(key: "routing_observers") {
      if let one = reader.routingObserver(form, key: key) { module.routingObservers.append(one) }
    }
  }

  /// Reads `routing_presenters = { drawer = function(screen, option, state) … end }`, or `{
  /// priority = 1, run = function }`.
  static let routingPresenters = KeyReader("routing_presenters") { reader, form, module in
    module.routingPresenters = reader.routingPresenters(form)
  }
}

extension ModuleReader {
  fileprivate struct RoutingPart {
    let pattern: Text?
    var screens: ScreenPattern?
    let priority: Int
    let function: LuaFunction
  }

  /// `mayChoose` says that the parts may name the screens that they are for.
  fileprivate mutating func routingParts(
    _ table: Form, key: String, mayChoose: Bool = false
  ) -> [RoutingPart] {
    table.elementsOrSelf(key: key).compactMap { element, key in
      if let function = element.functionValue {
        return RoutingPart(pattern: nil, priority: 0, function: function)
      }
      let known = ["priority", "route", "run"] + (mayChoose ? ["on"] : [])
      let fields = form.fields(of: element, key: key, known: known)
      let pattern = pattern(fields["route"], key: key)
      let screens = ScreenPattern(reading: fields["on"], key: key, of: generation.name, &form)
      let priority = priority(fields["priority"], key: key)
      return form.required(fields["run"], key: key + ".run", element).map {
        RoutingPart(pattern: pattern, screens: screens, priority: priority, function: $0)
      }
    }
  }

  /// Returns the pattern that limits a registration; the route may belong to another module.
  private mutating func pattern(_ value: Form?, key: String) -> Text? {
    guard let text = form.string(value, key: key + ".route") else { return nil }
    do throws(RoutePatternError) {
      return try RoutePattern(parsing: Text(text)).text
    } catch {
      form.note(.invalidRoute(text: text, error), at: form.place(quoting: text))
      return nil
    }
  }

  fileprivate mutating func routingObserver(_ element: Form, key: String) -> RoutingObserver? {
    let names = ["did", "failed", "will"]
    let fields = form.fields(of: element, key: key, known: names + ["priority", "route"])
    let functions = names.reduce(into: [:]) { functions, name in
      functions[name] = form.function(fields[name], key: "\(key).\(name)")
    }
    if names.allSatisfy({ fields[$0] == nil }), element.fields != nil {
      form.note(.wrongKind(key: key, expected: "will, did or failed", found: "none"), key: key)
    }
    guard !functions.isEmpty else { return nil }
    return RoutingObserver(
      functions, pattern(fields["route"], key: key), priority(fields["priority"], key: key),
      of: generation)
  }

  fileprivate mutating func routingPresenters(_ table: Form) -> [RoutingPresenter] {
    rankedFunctions(table, key: "routing_presenters").map { kind, function, priority in
      generation.routingPresenter(Text(kind), function, priority: priority)
    }
  }
}

extension Generation {
  /// Returns the screen that a presenter has made of another one.
  fileprivate func presented(
    _ screen: Screen, _ value: Value, _ function: LuaFunction
  ) throws(CodeFailure) -> Screen {
    let presented: Screen
    do throws(NavigationValueError) {
      presented = try screen.changed(to: value.withList(under: "body", unless: screen.body))
    } catch {
      throw refusal("a presenter made an invalid screen: \(error)", function)
    }
    if !presented.body.isIdentical(to: screen.body) { try answers.check(presented, function) }
    return presented
  }

  fileprivate func optionProvider(
    _ function: LuaFunction, _ pattern: Text?, _ priority: Int
  ) -> OptionProvider {
    let limits = limits(.routing, "an option provider")
    return OptionProvider(pattern: pattern, priority: priority, place: function.place) {
      [self] route, current, context in
      let answer = try ask(
        function, .draft(route.value, name: "route"), current.map { .value($0.value) } ?? .none,
        context, limits)
      guard let answer else { return nil }
      do throws(RoutingOptionError) {
        return try RoutingOption(reading: answer)
      } catch {
        throw refusal(
          "an option provider returns nothing or an option such as moon.push(): \(error)",
          function)
      }
    }
  }

  fileprivate func routingPresenter(
    _ kind: Text, _ function: LuaFunction, priority: Int
  ) -> RoutingPresenter {
    let limits = limits(.routing, "a routing presenter")
    return RoutingPresenter(kind, priority: priority, place: function.place) {
      [self] screen, option, context in
      let answer = try ask(
        function, .value(screen.value), .value(option.value), context, limits)
      return try answers.presentation(answer, function)
    }
  }
}

extension RoutingObserver {
  /// Makes an observer with a script's functions, by the names `will`, `did` and `failed`.
  fileprivate init(
    _ functions: [String: LuaFunction], _ pattern: Text?, _ priority: Int,
    of generation: Generation
  ) {
    let limits = generation.limits(.routing, "a routing observer")
    let first = functions["will"] ?? functions["did"] ?? functions["failed"]
    self.init(
      pattern: pattern, priority: priority, place: first?.place,
      guard: functions["will"].map { function in
        // Made once for all runs.
        let read: RoutingObserver.Reading = { try generation.answers.decision($0, function) }
        return .run { route, context in
          let arguments = generation.arguments(of: function, .value(route.value), context)
          let run = LuaRun(function, arguments, limits.repeatable(in: context), of: generation)
          return (run, read)
        }
      },
      did: functions["did"].map { function in
        { route, screen, context in
          _ = try generation.ask(
            function, .value(route.value), screen.map { .value($0.value) } ?? .none, context,
            limits)
        }
      },
      failed: functions["failed"].map { function in
        { url, error, context in
          _ = try generation.ask(
            function, .value(.string(url)), .value(error.value), context, limits)
        }
      })
  }
}

extension Presenter {
  /// Makes a presenter with a script's function.
  fileprivate init(_ part: ModuleReader.RoutingPart, of generation: Generation) {
    let limits = generation.limits(.routing, "a presenter")
    let function = part.function
    self.init(
      pattern: part.pattern, of: part.screens, priority: part.priority, place: function.place
    ) { screen, route, context in
      let edit: Machine.Edit
      do throws(LuaError) {
        edit = try generation.machine.edit(
          function, screen.value, name: "screen", limits: limits.repeatable(in: context)
        ) { arguments in
          generation.add(
            .draft(route.value, name: "route"), after: 1, context, of: function,
            to: { arguments.append($0) })
        }
      } catch {
        throw generation.failure(error)
      }
      let made = edit.answer ?? edit.draft
      // Presenters usually set props.
      screen = try generation.presented(screen, made, function)
    }
  }
}
