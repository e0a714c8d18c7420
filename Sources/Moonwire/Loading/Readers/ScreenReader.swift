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

  /// Reads `extends = { ["todo/list#below"] = function(screen, data, state) … end }`, or `{ run =
  /// function, priority = 1 }`.
  static let extends = KeyReader("extends") { reader, form, module in
    module.extensions = reader.viewExtensions(form)
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

extension ModuleReader {
  fileprivate mutating func viewExtensions(_ table: Form) -> [ViewExtension] {
    rankedFunctions(table, key: "extends").compactMap { place, function, priority in
      let made = ViewExtension(Text(place), priority: priority, function, of: generation)
      if made == nil {
        form.note(
          .invalidSlot(place), at: form.place(quoting: place), key: "extends[\"\(place)\"]")
      }
      return made
    }
  }
}

extension ViewExtension {
  /// Makes an extension with a script's function; nil if the text doesn't name a slot.
  fileprivate init?(
    _ place: Text, priority: Int, _ function: LuaFunction, of generation: Generation
  ) {
    let limits = generation.limits(.view, "an extension of a view")
    self.init(place, priority: priority, at: function.place) { screen, data, context in
      let subjects: [Argument] = [.value(screen.value), data == .null ? .none : .value(data)]
      let answer = try generation.ask(function, subjects, context, limits)
      switch answer {
      case nil, .bool(false): return .list(List())
      case .list, .map, .string: return answer ?? .null
      case let other?:
        throw generation.refusal(
          "an extension returns a list of elements, not \(other.kind)", function)
      }
    }
  }
}

extension Generation {
  fileprivate func view(_ kind: Text, _ function: LuaFunction) -> View {
    let limits = limits(.view, "a view")
    var view = View(kind, place: function.place) { [self] screen, context in
      let answer = try ask(function, [.value(screen.value)], context, limits)
      switch answer {
      case nil, .bool(false): return .list(List())
      case .list, .map, .string: return answer ?? .null
      case let other?:
        throw refusal("a view returns a list of elements, not \(other.kind)", function)
      }
    }
    view.findWord = { [files] in files.place(of: $0, from: $1) }
    return view
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
