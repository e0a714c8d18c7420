import Moonwire

/// A module in Swift, with the same parts as a module in Lua.
enum Thermometer {
  /// The module, for ``Host/add(_:)``; nil if a name or a type below is misspelt.
  static func module() -> Module? {
    guard let name = ModuleName("thermometer"),
      let celsius = PayloadSchema.Field(name: "celsius", type: "number"),
      let text = PayloadSchema.Field(name: "text", type: "string")
    else { return nil }

    var module = Module(
      name: name, description: "Measures the temperature",
      state: ["celsius": 20, "notes": .list(List())])

    // Checked before any code gets the action, whether it comes from Swift or from Lua.
    module.actions = [
      ActionDeclaration(
        "measure", description: "It is so warm now", schema: PayloadSchema(fields: [celsius])),
      ActionDeclaration("note", description: "Keeps a note", schema: PayloadSchema(fields: [text])),
    ]

    // A module has no properties of its own, since several sessions share it. Its state is in its
    // slice, which reducers change in place.
    module.reducers = [
      Reducer(.exact("thermometer/measure")) { slice, action in
        slice = slice.setting("celsius", to: action.payload["celsius"])
      },
      Reducer(.exact("thermometer/note")) { slice, action in
        let notes = slice["notes"]?.listValue ?? List()
        slice = slice.setting("notes", to: .list(List(notes + [action.payload["text"] ?? .null])))
      },
    ]
    // Runs outside the host, so its waits don't block the host.
    module.effects = [
      Effect(.exact("thermometer/measure_later")) { action, context in
        try await context.sleep(for: .seconds(1))
        try await context.dispatch(Action("thermometer/measure", action.payload))
      }
    ]
    return module
  }
}

extension Value {
  /// Returns the map with the value under a key replaced.
  fileprivate func setting(_ key: Key, to value: Value?) -> Value {
    var map = mapValue ?? Map()
    map[key] = value
    return .map(map)
  }
}
