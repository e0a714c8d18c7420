import MoonProtocol
import MoonTestSupport
import Moonwire
import Testing

/// The prompt of a client.
struct ConnectedPromptTests {
  private func run(
    _ line: String, _ client: ProtocolClient, _ more: String = ""
  ) async throws -> Value {
    let line = Value.string(Text(line)).canonicalText
    return try await client.call("prompt/run", #"{"line":\#(line)\#(more)}"#)
  }

  @Test(arguments: [
    ("counter/add by=2", "done", "counter.count  0 → 2"), (":state counter.count", "done", "0"),
    ("= 1 + 1", "done", "2"), ("= 1 +", "incomplete", nil),
    ("counter/add {\"by\":", "incomplete", nil),
    ("counter/ad", "failed", "did you mean counter/add?"), (":stat", "malformed", ":state"),
    ("= error 'no'", "failed", "no"), (":quit", "left", nil), ("", "done", nil),
  ])
  func `a line does and shows what it does at the prompt`(
    line: String, status: String, text: String?
  ) async throws {
    let client = try await ProtocolClient(ScriptFolder(["counter.lua": ScriptFolder.counter]))
    let answer = try await run(line, client)
    #expect(answer["status"]?.stringValue == status, "\(answer)")
    if let text { #expect("\(answer["output"] ?? .null)".contains(text), "\(answer)") }
  }

  @Test func `the answer has the form that is asked for`() async throws {
    let client = try await ProtocolClient(ScriptFolder(["counter.lua": ScriptFolder.counter]))
    let plain = try await run("counter/add", client)
    #expect(!"\(plain)".contains("\\u001b"))
    let colored = try await run("counter/add", client, #","colors":true"#)
    #expect("\(colored)".contains("\\u001b"))
    let json = try await run("counter/add", client, #","json":true"#)
    let text = json["output"]?.listValue?[0]["text"]?.stringValue
    #expect(text?.hasPrefix(#"{"changes":["#) ?? false, "\(json)")
  }

  @Test func `a prompt completes words and has a label`() async throws {
    let client = try await ProtocolClient(ScriptFolder(["counter.lua": ScriptFolder.counter]))
    let found = try await client.call("prompt/complete", #"{"line":"counter/a","cursor":9}"#)
    #expect(found["from"] == 0)
    #expect(found["candidates"]?.listValue?[0]["text"] == "counter/add")
    #expect(try await client.call("prompt/label")["label"] == "app> ")
  }

  @Test func `a prompt that follows shows reloads`() async throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let client = try await ProtocolClient(folder)
    _ = try await client.call("prompt/follow", #"{"columns":80,"rows":24}"#)
    try folder.save("counter.lua", ScriptFolder.counter + "\n-- changed")
    await client.host.reload()
    let told = await client.received.take()[0]
    #expect(told.contains("prompt/output") && told.contains("counter 1→2"), "\(told)")
    client.connection.close()
  }
}
