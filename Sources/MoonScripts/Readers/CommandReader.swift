import MoonLua
import MoonModules
import MoonValues

extension KeyReader {
  /// Reads `commands = { total = function(payload, self) … end, price = { "What it costs", item =
  /// "string", run = function … end } }`.
  static let commands = KeyReader("commands") { reader, form, module in
    module.commands = reader.commands(form)
  }
}

extension ModuleReader {
  fileprivate mutating func commands(_ table: Form) -> [Command] {
    let entries = ownEntries(
      of: table, key: "commands", what: "command", expected: "a table of functions")
    return entries.compactMap { name, value -> Command? in
      if let function = value.functionValue { return generation.command(name, function, nil) }
      let key = "commands.\(name)"
      guard value.fields != nil || value.elements != nil else {
        form.note(
          .wrongKind(key: key, expected: "a function or a table", found: value.kind), key: key)
        return nil
      }
      let declared = declaration(name, value, key: key, besides: "run")
      let run = value.components.first { $0.0 == .string("run") }?.1
      guard let function = form.function(run, key: key + ".run") else {
        if run == nil {
          form.note(
            .wrongKind(key: key + ".run", expected: "a function", found: "nothing"), key: key)
        }
        return nil
      }
      return generation.command(name, function, declared)
    }
  }
}

extension Generation {
  fileprivate func command(
    _ name: String, _ function: LuaFunction, _ declared: ActionDeclaration?
  ) -> Command {
    let limits = limits(.effect, "a command")
    return Command(
      name, description: declared?.description, schema: declared?.schema, place: function.place
    ) { [self] payload in
      let shown = payload == .null ? Value.map(Map()) : payload
      return LuaRun(function, [.value(shown), .context], limits, of: self)
    }
  }
}
