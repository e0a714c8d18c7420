import MoonActions
import MoonLua
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `description = "Counts"`.
  static let description = KeyReader("description") { reader, form, module in
    module.description = reader.form.string(form, key: "description")
  }

  /// Reads `version = 2`.
  static let version = KeyReader("version") { reader, form, module in
    module.version = reader.form.integer(form, key: "version") ?? Module.firstVersion
  }

  /// Reads `state = { count = 0 }`.
  static let state = KeyReader("state", countMax: .max) { reader, form, module in
    guard let value = reader.form.value(form, key: "state") else { return }
    switch value {
    case .map, .list:
      if let refusal = reader.generation.quota.refusal(of: value) {
        reader.form.note(.refusedState(refusal), key: "state")
      }
      module.state = value
    default:
      reader.form.note(
        .wrongKind(key: "state", expected: "a table", found: form.kind), key: "state")
    }
  }

  /// Reads `shape = { count = "integer", items = { { title = "string" } } }`.
  static let shape = KeyReader("shape", countMax: 1000) { reader, form, module in
    guard let field = reader.form.field("shape", form, key: "shape") else { return }
    guard case .record(let schema)? = field.type.alternatives.first, !field.isOptional else {
      reader.form.note(
        .wrongKind(key: "shape", expected: "a table of fields", found: form.kind), key: "shape")
      return
    }
    module.shape = schema
    let shape = module.sliceShape
    if let refusal = shape?.refusal(of: module.state ?? .map(Map())) {
      reader.form.note(.refusedState(refusal), key: "state")
    }
    reader.generation.shape = shape
  }

  /// Reads `redact = { "auth.token" }`.
  static let redact = KeyReader("redact", countMax: 100) { reader, form, module in
    guard let elements = form.elements else {
      reader.form.note(
        .wrongKind(key: "redact", expected: "a list of paths", found: form.kind), key: "redact")
      return
    }
    for (index, element) in elements.enumerated() {
      guard let text = reader.form.string(element, key: "redact[\(index + 1)]") else { continue }
      guard let path = try? Path(parsing: text), path.components.count > 1,
        path.components.first == .key(Text(module.name.text))
      else {
        reader.form.note(.invalidRedaction(text), at: reader.form.place(quoting: text))
        continue
      }
      if !module.redacted.contains(path) { module.redacted.append(path) }
    }
  }

  /// Reads `migrate = function(old, version) … end`.
  static let migrate = KeyReader("migrate") { reader, form, module in
    module.hooks.migrate = reader.form.function(form, key: "migrate").map {
      [generation = reader.generation] in Migration($0, of: generation)
    }
  }

  /// Reads `on_start = function(self) … end`.
  static let onStart = KeyReader("on_start") { reader, form, module in
    module.hooks.onStart = Hook(reading: form, key: "on_start", &reader)
  }

  /// Reads `on_restore = function(self) … end`.
  static let onRestore = KeyReader("on_restore") { reader, form, module in
    module.hooks.onRestore = Hook(reading: form, key: "on_restore", &reader)
  }

  /// Reads `on_back = function(screen, state, self) … end`.
  static let onBack = KeyReader("on_back") { reader, form, module in
    module.hooks.onBack = reader.form.function(form, key: "on_back").map {
      [generation = reader.generation] in BackHook($0, of: generation)
    }
  }

  /// Reads `containers = { split = function(container, state, self) … end }`.
  static let containers = KeyReader("containers") { reader, form, module in
    for (name, function) in reader.form.functions(form, key: "containers") {
      module.hooks.containers.append(ContainerHook(Text(name), function, of: reader.generation))
    }
  }

  /// Reads `on_stop = function(self) … end`.
  static let onStop = KeyReader("on_stop") { reader, form, module in
    module.hooks.onStop = Hook(reading: form, key: "on_stop", &reader)
  }
}

extension Hook {
  /// Reads a script's function; nil if there is none.
  fileprivate init?(reading form: Form, key: String, _ reader: inout ModuleReader) {
    guard let function = reader.form.function(form, key: key) else { return nil }
    let generation = reader.generation
    let limits = generation.limits(.hook, "on_start, on_restore or on_stop")
    self.init(place: function.place) { _ in
      _ = try generation.call(function, [.context], limits)
    }
  }
}

extension Migration {
  /// Makes a migration with a script's function.
  fileprivate init(_ function: LuaFunction, of generation: Generation) {
    let limits = generation.limits(.hook, "migrate", .pure(seed: 0))
    self.init(isHeld: true, place: function.place) { old, version in
      let answer = try generation.call(function, [.value(old), .value(.int(version))], limits)
      switch answer.first {
      case .some(.some(let value)) where value.mapValue != nil || value.listValue != nil:
        let refused = generation.quota.refusal(of: value) ?? generation.shape?.refusal(of: value)
        if let refused { throw generation.refusal(refused.description, function) }
        return value
      default: throw generation.refusal("migrate returns the new state as a table", function)
      }
    }
  }
}

extension ContainerHook {
  /// Makes a hook with a script's function.
  fileprivate init(_ container: Text, _ function: LuaFunction, of generation: Generation) {
    let limits = generation.limits(.hook, "a container's function")
    self.init(container, place: function.place) { value, context in
      let arguments = generation.arguments(of: function, .value(value), context)
      let answers = try generation.call(function, arguments, limits.repeatable(in: context))
      return try generation.answers.back(answers, function, of: "a container's function")
    }
  }
}

extension BackHook {
  /// Makes a hook with a script's function.
  fileprivate init(_ function: LuaFunction, of generation: Generation) {
    let limits = generation.limits(.hook, "on_back")
    self.init(place: function.place) { screen, inputs, context in
      let arguments = generation.arguments(
        of: function, .value(Self.subject(screen, inputs)), context)
      let answers = try generation.call(function, arguments, limits.repeatable(in: context))
      return try generation.answers.back(answers, function, of: "on_back")
    }
  }

  /// Returns a screen as scripts see it, with what people have entered.
  private static func subject(_ screen: Screen, _ inputs: Map) -> Value {
    var subject = screen.value.mapValue ?? Map()
    subject["inputs"] = .map(inputs)
    return .map(subject)
  }
}
