import Logging
import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Calls that exceeded a limit, in replays.
struct LimitReplayTests {
  private static let owner = """
    return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end } }
    """
  /// Listeners to the owner's action, the first of which fails by `code`.
  private static func listener(_ code: String) -> String {
    """
    local calls = 0
    return { state = { seen = 0, again = 0 }, reducers = {
      ["owner/*"] = function(s)
        calls = calls + 1
        if calls == 2 then \(code) end
        s.seen = s.seen + 1
      end,
      ["owner/add"] = function(s) s.again = s.again + 1 end,
    } }
    """
  }

  private static func record(_ bench: JournalBench) async throws -> Value? {
    var options = HostOptions()
    options.logger.logLevel = .critical
    options.memoryQuota = 8 << 20
    options.budgets = Budgets(all: .milliseconds(300))
    let host = try Host(directory: bench.folder.root, options: options)
    try await host.load()
    let file = try JournalFile(bench.path, for: .beginning)
    defer { file.close() }
    let session = try await Journal(in: file).openSession(on: host)
    for _ in 1...4 { try await host.dispatch(Action("owner/add"), to: session) }
    return await host.state(of: session)
  }

  @Test(arguments: [
    "local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(100) .. i end",
    "local start = os.clock and 0 for i = 1, 1e9 do start = i end",
  ])
  func `a call that exceeded a limit fails in the replay as it did then`(code: String) async throws
  {
    let bench = try JournalBench(["owner.lua": Self.owner, "z.lua": Self.listener(code)])
    let state = try await Self.record(bench)
    #expect(state?["owner"]?["n"] == 4)
    // A restarted module counts from the beginning, and isn't called again for the same action.
    #expect(state?["z"] == ["again": 2, "seen": 2])
    // The replay has the memory and the time, and its modules never get that far.
    try bench.folder.save("z.lua", Self.listener("local _"))
    let (replayed, difference) = try await bench.replay()
    #expect(difference == nil)
    #expect(replayed?.canonicalText == state?.canonicalText)
  }

  @Test func `an error of the code is no limit, and is made again`() async throws {
    let bench = try JournalBench([
      "owner.lua": Self.owner, "z.lua": Self.listener("error 'no'"),
    ])
    let state = try await Self.record(bench)
    #expect(state?["z"]?["seen"] == 3)
    try bench.folder.save("z.lua", Self.listener("local _"))
    let (_, difference) = try await bench.replay()
    #expect(difference?.diff.changes.map(\.path.description) == ["z.again", "z.seen"])
  }

  @Test(arguments: [
    (#"[2,"memory",1048576]"#, true), (#"[1,"time",100]"#, true), (#"[1,"ended"]"#, true),
    (#"[0,"ended"]"#, false), (#"[1,"memory"]"#, false), (#"[1,"memory",-1]"#, false),
    (#"[1,"raised"]"#, false), (#"["1","ended"]"#, false), ("[]", false), ("1", false),
  ])
  func `the note of a limit is read as it is written, or is damage`(
    note: String, isValid: Bool
  ) throws {
    let text = """
      {"action":{"cause":"native","id":1,"payload":null,"time":1.0,"type":"a/b"},"changes":[],\
      "limits":[\(note)]}
      """
    do throws(JournalError.Reason) {
      let entry = try JournalEntry(Array(text.utf8))
      #expect(isValid)
      guard case .commit(let commit) = entry else {
        Issue.record("no commit")
        return
      }
      #expect(commit.notes.limits.count == 1)
      #expect(String(decoding: entry.bytes, as: UTF8.self).contains("\"limits\":[\(note)]"))
    } catch {
      #expect(!isValid, "\(error)")
    }
  }
}
