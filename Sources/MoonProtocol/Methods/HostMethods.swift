import Moonwire

/// Methods about the host and its sessions.
extension Methods {
  static let hosts = [
    Method(
      "host/describe",
      result:
        "`directory`, `methods`, `pid`, `protocol`, `run`, `session`, `version`",
      help: "says which host this is, and what it understands"
    ) { call throws(ProtocolError) in
      let methods = all.map { Value.string(Text($0.name)) }
      return Method.Answer([
        "protocol": .int(version), "version": .string(Text(Version.current)),
        "directory": .string(Text(call.server.directory)), "pid": .int(call.server.processID),
        "run": .string(Text(call.server.run)),
        "session": .int(Int64(call.server.session.number)), "methods": .list(List(methods)),
      ])
    }
  ]

  static let sessions = [
    Method("session/list", result: "`sessions`, their numbers", help: "lists the open sessions") {
      call throws(ProtocolError) in
      let all = await call.host.perform { SessionID.all(on: $0) }
      return Method.Answer(["sessions": .list(List(all.map { .int(Int64($0.number)) }))])
    },
    Method(
      "session/open", [.init("keep", "boolean?")], result: "`session`, its number",
      help: "opens another session, which ends with the connection, unless `keep` is true"
    ) { call throws(ProtocolError) in
      let open = await call.host.perform { host -> SessionID? in
        guard SessionID.all(on: host).count < ProtocolServer.sessionCountMax else { return nil }
        return host.openSession()
      }
      guard let open else {
        throw ProtocolError(
          .tooMuch, "a host has at most \(ProtocolServer.sessionCountMax) sessions")
      }
      if call.parameters["keep"] != true { call.connection.own(open) }
      return Method.Answer(["session": .int(Int64(open.number))])
    },
    Method(
      "session/close", [Method.Parameter("session", "integer")], result: "`state`, the last one",
      help: "closes a session that a client has opened"
    ) { call throws(ProtocolError) in
      let session = try await call.session()
      guard session != call.server.session else {
        throw ProtocolError(.invalidParameters, "the host serves this session until it ends")
      }
      guard let state = await call.host.closeSession(session) else {
        throw ProtocolError(.noSession)
      }
      call.connection.disown(session)
      call.server.feeds.forget(session)
      return Method.Answer(["state": state.value])
    },
  ]
}
