import MoonBuiltIns
import MoonTerminal
import Moonwire

/// The command `:actions`, which lists actions.
struct ActionsCommand: ModuleCommand {
  static let manual = CommandManual(
    name: "actions", arguments: "[module]",
    summary: "lists the actions and commands, with their fields",
    example: ":actions todo")

  /// The host's own actions, and those of built-in modules, by the first part of their types.
  static let hosts = BuiltIn.actions.merging([
    "api": ActionInfo.requests, "nav": ActionInfo.navigation + ActionInfo.completions,
  ]) { $1 }

  let module: String?

  init(_ module: String?) { self.module = module }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    let rest = arguments.trimmedRest
    module = Self.hosts[rest] != nil ? rest : try arguments.moduleName()
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.matching(
      Set(request.snapshot.modules + hosts.keys).sorted().map { .init($0) })
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    if let module, let host = Self.hosts[module] {
      let (known, types) = (await Self.known(in: session), Set(host.map(\.type)))
      return Answer(
        actions: known.filter { $0.type.hasPrefix("\(module)/") || types.contains($0.type) })
    }
    return try await run(on: try await session.module(named: module), in: session)
  }

  func run(
    on module: ModuleName?, in session: PromptSession
  ) async throws(PromptError) -> any PromptAnswer {
    let commands = await session.host.perform { CommandInfo.all(on: $0) }.filter { command in
      module.map { command.type.hasPrefix("\($0)/") } ?? true
    }
    return Answer(actions: await session.host.actionInfos(of: module), commands: commands)
  }

  /// Returns all actions: those of modules in service, and the host's own.
  static func known(in session: PromptSession) async -> [ActionInfo] {
    var known = Dictionary(
      hosts.values.joined().map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
    for own in await session.host.actionInfos() {
      // What only listens to an action of the host says nothing about it.
      let host = known[own.type]
      known[own.type] = ActionInfo(
        type: own.type, description: own.description ?? host?.description,
        schema: own.schema ?? host?.schema, isDerived: own.isDerived, listeners: own.listeners)
    }
    return known.values.sorted { $0.type < $1.type }
  }

  /// An answer about actions.
  struct Answer: PromptAnswer {
    let actions: [ActionInfo]
    var commands: [CommandInfo] = []

    /// The maximum width of the aligned first column.
    private static let columnWidthMax = 44

    func lines(_ layout: TextLayout) -> [String] {
      let usages = actions.map { Self.usage($0.type, $0.schema) }
      let calls = commands.map { Self.usage($0.type, $0.schema) }
      let width = min(Self.columnWidthMax, (usages + calls).map(\.count).max() ?? 0)
      let lines = zip(actions, usages).map { action, usage in
        let owner = action.type.prefix { $0 != "/" }
        let others = action.listeners.map(\.text).filter { $0 != owner }
        let notes =
          (action.isDerived ? ["derived"] : [])
          + (others.isEmpty ? [] : ["also \(Wording.list(others))"])
        let heard = notes.isEmpty ? "" : layout.dim("  (\(notes.joined(separator: "; ")))")
        let type =
          layout.style.paint(action.type, .key) + String(usage.dropFirst(action.type.count))
        let space = String(repeating: " ", count: max(0, width - usage.count) + 2)
        return type + space + TerminalText.singleLine(action.description ?? "") + heard
      }
      let called = zip(commands, calls).map { command, usage in
        layout.style.paint(command.type, .key) + String(usage.dropFirst(command.type.count))
          + String(repeating: " ", count: max(0, width - usage.count) + 2)
          + TerminalText.singleLine(command.description ?? "") + layout.dim("  (command)")
      }
      return lines.isEmpty && called.isEmpty
        ? [layout.dim("there are no actions")] : lines + called
    }

    private static func usage(_ type: String, _ schema: PayloadSchema?) -> String {
      let fields = (schema?.fields ?? []).map { field in
        "\(field.name)=\(field.type)\(field.isOptional ? "?" : "")"
      }
      return TerminalText.singleLine(([type] + fields).joined(separator: " "))
    }

    var record: Map? {
      var map: Map = ["kind": "actions", "actions": JSONRecord.list(actions, Self.record)]
      if !commands.isEmpty { map["commands"] = JSONRecord.list(commands, Self.record) }
      return map
    }

    private static func record(_ command: CommandInfo) -> Value {
      var map: Map = ["name": JSONRecord.text(command.type)]
      map["description"] = command.description.map(JSONRecord.text)
      map["fields"] = command.schema.map(fields)
      map["place"] = command.place.map { JSONRecord.text("\($0)") }
      return .map(map)
    }

    private static func fields(_ schema: PayloadSchema) -> Value {
      JSONRecord.list(schema.fields) { field in
        [
          "name": JSONRecord.text(field.name), "type": JSONRecord.text("\(field.type)"),
          "optional": .bool(field.isOptional),
        ]
      }
    }

    private static func record(_ action: ActionInfo) -> Value {
      var map: Map = [
        "type": JSONRecord.text(action.type),
        "listeners": JSONRecord.list(action.listeners) { JSONRecord.text($0.text) },
      ]
      if action.isDerived { map["derived"] = true }
      map["description"] = action.description.map(JSONRecord.text)
      map["fields"] = action.schema.map(fields)
      return .map(map)
    }
  }
}
