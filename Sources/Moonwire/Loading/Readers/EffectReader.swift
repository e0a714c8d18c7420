import MoonLua
import MoonSession
import MoonStore

extension KeyReader {
  /// Reads `effects = { add_later = function(payload, self, action) … end }`.
  static let effects = KeyReader("effects", countMax: 10_000) { reader, form, module in
    for (name, function) in reader.form.functions(form, key: "effects") {
      guard let pattern = reader.pattern(name, key: "effects", place: function.place)
      else { continue }
      module.effects.append(reader.generation.effect(pattern, function))
    }
  }
}

extension Generation {
  fileprivate func effect(_ pattern: ActionPattern, _ function: LuaFunction) -> Effect {
    Effect(pattern, place: function.place) { [self] action, _ in
      LuaRun(function, on: action, of: self)
    }
  }
}
