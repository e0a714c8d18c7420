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

  // MARK: Questions

  /// An app with a module that lacks a grant.
  private func lacking() async throws -> ProtocolClient {
    let needy = #"""
      return { needs = { "state:*" }, state = { n = 0 },
        reducers = { add = function(state) state.n = state.n + 1 end } }
      """#
    return try await ProtocolClient(ScriptFolder(["needy.lua": needy]))
  }

  /// What makes a client one with a person.
  private static let person = #"{"columns":80,"rows":24}"#

  @Test func `a person at a prompt is asked for grants, and a program isn't`() async throws {
    let client = try await lacking()
    #expect(try await client.call("prompt/ask") == ["status": "done", "output": []])
    let asked = try await client.call("prompt/ask", Self.person)
    #expect(asked["status"] == "asks")
    let question = asked["question"]?.stringValue ?? ""
    #expect(question.contains("module needy needs state:*. Grant it? [y/n/always] "), "\(question)")
    let answered = try await client.call("prompt/answer", #"{"text":"y"}"#)
    #expect(answered["status"] == "done", "\(answered)")
    #expect(try await client.call("module/problems") == ["problems": []])
    #expect(try await client.call("prompt/ask", Self.person)["status"] == "done")
    #expect(try await client.call("prompt/answer", #"{"text":"y"}"#)["code"] == -32_000)
  }

  @Test func `a question is asked once, and again if whoever was asked has gone`() async throws {
    let first = try await lacking()
    let second = first.other()
    #expect(try await first.call("prompt/ask", Self.person)["status"] == "asks")
    #expect(try await second.call("prompt/ask", Self.person)["status"] == "done")
    first.connection.close()
    var asked: Value = .null
    for _ in 0..<10_000 where asked["status"] != "asks" {
      asked = try await second.call("prompt/ask", Self.person)
    }
    #expect(asked["status"] == "asks")
    // Another line is no answer, and is carried out in its place.
    let line = try await second.call("prompt/answer", #"{"text":"= 1"}"#)
    #expect(line["status"] == "line" && line["line"] == "= 1", "\(line)")
    #expect(try await second.call("module/problems")["problems"] != [])
  }

  @Test func `an action after an earlier state has a person asked whether the rest may go`()
    async throws
  {
    var options = HostOptions()
    options.timeline = Timeline.Limits()
    let client = try await ProtocolClient(
      ScriptFolder(["counter.lua": ScriptFolder.counter]), options: options)
    for line in ["counter/add by=5", "counter/add", ":goto 1"] {
      #expect(try await run(line, client)["status"] == "done")
    }
    #expect(try await run("counter/add", client)["status"] == "failed")
    let rows = #","columns":80,"rows":24"#
    let asked = try await run("counter/add", client, rows)
    #expect(
      asked["question"] == "paused at 1/2: forget 1 later step and go on from here? [y/N] ",
      "\(asked)")
    // Whoever goes on without an answer has said no.
    #expect(try await run(":state counter.count", client, rows)["status"] == "done")
    #expect(try await run("counter/add", client, rows)["status"] == "asks")
    let done = try await client.call("prompt/answer", #"{"text":"yes"}"#)
    #expect(done["status"] == "done" && "\(done)".contains("counter.count  5 → 6"), "\(done)")
  }

  @Test func `a reload is shown at all prompts that follow`() async throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let first = try await ProtocolClient(folder)
    let second = first.other()
    for client in [first, second] { _ = try await client.call("prompt/follow", Self.person) }
    try folder.save("counter.lua", ScriptFolder.counter + "\n-- changed")
    await first.host.reload()
    for client in [first, second] {
      let told = await client.received.take()[0]
      #expect(told.contains("prompt/output") && told.contains("counter 1→2"), "\(told)")
      client.connection.close()
    }
  }
}
