import MoonPrompt
import Moonwire

/// Methods that begin and end subscriptions.
extension Methods {
  static let subscriptions = [
    Method(
      "state/subscribe", [.init("path", "string?"), .session],
      result: "`commit`, `subscription`, `value`",
      help: "returns a part of the state, and sends its changes as `state/changed`"
    ) { call throws(ProtocolError) in
      let session = try await call.session()
      let path = try path(of: call)
      let number = try call.connection.reserveSubscription()
      guard let moment = await call.host.perform({ StateMoment(of: session, on: $0) }) else {
        throw ProtocolError(.noSession)
      }
      let subscription = StateSubscription(
        number: number, path: path, from: moment, to: call.connection.output)
      var result: Map = ["commit": .int(moment.commit), "subscription": .int(number)]
      result["value"] = moment.state.value(at: path)
      return Method.Answer(.map(result)) {
        call.server.feeds.add(subscription, of: session, on: call.host)
        call.connection.keep(
          number, wake: { call.server.feeds.catchUp(subscription, of: session) }
        ) { call.server.feeds.remove(subscription, of: session) }
      }
    },
    Method(
      "log/subscribe", result: "`subscription`",
      help: "sends the lines of the log from now on, as `log/line`"
    ) { call throws(ProtocolError) in
      let (log, output) = (call.server.log, call.connection.output)
      let number = try call.connection.reserveSubscription()
      return Method.Answer(["subscription": .int(number)]) {
        let notices = Notices("log/line", number, to: output)
        let id = log.readers.add { line in
          notices.send([
            "module": .string(Text(line.module)), "level": .string(Text(line.level)),
            "message": .string(Text(line.message)),
          ])
        }
        call.connection.keep(number) { if let id { log.readers.remove(id) } }
      }
    },
    Method(
      "event/subscribe", result: "`subscription`",
      help: "sends reloads, faults and what tasks have changed from now on, as `event/happened`"
    ) { call throws(ProtocolError) in
      let (events, output) = (call.server.events, call.connection.output)
      let number = try call.connection.reserveSubscription()
      return Method.Answer(["subscription": .int(number)]) {
        let notices = Notices("event/happened", number, to: output)
        let id = events.add { event in
          if let record = EventRecord.record(event) { notices.send(record) }
        }
        call.connection.keep(number) { if let id { events.remove(id) } }
      }
    },
    Method(
      "subscription/end", [.init("subscription", "integer")], result: "`ended`, a boolean",
      help: "ends a subscription"
    ) { call throws(ProtocolError) in
      let isEnded = call.connection.endSubscription(call.number("subscription") ?? 0)
      return Method.Answer(["ended": .bool(isEnded)])
    },
    Method(
      "$/cancel", [.init("id", "integer|number|string")], result: "`cancelled`, a boolean",
      help: "ends a request that runs, or drops one that waits; isn't kept waiting itself"
    ) { call throws(ProtocolError) in
      let isCancelled = call.connection.cancel(call.parameters["id"] ?? .null)
      return Method.Answer(["cancelled": .bool(isCancelled)])
    },
  ]
}
