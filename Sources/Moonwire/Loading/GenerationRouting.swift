import MoonLua
import MoonNavigation
import MoonStore
import MoonValues

/// Makes the registrations for URLs, screens and mappers.
///
/// Each function in Lua gets its subject, then a view of its module's own slice, then `self`.
extension Generation {
  func screenProvider(_ function: LuaFunction) -> ModuleRoute.ScreenProvider {
    let limits = routingLimits("a screen provider")
    return { [self] route, context in
      let answer = try ask(function, [.value(route.value)], context, limits)
      switch answer {
      case nil, .bool(false): return nil
      case .map(let map): return try screen(map, function)
      case let other?:
        throw Self.error(
          "a screen is a table such as {title = \"…\"}, not \(other.kind)", function)
      }
    }
  }

  func handler(_ function: LuaFunction) -> ModuleRoute.Handler {
    let limits = routingLimits("a handler")
    return { [self] route, context in
      try Self.answer(
        try ask(function, [.value(route.value)], context, limits), of: "a handler", function)
    }
  }

  func unmatched(_ function: LuaFunction) -> UnmatchedHandler {
    let limits = routingLimits("the unmatched handler")
    return UnmatchedHandler(place: function.place) { [self] url, parameters, context in
      let route: Value = ["url": .string(url), "params": .map(parameters)]
      return try Self.answer(
        try ask(function, [.value(route)], context, limits), of: "the unmatched handler", function)
    }
  }

  func optionProvider(
    _ function: LuaFunction, pattern: Text?, priority: Int
  ) -> OptionProvider {
    let limits = routingLimits("an option provider")
    return OptionProvider(pattern: pattern, priority: priority, place: function.place) {
      [self] route, current, context in
      let passed: [Argument] = [
        .value(route.value), current.map { .value($0.value) } ?? .none,
      ]
      guard let answer = try ask(function, passed, context, limits) else { return nil }
      guard let option = RoutingOption(reading: answer) else {
        throw Self.error(
          "an option provider returns nothing or an option such as moon.push(), not "
            + answer.kind, function)
      }
      return option
    }
  }

  func routingObserver(
    will: LuaFunction?, did: LuaFunction?, pattern: Text?, priority: Int
  ) -> RoutingObserver {
    let limits = routingLimits("a routing observer")
    return RoutingObserver(
      pattern: pattern, priority: priority, place: will?.place ?? did?.place,
      will: will.map { function in
        { [self] route, context in
          let answers = try machine.call(
            function, arguments([.value(route.value)], context), limits: limits)
          return try Self.decision(answers, function)
        }
      },
      did: did.map { function in
        { [self] route, screen, context in
          let passed: [Argument] = [
            .value(route.value), screen.map { .value($0.value) } ?? .none,
          ]
          _ = try ask(function, passed, context, limits)
        }
      })
  }

  func presenter(_ function: LuaFunction, pattern: Text?, priority: Int) -> Presenter {
    let limits = routingLimits("a presenter")
    return Presenter(pattern: pattern, priority: priority, place: function.place) {
      [self] screen, route, context in
      let made = try machine.edit(
        function, screen.value, name: "screen", arguments([.value(route.value)], context),
        limits: limits)
      do throws(NavigationValueError) {
        screen = try Screen(Self.withList("body", in: made))
      } catch {
        throw Self.error("a presenter made an invalid screen: \(error)", function)
      }
      try check(screen, function)
    }
  }

  func routingPresenter(_ kind: Text, _ function: LuaFunction, priority: Int) -> RoutingPresenter {
    let limits = routingLimits("a routing presenter")
    return RoutingPresenter(kind, priority: priority, place: function.place) {
      [self] screen, option, context in
      let answer = try ask(
        function, [.value(screen.value), .value(option.value)], context, limits)
      return try Self.navigation(answer, of: "a routing presenter", function)
    }
  }

  func view(_ kind: Text, _ function: LuaFunction) -> View {
    let limits = CallLimits(budget: budgets.view, purity: .impure, entry: "a view")
    return View(kind, place: function.place) { [self] screen, context in
      let answer = try ask(function, [.value(screen.value)], context, limits)
      switch answer {
      case nil: return .list(List())
      case .list, .map, .string: return answer ?? .null
      case let other?:
        throw Self.error("a view returns a list of elements, not \(other.kind)", function)
      }
    }
  }

  func lifecycleListener(_ stage: ScreenStage, _ function: LuaFunction) -> LifecycleListener {
    let limits = CallLimits(
      budget: budgets.hook, purity: .impure, entry: "a lifecycle listener")
    return LifecycleListener(stage, place: function.place) { [self] event, context in
      _ = try ask(
        function, [.value(event.screen.value), .value(event.value)], context, limits)
    }
  }

  func moduleMapper(_ pattern: ActionPattern, _ function: LuaFunction) -> ModuleMapper {
    let limits = CallLimits(budget: budgets.mapper, purity: .impure, entry: "a module mapper")
    return ModuleMapper(pattern, place: function.place) { [self] action, context in
      let answer = try ask(function, [.value(action.value)], context, limits)
      return try mappings(answer, function)
    }
  }

  func navigationMapper(_ pattern: ActionPattern, _ function: LuaFunction) -> NavigationMapper {
    let limits = CallLimits(budget: budgets.mapper, purity: .impure, entry: "a navigation mapper")
    return NavigationMapper(pattern, place: function.place) { [self] action, context in
      let answer = try ask(function, [.value(action.value)], context, limits)
      return try Self.navigation(answer, of: "a navigation mapper", function)
    }
  }

  // MARK: Calling

  private func routingLimits(_ entry: StaticString) -> CallLimits {
    CallLimits(budget: budgets.routing, purity: .impure, entry: entry)
  }

  private func arguments(_ passed: [Argument], _ context: SessionContext) -> [Argument] {
    passed + [.view(context.slice, name: name.text), .context]
  }

  /// The first value that a function returns.
  private func ask(
    _ function: LuaFunction, _ passed: [Argument], _ context: SessionContext, _ limits: CallLimits
  ) throws(LuaError) -> Value? {
    try machine.call(function, arguments(passed, context), limits: limits).first ?? nil
  }

  static func error(_ message: String, _ function: LuaFunction) -> LuaError {
    .runtime(LuaReport(message: message, place: function.place))
  }
}
