import MoonActions
import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `commands = { total = function(payload, self) … end, price = { "What it costs", item =
  /// "string", run = function … end } }`, and `["export/save"] = { when = function(payload, state)
  /// … end, priority = 1, run = function … end }`.
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
      guard case .exact = ActionPattern(name, owner: generation.name.text) else {
        form.note(.invalidPattern(key: "commands", text: name), key: "commands[\"\(name)\"]")
        return nil
      }
      return command(name, value)
    }
  }

  private mutating func command(_ name: String, _ value: Form) -> Command? {
    if let function = value.functionValue { return Command(name, function, nil, of: generation) }
    let key = name.contains("/") ? "commands[\"\(name)\"]" : "commands.\(name)"
    guard value.fields != nil || value.elements != nil else {
      form.note(
        .wrongKind(key: key, expected: "a function or a table", found: value.kind), key: key)
      return nil
    }
    let parts = CommandParts(value)
    let declared = declaration(name, value, key: key) { CommandParts.include($0, $1) }
    guard let function = form.function(parts.run, key: key + ".run") else {
      if parts.run == nil {
        form.note(
          .wrongKind(key: key + ".run", expected: "a function", found: "nothing"), key: key)
      }
      return nil
    }
    return Command(
      name, function, declared, priority: priority(parts.priority, key: key),
      when: parts.when?.functionValue, of: generation)
  }
}

/// The parts of a command's table that aren't fields of its payload.
///
/// A field may have the name of one, since its value is a type.
private struct CommandParts {
  let run: Form?
  let when: Form?
  let priority: Form?

  init(_ table: Form) {
    func part(_ name: Text) -> Form? {
      table.components.first { $0.0 == .string(name) && Self.include(name.string, $0.1) }?.1
    }
    (run, when, priority) = (part("run"), part("when"), part("priority"))
  }

  static func include(_ name: String, _ value: Form) -> Bool {
    switch name {
    case "run": true
    case "when": value.functionValue != nil
    case "priority": value.storable?.stringValue == nil
    default: false
    }
  }
}

extension Command {
  /// Makes a command with a script's functions.
  fileprivate init(
    _ name: String, _ function: LuaFunction, _ declared: ActionDeclaration?, priority: Int = 0,
    when condition: LuaFunction? = nil, of generation: Generation
  ) {
    let limits = generation.limits(.effect, "a command")
    self.init(
      name, description: declared?.description, schema: declared?.schema, priority: priority,
      place: function.place, when: condition.map { Self.condition($0, of: generation) }
    ) { payload in
      LuaRun(function, [.value(Self.shown(payload)), .context], limits, of: generation)
    }
  }

  private static func condition(
    _ function: LuaFunction, of generation: Generation
  ) -> Condition {
    let limits = generation.limits(.routing, "when")
    return { payload, context in
      switch try generation.ask(function, .value(shown(payload)), context, limits) {
      case nil, .bool(false): return false
      case .bool(true): return true
      case let other?:
        throw generation.refusal(
          "`when` returns true to take the payload, or false to leave it to other commands, not "
            + other.kind, function)
      }
    }
  }

  private static func shown(_ payload: Value) -> Value {
    payload == .null ? .map(Map()) : payload
  }
}
