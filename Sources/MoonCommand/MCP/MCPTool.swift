import MoonAuthoring
import MoonPrompt
import Moonwire

/// A tool for assistants: a line of the prompt, with its parts as arguments, or a method of the
/// protocol.
struct MCPTool: Sendable {
  /// An argument of a tool.
  struct Argument: Sendable {
    let name: String
    /// The type in JSON Schema.
    let type: String
    let help: String
    var isRequired = false
  }

  let name: String
  let help: String
  let arguments: [Argument]
  /// Whether the tool leaves the app as it is.
  let isReading: Bool
  let work: Work

  /// What does it.
  enum Work: Sendable {
    /// The line that a function returns for the arguments.
    case line(@Sendable (Map) -> String)
    /// A method with the same arguments; the function says whether its result tells of a failure.
    case method(String, hasFailed: @Sendable (Value) -> Bool)
  }

  private init(
    name: String, help: String, arguments: [Argument] = [], isReading: Bool = true,
    line: @escaping @Sendable (Map) -> String
  ) {
    (self.name, self.help, self.arguments, self.isReading) = (name, help, arguments, isReading)
    work = .line(line)
  }

  private init(
    name: String, help: String, arguments: [Argument] = [], method: String,
    hasFailed: @escaping @Sendable (Value) -> Bool
  ) {
    (self.name, self.help, self.arguments, isReading) = (name, help, arguments, true)
    work = .method(method, hasFailed: hasFailed)
  }

  /// The tool as `tools/list` has it.
  var value: Value {
    let properties = arguments.map { argument -> (Key, Value) in
      var schema: Map = ["description": .string(Text(argument.help))]
      if argument.type != "any" { schema["type"] = .string(Text(argument.type)) }
      return (.string(Text(argument.name)), .map(schema))
    }
    let required = arguments.filter(\.isRequired).map { Value.string(Text($0.name)) }
    return [
      "name": .string(Text(name)), "description": .string(Text(help)),
      "annotations": ["readOnlyHint": .bool(isReading)],
      "inputSchema": [
        "type": "object", "properties": .map(Map(properties)),
        "required": .list(required.isEmpty ? List() : List(required)),
      ],
    ]
  }

  /// All tools.
  static let all: [MCPTool] = [
    MCPTool(
      name: "state", help: "Shows the state of the app, or the part of it at a path.",
      arguments: [.init(name: "path", type: "string", help: "Such as counter.log[3].")]
    ) { ":state \(text("path", $0))" },
    MCPTool(
      name: "modules", help: "Lists the modules, with their problems: message, file and line."
    ) { _ in ":modules" },
    MCPTool(
      name: "actions", help: "Lists the actions and commands of modules, with their fields.",
      arguments: [.init(name: "module", type: "string", help: "Only this one's.")]
    ) { ":actions \(text("module", $0))" },
    MCPTool(
      name: "history", help: "Lists the last actions and what became of them.",
      arguments: [.init(name: "count", type: "integer", help: "How many.")]
    ) { ":history \(text("count", $0))" },
    MCPTool(
      name: "why",
      help: "Explains an action, or the last change at a path: what led to it, and what followed.",
      arguments: [
        .init(
          name: "subject", type: "string", help: "The number of an action, or a path.",
          isRequired: true)
      ]
    ) { ":why \(text("subject", $0))" },
    MCPTool(name: "screen", help: "Shows the screen on top as text, with its controls.") { _ in
      ":screen"
    },
    MCPTool(
      name: "routes", help: "Lists the URL patterns, or explains which one matches a URL.",
      arguments: [.init(name: "url", type: "string", help: "The URL.")]
    ) { ":routes \(text("url", $0))" },
    MCPTool(name: "tasks", help: "Lists tasks, timers and schedules.") { _ in ":tasks" },
    MCPTool(
      name: "log", help: "Shows the last lines of the log.",
      arguments: [.init(name: "count", type: "integer", help: "How many.")]
    ) { ":log \(text("count", $0))" },
    MCPTool(
      name: "check", help: "Checks the modules' files, beside the running app.",
      method: "module/check", hasFailed: { CheckFindings.hasProblems(in: $0) }),
    MCPTool(
      name: "test", help: "Runs the tests of the modules, each in an app of its own.",
      arguments: [
        .init(name: "pattern", type: "string", help: "A part of the names of files, for fewer.")
      ], method: "test/run", hasFailed: { $0["failed"] != 0 }),
    MCPTool(
      name: "dispatch", help: "Dispatches an action and shows what it has changed.",
      arguments: [
        .init(name: "type", type: "string", help: "Such as counter/add.", isRequired: true),
        .init(name: "payload", type: "any", help: "Its payload, any JSON."),
      ], isReading: false
    ) { "\(text("type", $0)) \($0["payload"]?.canonicalText ?? "")" },
    MCPTool(
      name: "eval", help: "Evaluates Lua; state(path) and dispatch(type, payload) are there.",
      arguments: [.init(name: "text", type: "string", help: "The Lua.", isRequired: true)],
      isReading: false
    ) { "= \(text("text", $0))" },
    MCPTool(
      name: "open", help: "Routes a URL and shows its screen.",
      arguments: [.init(name: "url", type: "string", help: "The URL.", isRequired: true)],
      isReading: false
    ) { ":open \(text("url", $0))" },
    MCPTool(
      name: "tap", help: "Uses a control of the screen on top.",
      arguments: [
        .init(name: "control", type: "string", help: "Its number or title.", isRequired: true)
      ], isReading: false
    ) { ":tap \(text("control", $0))" },
    MCPTool(
      name: "input", help: "Fills in an input of the screen on top.",
      arguments: [
        .init(name: "name", type: "string", help: "The input.", isRequired: true),
        .init(name: "text", type: "string", help: "The text.", isRequired: true),
      ], isReading: false
    ) { ":input \(text("name", $0))=\(($0["text"] ?? "").canonicalText)" },
    MCPTool(
      name: "reload", help: "Reloads one module, or all, and shows their problems.",
      arguments: [.init(name: "module", type: "string", help: "The module.")], isReading: false
    ) { ":reload \(text("module", $0))" },
  ]

  private static func text(_ name: String, _ arguments: Map) -> String {
    guard let value = arguments[name] else { return "" }
    return value.stringValue ?? value.canonicalText
  }
}
