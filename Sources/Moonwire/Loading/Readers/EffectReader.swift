import MoonLua
import MoonSession
import MoonStore

extension KeyReader {
  /// Reads `effects = { add_later = function(payload, self, action) … end, search = { run = f,
  /// policy = "latest", debounce = 0.3 } }`.
  static let effects = KeyReader("effects", countMax: 10_000) { reader, form, module in
    for (name, form) in reader.form.entries(form, key: "effects", of: "a table of functions") {
      guard let part = reader.effectPart(form, key: "effects[\"\(name)\"]"),
        let pattern = reader.pattern(name, key: "effects", place: part.function.place)
      else { continue }
      module.effects.append(reader.generation.effect(pattern, part))
    }
  }
}

/// The parts of an effect in Lua.
private struct EffectPart {
  var policy = EffectPolicy.every
  var timing: EffectTiming?
  let function: LuaFunction
}

extension ModuleReader {
  fileprivate mutating func effectPart(_ form: Form, key: String) -> EffectPart? {
    if let function = form.functionValue { return EffectPart(function: function) }
    guard form.fields != nil else {
      self.form.note(
        .wrongKind(key: key, expected: "a function or a table", found: form.kind), key: key)
      return nil
    }
    let fields = self.form.fields(
      of: form, key: key, known: ["debounce", "policy", "run", "throttle"])
    guard let function = required(fields["run"], key: "\(key).run", form) else { return nil }
    var part = EffectPart(function: function)
    if let text = self.form.string(fields["policy"], key: "\(key).policy") {
      if let known = EffectPolicy(rawValue: text) {
        part.policy = known
      } else {
        self.form.note(
          .wrongKind(
            key: "\(key).policy", expected: "\"every\", \"latest\", \"first\" or \"queue\"",
            found: "\"\(text)\""),
          key: "\(key).policy")
      }
    }
    part.timing = effectTiming(fields, key: key)
    return part
  }

  private mutating func effectTiming(_ fields: [String: Form], key: String) -> EffectTiming? {
    if fields["debounce"] != nil, fields["throttle"] != nil {
      form.note(
        .wrongKind(key: "\(key).throttle", expected: "alone", found: "beside debounce"),
        key: "\(key).throttle")
      return nil
    }
    if let time = form.duration(fields["debounce"], key: "\(key).debounce") {
      return .debounce(time)
    }
    return form.duration(fields["throttle"], key: "\(key).throttle").map { .throttle($0) }
  }
}

extension Generation {
  fileprivate func effect(_ pattern: ActionPattern, _ part: EffectPart) -> Effect {
    Effect(
      pattern, policy: part.policy, timing: part.timing, place: part.function.place
    ) { [self, function = part.function] action, _ in
      LuaRun(function, on: action, of: self)
    }
  }
}
