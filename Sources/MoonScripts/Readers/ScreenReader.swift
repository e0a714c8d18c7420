import MoonLua
import MoonModules
import MoonNavigation
import MoonServiceKit
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
      module.lifecycle += LifecycleListener.all(in: form, key: key, &reader)
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
      let answer = try generation.ask(
        function, .value(screen.value), data == .null ? .none : .value(data), context, limits)
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
      let answer = try ask(function, .value(screen.value), context, limits)
      switch answer {
      case nil: return .null
      case .bool(false): return .list(List())
      case .list, .map, .string: return answer ?? .null
      case let other?:
        throw refusal("a view returns a list of elements, not \(other.kind)", function)
      }
    }
    view.findWord = { [files] in files.place(of: $0, from: $1) }
    return view
  }
}

extension LifecycleListener {
  /// Reads the listeners of one table.
  fileprivate static func all(
    in table: Form, key: String, _ reader: inout ModuleReader
  ) -> [LifecycleListener] {
    let known = ScreenStage.allCases.map(\.rawValue) + ["on", "priority"]
    let fields = reader.form.fields(of: table, key: key, known: known)
    let generation = reader.generation
    let screens = ScreenPattern(
      reading: fields["on"], key: key, of: generation.name, &reader.form)
    let priority = reader.priority(fields["priority"], key: key)
    var listeners: [LifecycleListener] = []
    for stage in ScreenStage.allCases {
      let name = stage.rawValue
      guard let function = reader.form.function(fields[name], key: "\(key).\(name)")
      else { continue }
      listeners.append(
        LifecycleListener(stage, screens, priority, function, of: generation))
    }
    return listeners
  }

  /// Makes a listener with a script's function.
  fileprivate init(
    _ stage: ScreenStage, _ screens: ScreenPattern?, _ priority: Int, _ function: LuaFunction,
    of generation: Generation
  ) {
    let limits = generation.limits(.hook, "a lifecycle listener")
    self.init(stage, of: screens, priority: priority, place: function.place) { event, context in
      _ = try generation.ask(
        function, .value(event.screen.value), .value(event.value), context, limits)
    }
  }
}

extension ScreenPattern {
  /// Reads the screens that a registration is for, under its `on`.
  init?(reading value: Form?, key: String, of owner: ModuleName, _ form: inout FormReader) {
    guard let text = form.string(value, key: key + ".on") else { return nil }
    guard let pattern = ScreenPattern(text, owner: owner.text) else {
      form.note(
        .invalidScreens(key: key + ".on", text: text), at: form.place(quoting: text), key: key)
      return nil
    }
    self = pattern
  }
}
