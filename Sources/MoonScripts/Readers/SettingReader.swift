import MoonActions
import MoonLua
import MoonModules
import MoonValues

extension KeyReader {
  /// Reads `settings = { city = { "string", default = "Paris", "Where to look" } }`.
  static let settings = KeyReader("settings") { reader, form, module in
    guard let entries = form.fields, form.elements?.isEmpty ?? true else {
      reader.form.note(
        .wrongKind(key: "settings", expected: "a table of settings", found: form.kind),
        key: "settings")
      return
    }
    let declared = entries.compactMap {
      Setting(reading: $0.form, name: $0.name, &reader.form)
    }
    guard reader.form.problems.isEmpty else { return }
    do throws(SettingError) {
      module.settings = ModuleSettings(
        declared, try reader.settings.values(of: declared, in: module.name))
    } catch {
      reader.form.note(.refusedSetting(error), key: "settings.\(error.name)")
    }
  }

  /// Reads `on_settings = function(changed, self) … end`.
  static let onSettings = KeyReader("on_settings") { reader, form, module in
    module.hooks.onSettings = reader.form.function(form, key: "on_settings").map {
      [generation = reader.generation] function in
      let limits = generation.limits(.hook, "on_settings")
      return SettingsHook(place: function.place) { names, _ in
        let changed = Value.list(List(names.map { .string(Text($0)) }))
        _ = try generation.call(function, [.value(changed), .context], limits)
      }
    }
  }
}

extension Setting {
  /// Reads one setting.
  fileprivate init?(reading declared: Form, name: String, _ form: inout FormReader) {
    let key = "settings.\(name)"
    let parts = declared.components
    guard !parts.isEmpty else {
      form.note(
        .wrongKind(key: key, expected: "a table such as { \"string\" }", found: declared.kind),
        key: key)
      return nil
    }
    var (type, summary) = (PayloadSchema.Field?.none, String?.none)
    var hasType = false
    var standard: Value?
    var isSecret = false
    for (component, value) in parts {
      switch component {
      case .int(1):
        hasType = true
        type = form.field(name, value, key: "\(key)[1]")
      case .int(2): summary = form.string(value, key: "\(key)[2]")
      case .string("default"): standard = form.value(value, key: "\(key).default")
      case .string("secret"): isSecret = form.boolean(value, key: "\(key).secret") ?? false
      case .int(let index): form.note(.unknownKey("\(key)[\(index)]", nearest: nil), key: key)
      case .string(let other):
        let nearest = Spelling.nearest(to: other.string, in: ["default", "secret"])
        form.note(.unknownKey("\(key).\(other)", nearest: nearest), key: "\(key).\(other)")
      }
    }
    guard let type else {
      if !hasType {
        form.note(.wrongKind(key: "\(key)[1]", expected: "a type", found: "nothing"), key: key)
      }
      return nil
    }
    let setting = Setting(type, standard: standard, isSecret: isSecret, summary: summary)
    if let standard {
      do throws(SettingError) {
        try setting.check(standard, from: nil)
      } catch {
        form.note(.refusedSetting(error), key: key)
      }
    }
    self = setting
  }
}
