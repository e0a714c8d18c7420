import Foundation
import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// What recordings leave out of modules that have changed or left.
struct FormerRedactionTests {
  /// What happens to the module whose rules count.
  enum Change: CaseIterable {
    case removal, fault, version, versionWithoutRules

    fileprivate func carryOut(in folder: ScriptFolder) throws {
      switch self {
      case .removal: try folder.remove("auth.lua")
      case .fault: try folder.save("auth.lua", "return {")
      case .version: try folder.save("auth.lua", FormerRedactionTests.auth(version: 2))
      case .versionWithoutRules:
        try folder.save("auth.lua", FormerRedactionTests.auth(version: 2, ""))
      }
    }
  }

  private static func auth(
    version: Int, _ redact: String = "redact = { 'auth.token', 'auth.user.pass' },"
  ) -> String {
    """
    return { version = \(version), \(redact) state = { user = {} },
      reducers = { login = function(s, p)
        s.token, s.user = p.token, { name = p.user.name, pass = p.user.pass }
      end } }
    """
  }

  private func bench() throws -> JournalBench {
    try JournalBench([
      "auth.lua": Self.auth(version: 1),
      "other.lua": """
      return { state = { count = 0 },
        reducers = { ["auth/login"] = function(s) s.count = s.count + 1 end } }
      """,
    ])
  }

  private func login(_ number: Int) -> Action {
    Action(
      "auth/login",
      [
        "token": .string(Text("token\(number) secret")),
        "user": ["name": "Ada", "pass": .string(Text("pass\(number) secret"))],
      ])
  }

