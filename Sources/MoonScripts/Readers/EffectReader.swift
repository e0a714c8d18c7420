import MoonActions
import MoonLua
import MoonModules
import MoonValues

extension KeyReader {
  /// Reads `effects = { add_later = function(payload, self, action) … end, search = { run = f,
  /// policy = "latest", debounce = 0.3 }, load = { run = f, reduce = g }, watch = { run = f, keep =
  /// true } }`.
  static let effects = KeyReader("effects", countMax: 10_000) { reader, form, module in
    for (name, form) in reader.form.entries(form, key: "effects", of: "a table of functions") {
      guard let part = EffectPart(form, key: "effects[\"\(name)\"]", &reader.form),
        let pattern = reader.pattern(name, key: "effects", place: part.function.place)
      else { continue }
      if part.isKept, !pattern.isExact {
        reader.form.note(
          .wrongKind(
            key: "effects[\"\(name)\"].keep", expected: "a name without * before it",
            found: "\"\(name)\""), key: "effects[\"\(name)\"]")
      }
      module.effects.append(reader.generation.effect(pattern, part, name))
      if let reduce = part.reduce { reader.addResult(of: name, pattern, reduce, to: &module) }
    }
  }
}

extension ModuleReader {
  /// Adds the action that gets what an effect returns, and its reducer.
  fileprivate mutating func addResult(
    of name: String, _ pattern: ActionPattern, _ reduce: LuaFunction, to module: inout Module
  ) {
    let key = "effects[\"\(name)\"]"
    guard pattern == .exact(Text("\(generation.name)/\(name)")) else {
      return form.note(
        .wrongKind(
          key: "\(key).reduce", expected: "an action of the module's own, such as load",
          found: "\"\(name)\""), key: key)
    }
    let result = EffectPart.result(of: name)
    module.reducers.append(
      generation.reducer(
        .exact(Text("\(generation.name)/\(result)")), reduce, ReturnedSlice(of: module)))
    if !module.actions.contains(where: { $0.name == result }) {
      var declaration = ActionDeclaration(result, description: "The result of \(name)")
      declaration.place = reduce.place
      module.actions.append(declaration)
    }
  }
}

/// The parts of an effect in Lua.
private struct EffectPart {
  var rules = EffectRules()
  var durability: DurabilityPart?
  var isKept = false
  /// The reducer of what `run` returns.
  var reduce: LuaFunction?
  let function: LuaFunction

  /// Returns the name of the action that gets the result of an effect.
  static func result(of name: String) -> String { "\(name)_result" }

  /// Reads a function, or a table with one under `run`; nil if there is none.
  init?(_ form: Form, key: String, _ reader: inout FormReader) {
    if let function = form.functionValue {
      self.function = function
      return
    }
    guard form.fields != nil else {
      reader.note(
        .wrongKind(key: key, expected: "a function or a table", found: form.kind), key: key)
      return nil
    }
    let fields = reader.fields(
      of: form, key: key,
      known: EffectRules.keys + ["durable", "keep", "on_new_code", "reduce", "retry", "run"])
    guard let function = reader.required(fields["run"], key: "\(key).run", form) else { return nil }
    self.function = function
    rules = EffectRules(fields, key: key, &reader)
    durability = reader.durability(fields, key: key)
    if durability != nil, rules.policy != .every || rules.pace != nil {
      reader.note(
        .wrongKind(
          key: "\(key).durable", expected: "no policy, debounce or throttle beside it",
          found: "one"), key: "\(key).durable")
    }
    reduce = reader.function(fields["reduce"], key: "\(key).reduce")
    isKept = reader.boolean(fields["keep"], key: "\(key).keep") ?? false
    if isKept, durability != nil || rules.policy != .every || rules.pace != nil || reduce != nil {
      reader.note(
        .wrongKind(
          key: "\(key).keep", expected: "nothing beside it but run, as no action starts the effect",
          found: "more"), key: "\(key).keep")
    }
  }
}

/// When the actions of an effect start it.
struct EffectRules {
  /// The keys that they are read from.
  static let keys = ["debounce", "policy", "throttle"]

  private(set) var policy = EffectPolicy.every
  private(set) var pace: Pace?

  /// The rules of an effect that has none of the keys.
  init() {}

  /// Reads the keys.
  init(_ fields: [String: Form], key: String, _ reader: inout FormReader) {
    pace = reader.pace(fields, key: key)
    guard let text = reader.string(fields["policy"], key: "\(key).policy") else { return }
    if let known = EffectPolicy(rawValue: text) {
      policy = known
      return
    }
    reader.note(
      .wrongKind(
        key: "\(key).policy", expected: "\"every\", \"latest\", \"first\" or \"queue\"",
        found: "\"\(text)\""),
      key: "\(key).policy")
  }
}

extension ActionPattern {
  fileprivate var isExact: Bool { if case .exact = self { true } else { false } }
}

extension Generation {
  fileprivate func effect(
    _ pattern: ActionPattern, _ part: EffectPart, _ name: String
  ) -> Effect {
    let parts: [Argument] =
      part.reduce == nil ? [] : [.value(.string(Text(EffectPart.result(of: name))))]
    return Effect(
      pattern, policy: part.rules.policy, pace: part.rules.pace,
      durability: part.durability?.rules(of: self), isKept: part.isKept,
      hasResult: part.reduce != nil, place: part.function.place
    ) { [self, function = part.function] action, _ in
      LuaRun(function, on: action, with: parts, of: self)
    }
  }
}
