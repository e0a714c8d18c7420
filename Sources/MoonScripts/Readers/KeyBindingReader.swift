import MoonActions
import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `keys = { ["ctrl+n"] = "add", { on = "list", d = ui.button("Delete", "delete") } }`.
  static let keys = KeyReader("keys", countMax: KeyBinding.countMax) { reader, form, module in
    var keys = KeyBindingReader(form: reader.form)
    module.keys = keys.bindings(form)
    reader.form = keys.form
  }
}

extension KeyBinding {
  /// The maximum number of keys of a module, on all screens.
  fileprivate static let countMax = 200
}

/// A reader of what keys do.
private struct KeyBindingReader {
  var form: FormReader

  /// Reads the keys of the whole app, and the tables with those of some screens among them.
  mutating func bindings(_ table: Form) -> [KeyBinding] {
    guard table.fields != nil || table.elements != nil else {
      form.note(
        .wrongKind(key: "keys", expected: "a table of keys", found: table.kind), key: "keys")
      return []
    }
    if table.fields?.contains(where: { $0.name == "on" }) ?? false {
      form.note(
        .wrongKind(
          key: "keys", expected: "a list of such tables, { { on = \"list\", d = \"delete\" } }",
          found: "one with on"), key: "keys")
      return []
    }
    var bindings: [KeyBinding] = []
    for (component, value) in table.components {
      switch component {
      case .string(let keys):
        if let one = binding(keys.string, value, key: "keys") { bindings.append(one) }
      case .int(let index): bindings += screenKeys(value, key: "keys[\(index)]")
      }
    }
    guard bindings.count <= KeyBinding.countMax else {
      form.note(
        .tooMany(key: "keys", count: bindings.count, max: KeyBinding.countMax), key: "keys")
      return []
    }
    return bindings
  }

  /// Reads `{ on = "list", d = "delete" }`.
  private mutating func screenKeys(_ table: Form, key: String) -> [KeyBinding] {
    guard let fields = table.fields, let on = fields.first(where: { $0.name == "on" })?.form else {
      form.note(
        .wrongKind(
          key: key, expected: "a table of keys with the screens that they are for, under on",
          found: table.fields == nil ? table.kind : "a table without on"),
        key: key)
      return []
    }
    form.noteUnnamed(in: table, key: key, what: "key")
    guard let screens = ScreenPattern(reading: on, key: key, of: form.module, &form) else {
      return []
    }
    return fields.filter { $0.name != "on" }.compactMap { name, value in
      binding(name, value, key: key, on: screens, after: on.storable?.stringValue)
    }
  }

  private mutating func binding(
    _ text: String, _ value: Form, key: String, on screens: ScreenPattern? = nil,
    after mark: String? = nil
  ) -> KeyBinding? {
    let place = form.place(of: text, in: "keys", after: mark)
    let keys: KeySequence
    do throws(KeyError) {
      keys = try KeySequence(parsing: text)
    } catch {
      form.note(.invalidKey(key: key, text: text, because: "\(error)"), at: place, key: key)
      return nil
    }
    let name = "\(key)[\"\(text)\"]"
    let written = value.storable.flatMap { KeyTarget($0, owner: form.module.text) }
    guard let target = keys.isFocus ? written?.takingFocus : written else {
      form.note(
        .wrongKind(
          key: name,
          expected: keys.isFocus
            ? "an action, a URL or a button with one"
            : "an action, a URL, a button with one or a control to tap",
          found: value.storable?.stringValue.map { "'\($0)'" } ?? value.kind),
        at: place, key: key)
      return nil
    }
    guard !target.needsView || screens?.module == Text(form.module.text) else {
      form.note(
        .wrongKind(
          key: name, expected: "in a table whose on names screens of this module",
          found: "a key for what a screen of this module shows"),
        at: place, key: key)
      return nil
    }
    return KeyBinding(keys, on: screens, target, place: place)
  }
}