  private func expectHidden(
    _ text: String, count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(!text.contains(" secret"), "\(text)", sourceLocation: sourceLocation)
    #expect(
      text.split(separator: "auth/login", omittingEmptySubsequences: false).count == count + 1,
      "\(text)", sourceLocation: sourceLocation)
    #expect(text.contains("(redacted)"), sourceLocation: sourceLocation)
  }

  private func text(at path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Returns the text of a journal as it is exported.
  private func exported(_ path: String) throws -> String {
    let run = try RecordedRun(path)
    var rules = Redaction()
    try rules.noteAll(in: run)
    var text = ""
    try run.read { _, entry in
      text += String(decoding: rules.redacted(entry.bytes), as: UTF8.self) + "\n"
      return true
    }
    return text
  }

  @Test(arguments: Change.allCases)
  func `a resumed journal knows what to leave out of modules that have changed or are gone`(
    change: Change
  ) async throws {
    let bench = try bench()
    let first = try JournalFile(bench.path, for: .beginning)
    _ = try await bench.run(on: first) { [login = login(1)] host, session in
      try await host.dispatch(login, to: session)
    }
    first.close()
    try change.carryOut(in: bench.folder)
    for number in 2...3 {
      let file = try RecoveredJournal(bench.path).file
      let (copy, timeline) = try (
        RecordingFile(bench.folder.path("../copy\(number)")),
        RecordingFile(bench.folder.path("../timeline\(number)"))
      )
      try await bench.run(on: file, resumed: true) { [login = login(number)] host, session in
        try await Journal(in: copy).beginCopy(of: session, on: host)
        try await host.dispatch(login, to: session)
        try await Journal(in: copy).endCopy(of: session, on: host)
        _ = try await Journal(in: timeline).write(timelineOf: session, on: host)
      }
      expectHidden(try text(at: copy.name), count: 1)
      expectHidden(try text(at: timeline.name), count: 1)
      // The records of the modules as they were go.
      let kept = try KeptSession(in: file)
      if number == 2 { expectHidden(try exported(bench.path), count: 2) }
      try file.removeRecords(before: kept.firstNumber)
      file.close()
      let rest = try exported(bench.path)
      #expect(rest.contains("auth@1") && !rest.contains(" secret"), "\(rest)")
    }
  }

  @Test(arguments: Change.allCases.filter { $0 != .fault })
  func `a recording goes on leaving out what modules named before they changed or left`(
    change: Change
  ) async throws {
    let bench = try bench()
    let store = try RecordingFile(bench.path)
    let (copy, timeline) = try (
      RecordingFile(bench.folder.path("../copy")), RecordingFile(bench.folder.path("../timeline"))
    )
    try await bench.run(on: store) { [first = login(1), second = login(2)] host, session in
      try await host.dispatch(first, to: session)
      try change.carryOut(in: bench.folder)
      await host.reload()
      try await Journal(in: copy).beginCopy(of: session, on: host)
      try await host.dispatch(second, to: session)
      _ = try await Journal(in: timeline).write(timelineOf: session, on: host)
      try await Journal(in: copy).endCopy(of: session, on: host)
    }
    let recorded = try text(at: store.name)
    #expect(recorded.contains("auth@1"), "\(recorded)")
    expectHidden(recorded, count: 2)
    expectHidden(try text(at: copy.name), count: 1)
    // A reload begins a new timeline.
    expectHidden(try text(at: timeline.name), count: 1)
  }

  @Test func `a rule of one module leaves the others as they are`() async throws {
    let record = Array(
      #"{"state":{"auth":{"a":1},"auth2@1":{"a":2},"auth@1#2":{"a":3},"other":{"a":4}}}"#.utf8)
    let rules = Redaction([Path([.key("auth"), .key("a")])])
    let text = String(decoding: rules.redacted(record), as: UTF8.self)
    #expect(
      text == #"{"state":{"auth":{"a":"(redacted)"},"auth2@1":{"a":2},"#
        + #""auth@1#2":{"a":"(redacted)"},"other":{"a":4}}}"#)
  }

  @Test(arguments: [
    ("auth/set_token", #"{"value":"X"}"#), ("auth/append_tokens", #"{"value":"X"}"#),
    ("auth/set_user", #"{"value":{"name":"me","pass":"X"}}"#), ("auth/log_in", #"{"token":"X"}"#),
  ])
  func `what a derived action puts into a field that is left out is left out as well`(
    type: String, payload: String
  ) throws {
    let rules = Redaction(
      try ["auth.token", "auth.tokens[1]", "auth.user.pass"].map { try Path(parsing: $0) })
    let record = #"{"action":{"id":1,"payload":\#(payload),"type":"\#(type)"},"changes":[]}"#
    let text = String(decoding: rules.redacted(Array(record.utf8)), as: UTF8.self)
    #expect(text == record.replacing(#""X""#, with: #""(redacted)""#))
  }

  @Test func `changes below a value that is left out are left out as well`() throws {
    let rules = Redaction([try Path(parsing: "auth.map")])
    let changes = #"["+",["auth","map","a"],"X"],["-",["auth","map","a"]],["+",["auth","b"],1]"#
    let record = #"{"action":{"id":1,"type":"auth/x"},"changes":[\#(changes)]}"#
    let text = String(decoding: rules.redacted(Array(record.utf8)), as: UTF8.self)
    #expect(
      text == #"{"action":{"id":1,"type":"auth/x"},"changes":[["+",["auth","b"],1]]}"#)
    let whole = #"{"changes":[["+",["auth","map"],{"a":"X"}],["-",["auth","map"]]]}"#
    #expect(
      String(decoding: rules.redacted(Array(whole.utf8)), as: UTF8.self)
        == #"{"changes":[["+",["auth","map"],"(redacted)"],["-",["auth","map"]]]}"#)
  }

  @Test func `the logs of durable tasks in a state are left out`() throws {
    let rules = Redaction([try Path(parsing: "auth.token")])
    let record = #"{"moonwire":{"after":0,"tasks":{"entries":["X"]}},"state":{}}"#
    let text = String(decoding: rules.redacted(Array(record.utf8)), as: UTF8.self)
    #expect(text == #"{"moonwire":{"after":0},"state":{}}"#)
  }
}
