import Foundation
import MoonJournal
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// Recordings that are carried out again.
struct ReplayTests {
  /// Records a run of every action.
  private func record(_ bench: JournalBench, _ store: any JournalStore) async throws -> Value? {
    try await bench.run(on: store) { host, session in
      for type in ["add", "draw", "later", "stamp", "add"] {
        try await host.dispatch(Action(Text("counter/\(type)")), to: session)
      }
      try await host.dispatch(
        [Action("counter/add"), Action("counter/put", ["at": 1, "text": "x"])], to: session)
      return await host.state(of: session)
    }
  }

  @Test(arguments: [true, false])
  func `the same modules give the same state, from a journal and from a recording`(
    isJournal: Bool
  ) async throws {
    let bench = try JournalBench()
    let store: any JournalStore =
      isJournal
      ? try JournalFile(bench.path, for: .beginning) : try RecordingFile(bench.path)
    let state = try await record(bench, store)
    store.close()
    let (replayed, difference) = try await bench.replay()
    #expect(difference == nil)
    #expect(replayed?.canonicalText == state?.canonicalText)
  }

  @Test func `screens that presenters change again are as recorded`() async throws {
    let bench = try JournalBench([
      "app.lua": """
      return {
        state = { isLoud = false },
        reducers = { shout = function(state) state.isLoud = not state.isLoud end },
        routes = { ["/"] = { screen = function() return { title = "hello", props = {} } end } },
        presenters = { run = function(screen, _, state)
          screen.title = state.isLoud and "HELLO" or "hello" end },
      }
      """
    ])
    let file = try JournalFile(bench.path, for: .beginning)
    let state = try await bench.run(on: file) { host, session in
      try await host.dispatch(.route("/"), to: session)
      for _ in 1...3 { try await host.dispatch(Action("app/shout"), to: session) }
      return await host.state(of: session)
    }
    file.close()
    #expect(state?.canonicalText.contains("HELLO") == true)
    let (replayed, difference) = try await bench.replay()
    #expect(difference == nil)
    #expect(replayed?.canonicalText == state?.canonicalText)
    #expect(try await bench.resumedState()?["navigation"] == state?["navigation"])
  }

