import MoonAuthoring
import MoonPrompt
import Moonwire

/// A tool for assistants: a line of the prompt, with its parts as arguments, or a method of the
/// protocol.
struct MCPTool: Sendable {
  /// An argument of a tool.
  struct Argument: Sendable {
    /// The values that an argument takes.
    enum Kind: Sendable {
      case text
      /// The type of an action. Anything else at the beginning of a line might be a command.
      case action
      case integer
      case any

      /// Returns whether it takes a value.
      func takes(_ value: Value) -> Bool {
        switch self {
        case .text: value.stringValue != nil
        case .action: value.stringValue.map(ActionPattern.isType) ?? false
        case .integer: value.intValue != nil
        case .any: true
        }
      }
    }

    let name: String
    let kind: Kind
    let help: String
    var isRequired = false

    /// The argument as JSON Schema.
    var schema: Map {
      var schema: Map = ["description": .string(Text(help))]
      switch kind {
      case .text, .action: schema["type"] = "string"
      case .integer: schema["type"] = "integer"
      case .any: break
      }
      return schema
    }

    /// Returns the reason that it doesn't take a value; nil if it does.
    func refusal(of value: Value) -> String? {
      guard !kind.takes(value) else { return nil }
      let wanted =
        switch kind {
        case .text: "a text"
        case .action: "the type of an action, such as counter/add"
        case .integer: "a whole number"
        case .any: "a value"
        }
      return "\(name) takes \(wanted), not \(value.canonicalText)"
    }
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
    let properties = arguments.map { (Key.string(Text($0.name)), Value.map($0.schema)) }
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
      arguments: [.init(name: "path", kind: .text, help: "Such as counter.log[3].")]
    ) { ":state \(text("path", $0))" },
    MCPTool(
      name: "modules", help: "Lists the modules, with their problems: message, file and line."
    ) { _ in ":modules" },
    MCPTool(
      name: "actions", help: "Lists the actions and commands of modules, with their fields.",
      arguments: [.init(name: "module", kind: .text, help: "Only this one's.")]
    ) { ":actions \(text("module", $0))" },
    MCPTool(
      name: "history", help: "Lists the last actions and what became of them.",
      arguments: [.init(name: "count", kind: .integer, help: "How many.")]
    ) { ":history \(text("count", $0))" },
    MCPTool(
      name: "why",
      help: "Explains an action, or the last change at a path: what led to it, and what followed.",
      arguments: [
        .init(
          name: "subject", kind: .text, help: "The number of an action, or a path.",
          isRequired: true)
      ]
    ) { ":why \(text("subject", $0))" },
    MCPTool(name: "screen", help: "Shows the screen on top as text, with its controls.") { _ in
      ":screen"
    },
    MCPTool(
      name: "routes", help: "Lists the URL patterns, or explains which one matches a URL.",
      arguments: [.init(name: "url", kind: .text, help: "The URL.")]
    ) { ":routes \(text("url", $0))" },
    MCPTool(name: "tasks", help: "Lists tasks, timers and schedules.") { _ in ":tasks" },
    MCPTool(
      name: "log", help: "Shows the last lines of the log.",
      arguments: [.init(name: "count", kind: .integer, help: "How many.")]
    ) { ":log \(text("count", $0))" },
    MCPTool(
      name: "check", help: "Checks the modules' files, beside the running app.",
      method: "module/check", hasFailed: { CheckFindings.hasProblems(in: $0) }),
    MCPTool(
      name: "test", help: "Runs the tests of the modules, each in an app of its own.",
      arguments: [
        .init(name: "pattern", kind: .text, help: "A part of the names of files, for fewer.")
      ], method: "test/run", hasFailed: { $0["failed"] != 0 }),
    MCPTool(
      name: "dispatch", help: "Dispatches an action and shows what it has changed.",
      arguments: [
        .init(name: "type", kind: .action, help: "Such as counter/add.", isRequired: true),
        .init(name: "payload", kind: .any, help: "Its payload, any JSON."),
      ], isReading: false
    ) { "\(text("type", $0)) \($0["payload"]?.canonicalText ?? "")" },
    MCPTool(
      name: "eval", help: "Evaluates Lua; state(path) and dispatch(type, payload) are there.",
      arguments: [.init(name: "text", kind: .text, help: "The Lua.", isRequired: true)],
      isReading: false
    ) { "= \(text("text", $0))" },
    MCPTool(
      name: "open", help: "Routes a URL and shows its screen.",
      arguments: [.init(name: "url", kind: .text, help: "The URL.", isRequired: true)],
      isReading: false
    ) { ":open \(text("url", $0))" },
    MCPTool(
      name: "tap", help: "Uses a control of the screen on top.",
      arguments: [
        .init(name: "control", kind: .text, help: "Its number or title.", isRequired: true)
      ], isReading: false
    ) { ":tap \(text("control", $0))" },
    MCPTool(
      name: "input", help: "Fills in an input of the screen on top.",
      arguments: [
        .init(name: "name", kind: .text, help: "The input.", isRequired: true),
        .init(name: "text", kind: .text, help: "The text.", isRequired: true),
      ], isReading: false
    ) { ":input \(text("name", $0))=\(($0["text"] ?? "").canonicalText)" },
    MCPTool(
      name: "reload", help: "Reloads one module, or all, and shows their problems.",
      arguments: [.init(name: "module", kind: .text, help: "The module.")], isReading: false
    ) { ":reload \(text("module", $0))" },
  ]

  private static func text(_ name: String, _ arguments: Map) -> String {
    guard let value = arguments[name] else { return "" }
    return value.stringValue ?? value.canonicalText
  }
}
