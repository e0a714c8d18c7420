import MoonPrompt
import Moonwire

/// Methods that begin and end subscriptions.
enum SubscriptionMethods {
  /// The state that a client had when it went, if it says so and the host still knows it.
  private static func earlierState(in feed: StateFeed, _ call: MethodCall) -> Value? {
    guard let commit = call.number("since"), call.text("run") == call.server.run else { return nil }
    return feed.state(after: commit)
  }

  static let all = [
    Method(
      "state/subscribe",
      [.init("path", "string?"), .init("since", "integer?"), .init("run", "string?"), .session],
      result: "`commit`, `subscription`, `value`; in place of `value`, `patch` since a commit",
      help: "returns a part of the state, and sends its changes as `state/changed`"
    ) { call throws(ProtocolError) in
      let session = try await call.session()
      let path = try Methods.path(of: call)
      let number = try call.connection.reserveSubscription()
      guard let moment = await call.host.perform({ StateMoment(of: session, on: $0) }) else {
        throw ProtocolError(.noSession)
      }
      let feed = call.server.feeds[session]
      let subscription = StateSubscription(
        number: number, path: path, to: call.connection.output)
      let (value, former) = (moment.state.value(at: path), earlierState(in: feed, call))
      var result: Map = ["commit": .int(moment.commit), "subscription": .int(number)]
      if let former {
        let operations = StatePatch.operations(from: former.value(at: path), to: value)
        result["patch"] = .list(List(operations))
      } else {
        result["value"] = value
      }
      return Method.Answer(.map(result)) {
        feed.add(subscription, from: moment, on: call.host)
        call.connection.keep(number, wake: { feed.catchUp(subscription) }) {
          feed.remove(subscription)
        }
      }
    },
    Method(
      "screen/subscribe", [.session], result: "`subscription`, `shown`",
      help: "returns what people see, with the bodies of screens, and sends its changes"
    ) { call throws(ProtocolError) in
      let session = try await call.session()
      let number = try call.connection.reserveSubscription()
      guard let value = await call.host.perform({ StageFeed.now(of: session, on: $0) }) else {
        throw ProtocolError(.noSession)
      }
      let feed = StageFeed(
        number: number, of: session, on: call.host, call.server.events, call.server.watches,
        to: call.connection.output, telling: value)
      return Method.Answer(["subscription": .int(number), "shown": value]) {
        feed.begin()
        call.connection.keep(number, wake: { feed.wake() }, settle: { await feed.settle() }) {
          feed.end()
        }
      }
    },
    Method(
      "screen/settle", result: "an empty table",
      help: "answers once all that is seen now has been sent as `screen/changed`"
    ) { call in
      await call.connection.settleSubscriptions()
      return Method.Answer([:])
    },
    Method(
      "history/subscribe", [.session], result: "`subscription`",
      help: "sends each action from now on, with what became of it, as `history/added`"
    ) { call throws(ProtocolError) in
      let session = try await call.session()
      let number = try call.connection.reserveSubscription()
      let (host, output) = (call.host, call.connection.output)
      let (total, further) = await host.perform { session.historyEntries(on: $0) }
      return Method.Answer(["subscription": .int(number)]) {
        let notices = Notices("history/added", number, to: output)
        // Something was added, or the client has read what had waited for it.
        let (signals, signal) = AsyncStream.makeStream(
          of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let following = Task { for await _ in further { signal.yield() } }
        let task = Task {
          var told = total
          for await _ in signals {
            let (entries, total) = await host.perform { [told] in
              session.history(after: told, on: $0)
            }
            notices.skip(total - told - entries.count)
            told = total - entries.count
            // The history keeps the others for a client that reads slowly.
            for entry in entries {
              guard notices.offer(entry.record) else { break }
              told += 1
            }
          }
        }
        call.connection.keep(number, wake: { signal.yield() }) {
          following.cancel()
          task.cancel()
        }
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
