import MoonPrompt
import Moonwire

/// Methods about the state and what has led to it.
extension Methods {
  static let states = [
    Method(
      "state/get", [.init("path", "string?"), .session], result: "`commit`, `value`",
      help: "returns the state, or the part of it at a path"
    ) { call throws(ProtocolError) in
      let session = try await call.session()
      let path = try path(of: call)
      guard let moment = await call.host.perform({ StateMoment(of: session, on: $0) }) else {
        throw ProtocolError(.noSession)
      }
      guard let value = moment.state.value(at: path) else {
        // The command finds what was meant.
        _ = try await call.record(of: ":state \(path)")
        throw ProtocolError(.failed, "there is nothing at \(path)")
      }
      return Method.Answer(["commit": .int(moment.commit), "value": value])
    }
  ]

  /// The path in the parameters.
  ///
  /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/invalidParameters``
  static func path(of call: MethodCall) throws(ProtocolError) -> Path {
    do throws(PathError) {
      return try Path(parsing: call.text("path") ?? "")
    } catch {
      throw ProtocolError(.invalidParameters, "path: \(error)")
    }
  }

  static let history = [
    Method(
      "history/list", [.init("count", "integer?")], command: "history",
      help: "returns the last actions and what became of them"
    ) { parameters throws(ProtocolError) in number("count", of: parameters) },
    Method(
      "history/why", [.init("action", "integer")], command: "why",
      help: "explains why an action came, what it did, and what it led to"
    ) { parameters throws(ProtocolError) in number("action", of: parameters) },
    Method(
      "timeline/list", [.init("count", "integer?")], command: "timeline",
      help: "returns the states that are kept"
    ) { parameters throws(ProtocolError) in number("count", of: parameters) },
    Method(
      "timeline/goto", [.init("place", "integer|string")], command: "goto",
      help: "shows the state after an action, or `beginning` or `present`"
    ) { parameters throws(ProtocolError) in
      guard parameters["place"]?.intValue == nil else { return number("place", of: parameters) }
      return try word("place", of: parameters)
    },
    Method(
      "timeline/change", [.init("change", "string")], command: "timeline",
      help: "changes the timeline, such as with `skip 12`, `move 12 7` or `cut`"
    ) { parameters throws(ProtocolError) in
      let change = parameters["change"]?.stringValue ?? ""
      guard change.first?.isLetter ?? false else {
        throw ProtocolError(.invalidParameters, "change is one that :help timeline lists")
      }
      return change
    },
    Method("timeline/undo", command: "undo", help: "undoes the last action"),
    Method(
      "task/list", [.init("module", "string?")], command: "tasks",
      help: "lists tasks, timers and schedules, and what they wait for"
    ) { parameters throws(ProtocolError) in try word("module", of: parameters) },
    Method(
      "task/cancel", [.init("task", "integer")], command: "cancel",
      help: "cancels a task and the tasks it spawned"
    ) { parameters throws(ProtocolError) in number("task", of: parameters) },
  ]
}
