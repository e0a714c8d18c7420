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
    try await ProtocolClient(ScriptFolder(["slate.lua": Self.slate]))
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
