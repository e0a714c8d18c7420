import MoonProtocol
import MoonTestSupport
import Moonwire
import Testing

/// Requests and replies.
struct ProtocolTests {
  /// What no client should send, with the code of the error that answers it.
  static let wrong: [(line: String, code: Int64)] = [
    ("{", -32_700), ("nonsense", -32_700), (#"{"jsonrpc":"2.0",}"#, -32_700),
    ("[]", -32_600), ("1", -32_600), ("{}", -32_600),
    (#"{"jsonrpc":"1.0","id":1,"method":"state/get"}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":1}"#, -32_600), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":{},"method":"state/get"}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":1,"method":"state/get","params":[1]}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":1,"method":"state/gets"}"#, -32_601),
    (#"{"jsonrpc":"2.0","id":1,"method":"state/get","params":{"path":7}}"#, -32_602),
    (#"{"jsonrpc":"2.0","id":1,"method":"state/get","params":{"way":"a"}}"#, -32_602),
    (#"{"jsonrpc":"2.0","id":1,"method":"state/get","params":{"path":"a..b"}}"#, -32_602),
    (#"{"jsonrpc":"2.0","id":1,"method":"nav/route","params":{"url":"/a b"}}"#, -32_602),
    (#"{"jsonrpc":"2.0","id":1,"method":"action/dispatch","params":{"type":"add"}}"#, -32_602),
    (#"{"jsonrpc":"2.0","id":1,"method":"state/get","params":{"path":"none"}}"#, -32_000),
    (#"{"jsonrpc":"2.0","id":1,"method":"lua/eval","params":{"text":"error('x')"}}"#, -32_000),
    (#"{"jsonrpc":"2.0","id":1,"method":"state/get","params":{"session":9}}"#, -32_001),
    (String(repeating: "[", count: 100_000), -32_700),
    (#"{"a":"# + String(repeating: "[", count: 100_000), -32_700),
    ("[" + Array(repeating: "1", count: 101).joined(separator: ",") + "]", -32_002),
  ]

  @Test(arguments: wrong)
  func `what is wrong is answered with the error that says so`(line: String, code: Int64)
    async throws
  {
    let client = try await ProtocolClient(ScriptFolder(["counter.lua": ScriptFolder.counter]))
    let reply = try Value(parsing: await client.ask(line))
    #expect(reply["error"]?["code"] == .int(code), "\(reply)")
    #expect(try await client.call("state/get", #"{"path":"counter.count"}"#)["value"] == 0)
  }

  @Test func `keys are listed and pressed`() async throws {
    let client = try await ProtocolClient(
      ScriptFolder([
        "counter.lua": ScriptFolder.counter,
        "m.lua": """
        return { keys = { ["g c"] = { type = "counter/add", payload = { by = 2 } },
          { on = "*", x = "counter/add" } } }
        """,
      ]))
    let keys = try await client.call("key/list")["keys"]?.listValue ?? List()
    #expect(keys.map { $0["keys"] } == ["x", "g c"])
    #expect(keys.map { $0["active"] } == [false, true])
    #expect(keys.last?["place"] == "m.lua:1" && keys.last?["payload"] == ["by": 2])
    #expect(try await client.call("key/press", #"{"keys":"G C"}"#)["code"] == -32_000)
    #expect(try await client.call("key/press", #"{"keys":"g c"}"#)["kind"] == "press")
    #expect(try await client.call("state/get", #"{"path":"counter.count"}"#)["value"] == 2)
  }

  @Test func `a line that isn't UTF-8 costs nothing but itself`() async throws {
    let client = try await ProtocolClient(ScriptFolder())
    client.connection.receive([0x7B, 0xFF, 0x7D, 0x0A])
    #expect(await client.received.take()[0].contains("-32700"))
    #expect(try await client.call("session/list")["sessions"] == [1])
  }

  @Test func `a line without an end ends the client and nothing else`() async throws {
    let client = try await ProtocolClient(ScriptFolder())
    let piece = [UInt8](repeating: 0x20, count: 1 << 16)
    for _ in 0...16 { client.connection.receive(piece) }
    #expect(await client.received.take()[0].contains("-32002"))
    #expect(client.received.isEnded)
    client.send("{}\n")
    #expect(client.received.count == 0)
  }

  @Test func `bytes may come in any pieces, and empty lines mean nothing`() async throws {
    let client = try await ProtocolClient(ScriptFolder(["counter.lua": ScriptFolder.counter]))
    let line = #"{"jsonrpc":"2.0","id":"é","method":"state/get","params":{"path":"counter"}}"#
    for byte in Array("\n\r\n  \n\(line)\r\n".utf8) { client.connection.receive([byte]) }
    let reply = await client.received.take()[0]
    #expect(
      reply == #"{"id":"é","jsonrpc":"2.0","result":{"commit":0,"value":{"count":0}}}"#)
  }

  @Test func `a batch has one answer, without those of notifications`() async throws {
    let client = try await ProtocolClient(ScriptFolder(["counter.lua": ScriptFolder.counter]))
    let add = #""method":"action/dispatch","params":{"type":"counter/add"}"#
    let reply = try Value(
      parsing: await client.ask(
        #"[{"jsonrpc":"2.0",\#(add)},7,{"jsonrpc":"2.0","id":2,"method":"state/get"}]"#))
    #expect(reply.listValue?.count == 2)
    #expect(reply.listValue?[0]["error"]?["code"] == -32_600)
    #expect(reply.listValue?[1]["result"]?["value"]?["counter"]?["count"] == 1)
    client.send(#"{"jsonrpc":"2.0",\#(add)}"# + "\n")
    #expect(try await client.call("state/get", #"{"path":"counter.count"}"#)["value"] == 2)
  }

  @Test func `requests are carried out in their order, and an id belongs to one at a time`()
    async throws
  {
    let client = try await ProtocolClient(ScriptFolder(["counter.lua": ScriptFolder.counter]))
    let wait = #"{"jsonrpc":"2.0","id":1,"method":"lua/eval","params":{"text":"moon.sleep(900)"}}"#
    client.send(wait + "\n")
    // Refused at once, and not after the first.
    client.send(wait + "\n")
    try #require(client.received.count == 1)
    #expect(await client.received.take()[0].contains("another request with this id"))
    client.send(#"{"jsonrpc":"2.0","id":2,"method":"state/get"}"# + "\n")
    client.send(#"{"jsonrpc":"2.0","id":3,"method":"state/get"}"# + "\n")
    // One that waits is dropped, and one that runs is ended, once it has begun to wait.
    let drop = await client.ask(
      #"{"jsonrpc":"2.0","id":8,"method":"$/cancel","params":{"id":2}}"#)
    #expect(drop.contains(#""cancelled":true"#))
    let session = await SessionID.first(on: client.host)
    while await client.host.taskInfos(of: session).isEmpty { await Task.yield() }
    client.send(#"{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}"# + "\n")
    let replies = await client.received.take(3)
    #expect(replies[0].contains(#""id":1"#) && replies[0].contains("-32000"), "\(replies[0])")
    #expect(replies[1].contains(#""id":2"#) && replies[1].contains("-32800"), "\(replies[1])")
    #expect(replies[2].contains(#""id":3"#) && replies[2].contains("result"), "\(replies[2])")
    let late = await client.ask(
      #"{"jsonrpc":"2.0","id":8,"method":"$/cancel","params":{"id":1}}"#)
    #expect(late.contains(#""cancelled":false"#))
  }

  @Test func `more requests than may wait are refused`() async throws {
    let client = try await ProtocolClient(ScriptFolder())
    let wait = #"{"jsonrpc":"2.0","id":0,"method":"lua/eval","params":{"text":"moon.sleep(900)"}}"#
    let all = (1...200).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"session/list"}"# }
    client.send(([wait] + all).joined(separator: "\n") + "\n")
    let refused = await client.received.take(99)
    #expect(refused.allSatisfy { $0.contains("-32002") })
  }

  @Test func `a client that goes in the middle of a method costs the others nothing`() async throws
  {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let client = try await ProtocolClient(folder)
    for method in Methods.all {
      let other = client.other()
      let parameters = method.parameters.filter { !$0.type.hasSuffix("?") }.map {
        #""\#($0.name)":\#($0.type.contains("integer") ? "1" : #""counter""#)"#
      }.joined(separator: ",")
      other.send(
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method.name)","params":{\#(parameters)}}"# + "\n")
      other.connection.close()
      other.send(#"{"jsonrpc":"2.0","id":2,"method":"\#(method.name)","params":{}}"# + "\n")
    }
    let waiting = client.other()
    waiting.send(
      #"{"jsonrpc":"2.0","id":1,"method":"lua/eval","params":{"text":"moon.sleep(900)"}}"# + "\n")
    let session = await SessionID.first(on: client.host)
    while await client.host.taskInfos(of: session).isEmpty { await Task.yield() }
    waiting.connection.close()
    while await !client.host.taskInfos(of: session).isEmpty { await Task.yield() }
    #expect(try await client.call("state/get", #"{"path":"counter.count"}"#)["value"] == 0)
  }
}

/// Methods about the files of modules.
struct ModuleMethodTests {
  private static let test = """
    return {
      adds = function(t) t.dispatch "counter/add" t.equal(t.state "counter.count", 1) end,
      fails = function(t) t.equal(1, 2) end,
    }
    """

  @Test func `a broken file is found by a check, with the place, while the former one runs`()
    async throws
  {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let client = try await ProtocolClient(folder)
    let clean = try await client.call("module/check")
    #expect(clean["text"] == "1 module, no problems", "\(clean)")
    try folder.save("counter.lua", ScriptFolder.counter + "\noops")
    let found = try await client.call("module/check")
    let problem = found["modules"]?.listValue?[0]["problems"]?.listValue?[0]
    #expect(problem?["file"] == "counter.lua" && problem?["line"] == 10, "\(found)")
    #expect(found["text"]?.stringValue?.contains("counter.lua:10") ?? false)
    #expect(try await client.call("module/problems") == ["problems": []])
    let refused = try await client.call("test/run")
    #expect(refused["code"] == -32_000 && refused["data"]?["line"] == 10, "\(refused)")
    await client.host.reload()
    let problems = try await client.call("module/problems")["problems"]?.listValue
    #expect(problems?[0]["module"] == "counter" && problems?[0]["line"] == 10)
    #expect(try await client.call("state/get", #"{"path":"counter.count"}"#)["value"] == 0)
  }

  @Test func `tests run beside the app`() async throws {
    let client = try await ProtocolClient(
      ScriptFolder(["counter.lua": ScriptFolder.counter, "tests/counter.lua": Self.test]))
    let ran = try await client.call("test/run")
    #expect(ran["failed"] == 1 && ran["tests"]?.listValue?.count == 2, "\(ran)")
    #expect(ran["text"]?.stringValue?.contains("tests/counter.lua:3") ?? false, "\(ran)")
    #expect(try await client.call("state/get", #"{"path":"counter.count"}"#)["value"] == 0)
    let none = try await client.call("test/run", #"{"pattern":"other"}"#)
    #expect(none["code"] == -32_000, "\(none)")
  }
}

extension SessionID {
  /// Returns the oldest session of a host.
  static func first(on host: Host) async -> SessionID {
    await host.perform { SessionID.all(on: $0)[0] }
  }
}
