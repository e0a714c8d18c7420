import Foundation
import MoonTestSupport
import Testing

/// What recordings made with the command leave out.
@Suite(.ownThread) struct RedactionTests {
  private func app(_ redact: String = "") throws -> ScriptFolder {
    try ScriptFolder([
      "auth.lua": """
      return { \(redact)
        state = { token = "" }, actions = { login = { token = "string" } },
        reducers = { login = function(state, payload) state.token = payload.token end },
      }
      """
    ])
  }

  /// The ways to make the recording `../bug`, with the options of the run and what is typed.
  enum Way: String, CaseIterable {
    case record, recordCommand, timelineExport, recorder, journalExport
  }

  /// Runs the app, and returns the text of the recording.
  private func record(
    _ folder: ScriptFolder, _ way: Way, redact: String? = nil
  ) throws -> String {
    let file = folder.path("../bug")
    let login = "auth/login token=secret1\n"
    let rule = redact.map { " redact=\($0)" } ?? ""
    func run(_ arguments: [String], _ input: String = login) throws {
      let run = try Program.run(arguments, input: input, directory: folder.outside)
      #expect(run.code == 0, "\(run)")
    }
    switch way {
    case .record:
      try run(["record", folder.root, "--out", file] + (redact.map { ["--redact", $0] } ?? []))
    case .recordCommand:
      try run(["run", folder.root], ":record bug\(rule)\n\(login):record stop\n")
    case .timelineExport: try run(["run", folder.root], "\(login):timeline export bug\(rule)\n")
    case .recorder:
      let data = folder.path("../data")
      try run(["run", folder.root, "--with", "recorder", "--data", data])
      let found = FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String } ?? []
      let name = try #require(found.first { $0.hasSuffix("recording-1.jsonl") })
      return try String(contentsOfFile: "\(data)/\(name)", encoding: .utf8)
    case .journalExport:
      try run(["run", folder.root, "--journal", folder.path("../j")])
      let more = redact.map { ["--redact", $0] } ?? []
      return try Program.run(["journal", "export", folder.path("../j")] + more).output
    }
    return try String(contentsOfFile: file, encoding: .utf8)
  }

  @Test(arguments: Way.allCases)
  func `every recording leaves out what a module names under redact`(way: Way) throws {
    let text = try record(try app("redact = { 'auth.token' },"), way)
    #expect(!text.contains("secret1") && text.contains("(redacted)"), "\(text)")
    #expect(text.contains("auth/login"))
  }

  @Test(arguments: Way.allCases.filter { $0 != .recorder })
  func `a recording leaves out what its options name`(way: Way) throws {
    let text = try record(try app(), way, redact: "auth.token")
    #expect(!text.contains("secret1") && text.contains("(redacted)"), "\(text)")
  }

  @Test(arguments: Way.allCases)
  func `without a rule everything is recorded`(way: Way) throws {
    #expect(try record(try app(), way).contains("secret1"))
  }

  @Test(arguments: ["redat=auth.token", "--redact auth.token", "redact=", "redact=token"])
  func `a mistyped rule at the prompt records nothing`(rule: String) throws {
    let folder = try app()
    let run = try Program.run(
      ["run", folder.root, "--keep-going"],
      input: ":record bug \(rule)\nauth/login token=secret1\n:timeline export bug \(rule)\n",
      directory: folder.outside)
    #expect(run.errors.contains("redact=") || run.errors.contains("can't be left out"), "\(run)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.outside) == ["app"])
  }

  @Test func `a replay that differs says so if the recording was redacted`() throws {
    let folder = try ScriptFolder([
      "auth.lua": """
      return { state = { pin = 0, count = 0 }, actions = { login = { pin = "integer" } },
        reducers = { login = function(s, p) s.pin, s.count = p.pin, s.count + 1 end } }
      """
    ])
    func replay(_ file: String, _ options: [String], json: Bool = false) throws -> Program.Result {
      let path = folder.path("../\(file)")
      let run = try Program.run(
        ["record", folder.root, "--out", path] + options,
        input: "auth/login pin=7\n")
      #expect(run.code == 0, "\(run)")
      return try Program.run(["replay", path, folder.root] + (json ? ["--json"] : []))
    }
    let whole = try replay("a", [])
    #expect(whole.code == 0 && !whole.output.contains("redacted"), "\(whole)")
    let redacted = try replay("b", ["--redact", "auth.pin"])
    #expect(redacted.code == 1 && redacted.output.contains("must be integer"), "\(redacted)")
    #expect(redacted.output.contains("the recording was redacted"), "\(redacted)")
    let record = try replay("c", ["--redact", "auth.pin"], json: true)
    #expect(record.output.contains(#""redacted":true"#), "\(record)")
  }

  @Test func `an exported timeline replays, and needs a new file`() throws {
    let folder = try app()
    let run = try Program.run(
      ["run", folder.root, "--keep-going"],
      input: """
        auth/login token=a
        auth/login token=b
        :timeline export bug
        :timeline export bug
        :timeline export
        :timeline export x redact=auth
        """, directory: folder.outside)
    #expect(run.output.contains("2 steps written to bug\n"), "\(run)")
    for text in ["there is a file already", "export", "redact"] {
      #expect(run.errors.contains(text), "\(text): \(run.errors)")
    }
    let replayed = try Program.run(["replay", folder.path("../bug"), folder.root])
    #expect(replayed.output == "2 actions replayed: every state is as recorded\n", "\(replayed)")
  }

  @Test func `a recording without what durable tasks have learned is replayed`() throws {
    let folder = try ScriptFolder([
      "d.lua": """
      local moon = require "moonwire"
      return moon.module {
        state = { token = "", done = 0 }, redact = { "d.token" },
        reducers = { fin = function(s) s.done = s.done + 1 end },
        effects = {
          go = { durable = true, run = function(_, self) moon.sleep(0.01) self.dispatch "fin" end },
        },
      }
      """
    ])
    let file = folder.path("../bug.jsonl")
    let made = try Program.run(["record", folder.root, "--out", file], input: "d/go\n")
    #expect(made.code == 0, "\(made)")
    #expect(
      try String(contentsOfFile: file, encoding: .utf8).contains(#"{"durable":"(redacted)"}"#))
    for arguments in [
      ["replay", file, folder.root], ["journal", "verify", file], ["journal", file],
    ] {
      let run = try Program.run(arguments)
      #expect(run.code == 0, "\(run)")
    }
  }
}
