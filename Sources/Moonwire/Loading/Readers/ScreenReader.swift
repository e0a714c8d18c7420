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

  /// Reads `lifecycle = { did_appear = function(screen, event, state, self) … end }`, for other
  /// screens `{ on = "detail/*", priority = 1, did_appear = function }`, or a list of these.
  static let lifecycle = KeyReader("lifecycle") { reader, form, module in
    for (form, key) in form.elementsOrSelf(key: "lifecycle") {
      module.lifecycle += reader.lifecycleListeners(form, key: key)
    }
  }
}

extension ModuleReader {
  fileprivate mutating func lifecycleListeners(
    _ table: Form, key: String
  ) -> [LifecycleListener] {
    let stages = ScreenStage.allCases.map(\.rawValue)
    let fields = form.fields(of: table, key: key, known: stages + ["on", "priority"])
    let screens = screenPattern(fields["on"], key: key)
    let priority = priority(fields["priority"], key: key)
    return ScreenStage.allCases.compactMap { stage in
      form.function(fields[stage.rawValue], key: "\(key).\(stage.rawValue)").map {
        generation.lifecycleListener(stage, screens, priority, $0)
      }
    }
  }

  /// The screens that a registration is for, under its `on`.
  mutating func screenPattern(_ value: Form?, key: String) -> ScreenPattern? {
    guard let text = form.string(value, key: key + ".on") else { return nil }
    if let pattern = ScreenPattern(text, owner: generation.name.text) { return pattern }
    form.note(
      .invalidScreens(key: key + ".on", text: text), at: form.place(quoting: text), key: key)
    return nil
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
    view.findWord = { [self] in place(of: $0, from: $1) }
    return view
  }

  fileprivate func lifecycleListener(
    _ stage: ScreenStage, _ screens: ScreenPattern?, _ priority: Int, _ function: LuaFunction
  ) -> LifecycleListener {
    let limits = limits(.hook, "a lifecycle listener")
    return LifecycleListener(stage, of: screens, priority: priority, place: function.place) {
      [self] event, context in
      _ = try ask(
        function, [.value(event.screen.value), .value(event.value)], context, limits)
    }
  }
}
