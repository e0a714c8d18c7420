import MoonLua
import MoonNavigation
import MoonSession
import MoonStore
import MoonValues

extension KeyReader {
  /// Reads `views = { list = function(screen, state) … end }`.
  static let views = KeyReader("views", countMax: 10_000) { reader, form, module in
    module.views = reader.form.functions(form, key: "views").map {
      reader.generation.view(Text($0.name), $0.function)
    }
  }

  /// Reads `lifecycle = { did_appear = function(screen, event, state, self) … end }`.
  static let lifecycle = KeyReader("lifecycle") { reader, form, module in
    let stages = ScreenStage.allCases.map(\.rawValue)
    let fields = reader.form.fields(of: form, key: "lifecycle", known: stages)
    for stage in ScreenStage.allCases {
      let function = reader.form.function(
        fields[stage.rawValue], key: "lifecycle.\(stage.rawValue)")
      if let function {
        module.lifecycle.append(reader.generation.lifecycleListener(stage, function))
      }
    }
  }
}

extension Generation {
  fileprivate func view(_ kind: Text, _ function: LuaFunction) -> View {
    let limits = limits(.view, "a view")
    return View(kind, place: function.place) { [self] screen, context in
      let answer = try ask(function, [.value(screen.value)], context, limits)
      switch answer {
      case nil, .bool(false): return .list(List())
      case .list, .map, .string: return answer ?? .null
      case let other?:
        throw refusal("a view returns a list of elements, not \(other.kind)", function)
      }
    }
  }

  fileprivate func lifecycleListener(
    _ stage: ScreenStage, _ function: LuaFunction
  ) -> LifecycleListener {
    let limits = limits(.hook, "a lifecycle listener")
    return LifecycleListener(stage, place: function.place) { [self] event, context in
      _ = try ask(
        function, [.value(event.screen.value), .value(event.value)], context, limits)
    }
  }
}