  @Test func `the first action whose state differs is named with the difference`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    _ = try await record(bench, file)
    file.close()
    try bench.folder.save(
      "counter.lua", JournalBench.counter.replacing("moon.random(1000000)", with: "-1"))
    let (_, found) = try await bench.replay()
    let difference = try #require(found)
    #expect(difference.action.type == "counter/draw")
    #expect(difference.diff.changes.map(\.path.description) == ["counter.drawn"])
    #expect(difference.diff.changes.first?.after == -1)
  }

  @Test func `the verdict names what has changed and what is gone`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    _ = try await record(bench, file)
    file.close()
    func verdict() async throws -> ReplayVerdict { try await bench.verdict() }
    #expect(try await verdict() == .fine)
    try bench.folder.save("counter.lua", JournalBench.counter + "-- more\n")
    #expect(try await verdict() == .risky(["module counter: counter.lua"]))
    try bench.folder.save("counter.lua", "return { reducers = { add = function(s) end } }")
    #expect(
      try await verdict()
        == .impossible(types: ["counter/draw", "counter/later", "counter/put", "counter/stamp"]))
  }

  @Test func `a verdict tells of modules that changed in the middle of a recording`() async throws {
    let bench = try JournalBench()
    let changed = JournalBench.counter.replacing("moon.random(1000000)", with: "-1")
    let file = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("counter/draw"), to: session)
      try bench.folder.save("counter.lua", changed)
      await host.reload()
      try await host.dispatch(Action("counter/draw"), to: session)
    }
    file.close()
    #expect(
      try await bench.verdict()
        == .risky(["module counter: counter.lua (earlier in the recording)"]))
  }

  @Test func `what the host announced needs no module, and is replayed`() async throws {
    let bench = try JournalBench([
      "all.lua": """
      return { state = { n = 0 }, middleware = { function() end },
        reducers = { add = function(s) s.n = s.n + 1 end },
        routes = { ["/"] = { screen = function() return { title = "a" } end } } }
      """
    ])
    let file = try JournalFile(bench.path, for: .beginning)
    let types = Mutex<Set<Text>>([])
    try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("all/add"), to: session)
      try await host.dispatch(.route("/"), to: session)
      _ = await host.closeSession(session)
    }
    file.close()
    try RecordedRun(bench.path).read { _, entry in
      if case .commit(let commit) = entry {
        types.withLock { $0.formUnion(commit.actions.map(\.type)) }
      }
      return true
    }
    #expect(types.withLock { $0 }.contains { $0.hasPrefix("nav/did_") })
    #expect(try await bench.verdict() == .fine)
    #expect(try await bench.replay().1 == nil)
  }

  @Test func `a journal that goes on with other slices is whole, and replays`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    _ = try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("counter/add"), to: session)
    }
    file.close()
    // A new field, and a new module.
    try bench.folder.save(
      "counter.lua", JournalBench.counter.replacing("state = {", with: "state = { extra = 5,"))
    try bench.folder.save("late.lua", "return { state = { n = 7 } }")
    let resumed = try JournalFile(bench.path, for: .resuming)
    let state = try await bench.run(on: resumed, resumed: true) { host, session in
      try await host.dispatch(Action("counter/add"), to: session)
      return await host.state(of: session)
    }
    resumed.close()
    #expect(state?["counter"]?["extra"] == 5 && state?["late"]?["n"] == 7)
    var following = ReplayedState()
    var problem: JournalError.Reason?
    try RecordedRun(bench.path).read { number, entry in
      do throws(JournalError.Reason) { try following.take(number, entry) } catch { problem = error }
      return problem == nil
    }
    #expect(problem == nil)
    #expect(following.state == state)
    let (replayed, difference) = try await bench.replay()
    #expect(difference == nil)
    #expect(replayed == state)
  }

  @Test func `a recording leaves out what the rules name, in states, payloads and changes`()
    async throws
  {
    let bench = try JournalBench([
      "auth.lua": """
      return { state = { user = { token = "first" } }, reducers = {
        login = function(s, p) s.user.token = p.token s.name = p.name end,
        swap = function(s, p) s.user = { token = p.token, on = true } end,
      } }
      """
    ])
    let rules = Redaction([
      Path([.key("auth"), .key("token")]), Path([.key("auth"), .key("user"), .key("token")]),
    ])
    let store = try RecordingFile(bench.path, redaction: rules)
    try await bench.run(on: store) { host, session in
      try await host.dispatch(
        Action("auth/login", ["token": "secret1", "name": "me"]), to: session)
      try await host.dispatch(Action("auth/swap", ["token": "secret2"]), to: session)
    }
    store.close()
    let text = try String(contentsOfFile: bench.path, encoding: .utf8)
    for secret in ["first", "secret1", "secret2"] { #expect(!text.contains(secret)) }
    #expect(text.contains("(redacted)") && text.contains("\"me\""))
    #expect(try await bench.replay().1 == nil)
  }

  @Test(arguments: [0, 200_000])
  func `what a module begins to leave out at a reload is left out from then on`(
    ballast: Int
  ) async throws {
    func auth(_ redact: String) -> String {
      """
      return { \(redact)
        state = { ballast = ("x"):rep(\(ballast)) },
        reducers = { login = function(s, p) s.token = p.token end },
      }
      """
    }
    let bench = try JournalBench(["auth.lua": auth("")])
    let store = try RecordingFile(bench.path)
    try await bench.run(on: store) { host, session in
      try await host.dispatch(Action("auth/login", ["token": "public"]), to: session)
      try bench.folder.save("auth.lua", auth("redact = { 'auth.token' },"))
      // This one hides from its first action on, which comes in the middle of the reload.
      try bench.folder.save(
        "late.lua",
        """
        return { redact = { 'late.token' }, state = {},
          reducers = { go = function(s, p) s.token = p.token end },
          on_start = function(self) self.dispatch("late/go", { token = "secret2" }) end }
        """)
      await host.reload()
      try await host.dispatch(Action("auth/login", ["token": "secret3"]), to: session)
    }
    store.close()
    let text = try String(contentsOfFile: bench.path, encoding: .utf8)
    #expect(text.contains("public") && text.contains("late/go") && text.contains("(redacted)"))
    for secret in ["secret2", "secret3"] { #expect(!text.contains(secret)) }
  }
}
