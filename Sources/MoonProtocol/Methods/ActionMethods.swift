import MoonPrompt
import Moonwire

/// Methods about actions and Lua.
extension Methods {
  static let actions = [
    Method(
      "action/dispatch",
      [.init("type", "string"), .init("payload", "any?"), .session],
      result: "the record of a line that dispatches", help: "carries out an action"
    ) { call throws(ProtocolError) in
      guard let type = call.text("type"), ActionPattern.isType(type) else {
        throw ProtocolError(.invalidParameters, "type is that of an action, such as counter/add")
      }
      return try await answer(
        .dispatch(Action(Text(type), call.parameters["payload"] ?? .null)), call)
    },
    Method(
      "action/types", [.init("module", "string?")], command: "actions",
      help: "lists the actions and commands, with their fields"
    ) { parameters throws(ProtocolError) in try word("module", of: parameters) },
    Method(
      "command/call", [.init("command", "string"), .init("payload", "any?")], command: "call",
      help: "calls a command of a module"
    ) { parameters throws(ProtocolError) in
      try word("command", of: parameters) + quoted(parameters["payload"])
    },
    Method(
      "lua/eval", [.init("text", "string"), .session],
      result: "the record of a line with `=`", help: "evaluates Lua, which may wait"
    ) { call throws(ProtocolError) in
      try await answer(.evaluate(call.text("text") ?? ""), call)
    },
  ]

  private static func answer(
    _ line: PromptLine, _ call: MethodCall
  ) async throws(ProtocolError) -> Method.Answer {
    let prompt = try await call.prompt()
    do throws(LineProblem) {
      return Method.Answer(try await call.record(of: line, in: prompt))
    } catch {
      throw ProtocolError(error)
    }
  }

  static let navigation = [
    Method(
      "nav/route", [.init("url", "string"), .init("parameters", "table?")], command: "open",
      help: "routes a URL"
    ) { parameters throws(ProtocolError) in
      try word("url", of: parameters) + quoted(parameters["parameters"])
    },
    Method("nav/back", command: "back", help: "goes one screen back"),
    Method("nav/tree", command: "nav", help: "returns the windows, stacks and tabs"),
    Method(
      "nav/routes", [.init("url", "string?")], command: "routes",
      help: "lists the URL patterns, or explains which one matches a URL"
    ) { parameters throws(ProtocolError) in try word("url", of: parameters) },
    Method(
      "screen/get", [.init("screen", "string?")], command: "screen",
      help: "returns the screen on top, or the one with an id"
    ) { parameters throws(ProtocolError) in try word("screen", of: parameters) },
    Method(
      "screen/use", [.init("control", "integer|string")], command: "tap",
      help: "uses a control of the screen on top, by its number or title"
    ) { parameters throws(ProtocolError) in quoted(parameters["control"]) },
    Method(
      "screen/fill", [.init("input", "string"), .init("text", "string")], command: "input",
      help: "fills in an input of the screen on top"
    ) { parameters throws(ProtocolError) in
      quoted(parameters["input"]) + "=" + quoted(parameters["text"]).dropFirst()
    },
    Method(
      "key/list", command: "keys",
      help: "lists what keys do, and whether they do it on what is shown"),
    Method(
      "key/press", [.init("keys", "string")], command: "press",
      help: "does what keys do, such as `ctrl+n` or `g i`"
    ) { parameters throws(ProtocolError) in quoted(parameters["keys"]) },
  ]
}
