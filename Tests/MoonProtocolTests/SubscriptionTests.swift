import MoonProtocol
import MoonTestSupport
import Moonwire
import Testing

/// Subscriptions to the state, to the log and to events.
struct SubscriptionTests {
  /// A module whose action replaces its whole slice.
  private static let slate = """
    return { state = { list = { 1, 2, 3 }, map = {} },
      reducers = { set = function(state, payload) return payload end } }
    """

  private func client() async throws -> ProtocolClient {
    var options = HostOptions()
    options.timeline = Timeline.Limits()
    return try await ProtocolClient(ScriptFolder(["slate.lua": Self.slate]), options: options)
  }

  private func set(_ client: ProtocolClient, _ slice: String) async throws {
    let session = await SessionID.first(on: client.host)
    let action = Action("slate/set", try Value(parsing: slice))
    _ = try await client.host.perform { host throws(DispatchError) in
      try host.dispatch(action, to: session)
    }
  }

  @Test(arguments: [
    (
      #"{"list":[1,2,3],"map":{"a":1}}"#,
      #"[{"op":"add","path":"/map/a","value":1}]"#
    ),
    (
      #"{"list":[3],"map":{}}"#,
      #"[{"op":"remove","path":"/list/1"},{"op":"remove","path":"/list/0"}]"#
    ),
    (
      #"{"list":[0,1,2,3],"map":{}}"#, #"[{"op":"add","path":"/list/0","value":0}]"#
    ),
    (
      #"{"list":[1,9,3],"map":{"a/b~c":{"[5]":null}}}"#,
      #"[{"op":"replace","path":"/list/1","value":9},"#
        + #"{"op":"add","path":"/map/a~1b~0c","value":{"[5]":null}}]"#
    ),
  ])
  func `a change is sent as a patch with the commit's number`(slice: String, patch: String)
    async throws
  {
    let client = try await client()
    let begun = try await client.call("state/subscribe", #"{"path":"slate"}"#)
    #expect(begun == ["commit": 0, "subscription": 1, "value": ["list": [1, 2, 3], "map": [:]]])
    try await set(client, slice)
    let told = await client.received.take()[0]
    #expect(
      told
        == #"{"jsonrpc":"2.0","method":"state/changed","params":"#
        + #"{"commit":1,"patch":\#(patch),"subscription":1}}"#)
  }

  @Test(arguments: [
    (#"{"a":[1,2,3],"b":{}}"#, #"{"a":[3],"b":{"[5]":{"x/y~z":1}}}"#), ("1", "[]"),
    ("[[1]]", "[[]]"),
    (#"{"b":{"[5]":{"x/y~z":[1,2]}}}"#, #"{"b":{"[5]":{"x/y~z":[0,1,9]}},"c":null}"#),
  ])
  func `a patch leads from one value to the other`(old: String, new: String) throws {
    let (old, new) = (try Value(parsing: old), try Value(parsing: new))
    let patch = List(StatePatch.operations(from: old, to: new))
    #expect(StatePatch.value(old, changedBy: patch) == .some(new))
    #expect(StatePatch.value(7, changedBy: patch) == nil || old == 1)
  }

  @Test func `what people see is told, with the changes of its body`() async throws {
    let view = """
      return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end },
        routes = { ["/x"] = function() return { kind = "x", title = "X" } end },
        views = { x = function(screen, state) return { "same", "n is " .. state.n } end } }
      """
    let client = try await ProtocolClient(ScriptFolder(["page.lua": view]))
    _ = try await client.call("nav/route", #"{"url":"/x"}"#)
    let begun = try await client.call("screen/subscribe")
    #expect(begun["shown"]?["screen"]?["body"] == ["same", "n is 0"], "\(begun)")
    client.send(
      #"{"jsonrpc":"2.0","method":"action/dispatch","params":{"type":"page/add"}}"# + "\n")
    let told = await client.received.take()[0]
    #expect(told.contains(#""op":"replace","path":"/screen/body/1","value":"n is 1""#), "\(told)")
    let id = begun["shown"]?["screen"]?["id"]?.stringValue ?? ""
    let filled = try await client.call(
      "screen/fill", #"{"input":"n","text":"","screen":"\#(id)"}"#)
    #expect(filled["message"]?.stringValue?.contains("no input") ?? false, "\(filled)")
    client.connection.close()
  }

  @Test func `what is seen has been told once it is settled`() async throws {
    let view = """
      return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end },
        routes = { ["/x"] = function() return { kind = "x", title = "X" } end },
        views = { x = function(screen, state) return { "n is " .. state.n } end } }
      """
    let client = try await ProtocolClient(ScriptFolder(["page.lua": view]))
    #expect(try await client.call("screen/settle") == [:], "without a subscription")
    _ = try await client.call("nav/route", #"{"url":"/x"}"#)
    _ = try await client.call("screen/subscribe")
    for number in 1...20 {
      for (id, text) in [
        ("null", #""action/dispatch","params":{"type":"page/add"}"#), ("7", #""screen/settle""#),
      ] {
        let member = id == "null" ? "" : #""id":\#(id),"#
        client.send(#"{"jsonrpc":"2.0",\#(member)"method":\#(text)}"# + "\n")
      }
      var told: [String] = []
      while !(told.last?.contains(#""id":7"#) ?? false) { told += await client.received.take() }
      #expect(told.count == 2 && told[0].contains("n is \(number)"), "\(told)")
    }
    client.connection.close()
  }

  @Test func `the pointer to an integer key has the form of the key in JSON`() async throws {
    let client = try await client()
    try await set(client, #"{"list":[],"map":{"[5]":1}}"#)
    _ = try await client.call("state/subscribe", #"{"path":"slate.map"}"#)
    try await set(client, #"{"list":[],"map":{"[5]":2}}"#)
    #expect(await client.received.take()[0].contains(#""path":"/[5]","value":2"#))
  }

  @Test func `a client that doesn't read gets all that it missed at once`() async throws {
    let client = try await client()
    _ = try await client.call("state/subscribe", #"{"path":"slate.list"}"#)
    let other = client.other()
    _ = try await other.call("state/subscribe", #"{"path":"slate.list"}"#)
    client.received.isCongested = true
    for list in ["[1]", "[1,5]", "[1,5,7]"] {
      try await set(client, #"{"list":\#(list),"map":{}}"#)
      _ = await other.received.take()
    }
    #expect(client.received.count == 0)
    client.received.isCongested = false
    client.connection.outputDrained()
    let told = await client.received.take()[0]
    #expect(told.contains(#""commit":3"#))
    #expect(told.contains(#"{"op":"replace","path":"/1","value":5}"#), "\(told)")
  }

  @Test func `a client that comes back gets what it has missed, or the whole`() async throws {
    let client = try await client()
    let run = try await client.call("host/describe")["run"]?.stringValue ?? ""
    let list = #""path":"slate.list""#
    _ = try await client.call("state/subscribe", "{\(list)}")
    try await set(client, #"{"list":[1],"map":{}}"#)
    #expect(await client.received.take()[0].contains(#""commit":1"#))
    client.connection.close()
    try await set(client, #"{"list":[1,2],"map":{}}"#)
    let back = client.other()
    func subscribe(_ since: String) async throws -> Value {
      try await back.call("state/subscribe", "{\(list)\(since)}")
    }
    let rest = try await subscribe(#","since":1,"run":"\#(run)""#)
    #expect(
      rest == ["commit": 2, "subscription": 1, "patch": [["op": "add", "path": "/1", "value": 2]]])
    // Of another run, of no run, and of a commit that nobody was told of.
    for since in [#","since":1,"run":"x""#, #","since":1"#, #","since":77,"run":"\#(run)""#] {
      #expect(try await subscribe(since)["value"] == [1, 2], "\(since)")
    }
    _ = try await subscribe(#","since":2,"run":"\#(run)""#)
    // After travel through the timeline, the number belongs to two states.
    _ = try await client.other().call("prompt/run", #"{"line":":goto 1"}"#)
    let told = await back.received.take(5)
    #expect(told.allSatisfy { $0.contains(#""patch":[{"op":"remove","path":"/1"}]"#) }, "\(told)")
    #expect(try await subscribe(#","since":2,"run":"\#(run)""#)["value"] == [1])
  }

  @Test func `each action and what became of it is told`() async throws {
    let client = try await client()
    try await set(client, #"{"list":[],"map":{}}"#)
    let begun = try await client.call("history/subscribe")
    #expect(begun == ["subscription": 1])
    try await set(client, #"{"list":[1],"map":{}}"#)
    await #expect(throws: DispatchError.self) { try await set(client, "7") }
    let told = await client.received.take(2)
    #expect(told[0].contains(#""method":"history/added""#) && told[0].contains(#""changed":true"#))
    #expect(told[0].contains(#""id":2"#) && told[1].contains(#""id":3"#), "\(told)")
    #expect(told[1].contains(#""error":{"#), "\(told)")
    client.connection.close()
  }

  @Test func `a day of schedules is told as it goes by, across a reload`() async throws {
    let clock = """
      return require("moonwire").module {
        state = { hours = 0, noons = 0 },
        reducers = {
          hour = function(state) state.hours = state.hours + 1 end,
          noon = function(state) state.noons = state.noons + 1 end,
        },
        schedules = { hour = { every = 3600 }, noon = { after = 43200 } },
      }
      """
    let folder = try ScriptFolder(["clock.lua": clock])
    let time = StillClock()
    var options = HostOptions()
    options.clock = Clock(timer: time.clock.timer) { StillClock.beginning }
    let client = try await ProtocolClient(folder, options: options)
    _ = try await client.call("state/subscribe", #"{"path":"clock.hours"}"#)
    for hour in 1...24 {
      time.set(time.now + .seconds(3_600))
      await client.host.wake()
      let told = await client.received.take()[0]
      #expect(told.contains(#"{"op":"replace","path":"","value":\#(hour)}"#), "\(told)")
      guard hour == 7 else { continue }
      try folder.save("clock.lua", clock + "\n-- changed")
      await client.host.reload()
    }
    #expect(
      try await client.call("state/get", #"{"path":"clock"}"#)["value"]
        == ["hours": 24, "noons": 1])
  }

  @Test func `a subscription ends with its request, and with the session`() async throws {
    let client = try await client()
    let session = try await client.call("session/open")["session"]
    let number = try #require(session?.intValue)
    _ = try await client.call("state/subscribe", #"{"session":\#(number)}"#)
    _ = try await client.call("state/subscribe", #"{"path":"slate.list"}"#)
    let ended = try await client.call("subscription/end", #"{"subscription":2}"#)
    #expect(ended == ["ended": true])
    client.send(
      #"{"jsonrpc":"2.0","method":"session/close","params":{"session":\#(number)}}"# + "\n")
    let told = await client.received.take()[0]
    #expect(
      told == #"{"jsonrpc":"2.0","method":"state/ended","params":{"subscription":1}}"#)
    try await set(client, #"{"list":[],"map":{}}"#)
    #expect(try await client.call("subscription/end", #"{"subscription":2}"#) == ["ended": false])
  }

  @Test func `a path that isn't there yet is followed, too`() async throws {
    let client = try await client()
    let begun = try await client.call("state/subscribe", #"{"path":"slate.map.x"}"#)
    #expect(begun == ["commit": 0, "subscription": 1])
    try await set(client, #"{"list":[],"map":{"x":null}}"#)
    #expect(
      await client.received.take()[0].contains(#""patch":[{"op":"add","path":"","value":null}]"#))
    try await set(client, #"{"list":[],"map":{}}"#)
    #expect(await client.received.take()[0].contains(#""patch":[{"op":"remove","path":""}]"#))
  }

  @Test func `a client has as many subscriptions as the limit, and each is told`() async throws {
    let client = try await client()
    for _ in 0..<1_000 {
      _ = try await client.call("state/subscribe", #"{"path":"slate.list"}"#)
    }
    let refused = try await client.call("state/subscribe")
    #expect(refused["code"] == -32_002)
    try await set(client, #"{"list":[],"map":{}}"#)
    let told = await client.received.take(1_000)
    #expect(Set(told).count == 1_000 && told.allSatisfy { $0.contains("state/changed") })
  }

  @Test func `events come as records`() async throws {
    let folder = try ScriptFolder(["slate.lua": Self.slate])
    let client = try await ProtocolClient(folder)
    _ = try await client.call("event/subscribe")
    try folder.save("slate.lua", Self.slate + "\n-- changed")
    await client.host.reload()
    let told = await client.received.take()[0]
    #expect(told.contains(#""event":"reloaded","jsonrpc""#) == false)
    #expect(
      told.contains(#""event":"reloaded","kind":"event","module":"slate""#), "\(told)")
  }
}
