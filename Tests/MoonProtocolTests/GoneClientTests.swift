import MoonProtocol
import MoonServices
import MoonTestSupport
import MoonTesting
import Moonwire
import Testing

/// What becomes of a client's work when it is cancelled, and when the client goes.
@Suite(.timeLimit(.minutes(2))) struct GoneClientTests {
  private static let files = [
    "slate.lua": """
    return { state = { n = 0 }, reducers = { add = function(state) state.n = state.n + 1 end } }
    """,
    "tests/endless.lua": """
    local function endless(t) repeat t.advance(1) until t.state "slate.n" > 0 end
    return { endless = endless, further = endless }
    """,
  ]

  /// A line that says when it runs, as the prompt's line and as a method's parameter.
  @Test(arguments: [
    ("lua/eval", #"{"text":"require 'moonwire'.sign.give() while true do end"}"#),
    ("prompt/run", #"{"line":"= require 'moonwire'.sign.give() while true do end"}"#),
    ("lua/eval", #"{"text":"require 'moonwire'.sign.give() require 'moonwire'.sleep(100000)"}"#),
  ])
  func `Lua of a client that has gone ends, and others go on`(
    method: String, parameters: String
  ) async throws {
    let (signs, sign) = AsyncStream.makeStream(of: Void.self)
    var options = HostOptions()
    options.services = [
      Service(
        "sign", "A sign that something has begun.",
        functions: [
          .immediate("give", "Gives it.") { _ in
            sign.yield()
            return .nothing
          }
        ])
    ]
    let client = try await ProtocolClient(ScriptFolder(Self.files), options: options)
    let other = client.other()
    client.send(
      #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"# + "\n")
    for await _ in signs { break }
    client.connection.close()
    let added = try await other.call("action/dispatch", #"{"type":"slate/add"}"#)
    #expect(added["kind"] == "dispatch", "\(added)")
    await client.connection.finish()
    let tasks = await client.host.taskInfos(of: SessionID.first(on: client.host))
    #expect(tasks.isEmpty)
  }

  @Test(arguments: [true, false])
  func `tests that don't end are cancelled, and those of others run`(isGone: Bool) async throws {
    let (loads, load) = AsyncStream.makeStream(of: Void.self)
    let client = try await ProtocolClient(ScriptFolder(Self.files)) { load.yield() }
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"test/run"}"# + "\n")
    // The first host is for the files, and the second for the test.
    for await _ in loads.prefix(2) {}
    if isGone {
      client.connection.close()
      await client.connection.finish()
    } else {
      let cancelled = await client.ask(
        #"{"jsonrpc":"2.0","id":2,"method":"$/cancel","params":{"id":1}}"#)
      #expect(cancelled.contains("true"))
      let reply = await client.received.take()[0]
      #expect(reply.contains(#""id":1"#) && reply.contains("cancelled"), "\(reply)")
    }
    let checked = try await client.other().call("module/check")
    #expect(checked["kind"] != nil, "\(checked)")
  }

  @Test func `a test whose run is cancelled says so, and is the last`() async throws {
    let folder = try ScriptFolder(Self.files)
    let (loads, load) = AsyncStream.makeStream(of: Void.self)
    let inspection = AppInspection(
      of: folder.root, ConfiguredSettings(set: [:], file: nil, environment: [:]),
      options: { HostOptions() }, addBuiltIns: { _ in load.yield() })
    let run = Task { try await inspection.testRun(matching: nil) }
    for await _ in loads.prefix(2) {}
    run.cancel()
    let results = try await run.value.results
    #expect(results.map { $0.failure?.title } == ["it was cancelled"])
  }

  @Test func `in a batch, too, a request is cancelled at once`() async throws {
    let client = try await ProtocolClient(ScriptFolder(Self.files))
    let sleep =
      #"{"jsonrpc":"2.0","id":1,"method":"lua/eval","params":{"text":"while true do end"}}"#
    let cancel = #"{"jsonrpc":"2.0","id":2,"method":"$/cancel","params":{"id":1}}"#
    let reply = try Value(parsing: await client.ask("[\(sleep),\(cancel)]"))
    #expect(reply.listValue?.first?["error"] != nil, "\(reply)")
    #expect(reply.listValue?.last?["result"] == ["cancelled": true], "\(reply)")
  }

  @Test(arguments: ["18446744073709551617", "9007199254740993.5", "1e300", "-1e16"])
  func `a number that isn't kept exactly is no id`(id: String) async throws {
    let client = try await ProtocolClient(ScriptFolder(Self.files))
    let reply = await client.ask(#"{"jsonrpc":"2.0","id":\#(id),"method":"host/describe"}"#)
    #expect(reply.contains("64 bits at most") && reply.contains(#""id":null"#), "\(reply)")
  }

  @Test(arguments: [true, false])
  func `a session ends with the connection that opened it, unless it is kept`(
    isKept: Bool
  ) async throws {
    let client = try await ProtocolClient(ScriptFolder(Self.files))
    let other = client.other()
    let number = try await client.call("session/open", #"{"keep":\#(isKept)}"#)["session"]
    let closed = try await client.call("session/open")["session"]?.intValue ?? 0
    _ = try await client.call("session/close", #"{"session":\#(closed)}"#)
    client.connection.close()
    func sessions() async throws -> [Value] {
      Array(try await other.call("session/list")["sessions"]?.listValue ?? List())
    }
    if isKept {
      #expect(try await sessions().contains(number ?? .null))
    } else {
      while try await sessions().count > 1 { await Task.yield() }
    }
  }

  @Test func `a client that reads late gets each action that the history has`() async throws {
    let client = try await ProtocolClient(ScriptFolder(Self.files))
    let other = client.other()
    _ = try await client.call("history/subscribe")
    client.received.isCongested = true
    for _ in 1...20 { _ = try await other.call("action/dispatch", #"{"type":"slate/add"}"#) }
    #expect(client.received.count == 0)
    client.received.isCongested = false
    client.connection.outputDrained()
    let told = await client.received.take(20)
    for (number, line) in told.enumerated() {
      #expect(line.contains(#""id":\#(number + 1),"#) && !line.contains("missed"), "\(line)")
    }
  }
}
