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
      "screen/use",
      [
        .init("control", "integer|string"), .init("seen", "table?"), .init("screen", "string?"),
        .session,
      ],
      result: "the record of `:tap`",
      help: "uses a control of the screen on top, which has the id, by its number or title; "
        + "`seen` is what had the number"
    ) { call throws(ProtocolError) in
      Method.Answer(try await call.record(of: ":tap\(quoted(call.parameters["control"]))"))
    },
    Method(
      "screen/fill",
      [.init("input", "string"), .init("text", "string"), .init("screen", "string?"), .session],
      result: "the record of `:input`",
      help: "fills in an input of the screen on top, which has the id"
    ) { call throws(ProtocolError) in
      let text = quoted(call.parameters["text"]).dropFirst()
      return Method.Answer(
        try await call.record(of: ":input\(quoted(call.parameters["input"]))=\(text)"))
    },
    Method(
      "screen/scroll",
      [.init("list", "string"), .init("row", "integer"), .init("screen", "string?"), .session],
      result: "`list`, `row`",
      help: "draws the rows of a list from one on, on the screen on top, which has the id"
    ) { call throws(ProtocolError) in
      let row = call.parameters["row"]?.canonicalText ?? ""
      return Method.Answer(
        try await call.record(of: ":scroll\(quoted(call.parameters["list"])) \(row)"))
    },
    Method(
      "screen/resize", [.init("columns", "integer"), .init("rows", "integer"), .session],
      result: "`columns`, `rows`",
      help: "tells views of the room for a screen, which they draw anew"
    ) { call throws(ProtocolError) in
      let session = try await call.session()
      let size = ScreenSize(
        columns: Int(clamping: call.parameters["columns"]?.intValue ?? 0),
        rows: Int(clamping: call.parameters["rows"]?.intValue ?? 0))
      await call.host.perform { session.resizeScreens(to: size, on: $0) }
      return Method.Answer([
        "columns": .int(Int64(size.columns)), "rows": .int(Int64(size.rows)),
      ])
    },
    Method(
      "key/list", command: "keys",
      help: "lists what keys do, and whether they do it on what is shown"),
    Method(
      "key/press",
      [
        .init("keys", "string"), .init("control", "integer?"), .init("seen", "table?"),
        .init("screen", "string?"), .session,
      ],
      result: "the record of `:press`",
      help: "does what keys do, such as `ctrl+n` or `g i`, on the screen on top, which has the id, "
        + "while the control with the number has the focus"
    ) { call throws(ProtocolError) in
      let focus = call.parameters["control"].map { " on \($0.canonicalText)" } ?? ""
      return Method.Answer(
        try await call.record(of: ":press\(quoted(call.parameters["keys"]))\(focus)"))
    },
  ]
}
