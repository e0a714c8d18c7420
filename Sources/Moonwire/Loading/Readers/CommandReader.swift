import MoonLua
import MoonSession
import MoonStore
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
    form.noteUnnamed(in: table, key: "commands", what: "command")
    guard let entries = table.fields else {
      if table.elements == nil {
        form.note(
          .wrongKind(key: "commands", expected: "a table of functions", found: table.kind),
          key: "commands")
      }
      return []
    }
    return entries.compactMap { name, value -> Command? in
      let own = ActionPattern.exact(Text("\(generation.name)/\(name)"))
      guard ActionPattern(name, owner: generation.name.text) == own else {
        form.note(.invalidPattern(key: "commands", text: name), key: "commands[\"\(name)\"]")
        return nil
      }
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
