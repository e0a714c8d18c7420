import Glibc
import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Journals with right sums whose JSON was changed.
///
/// Invariant 19: whatever a journal says, a session goes on with all of it, or an error says why
/// not; then what was acknowledged is kept.
@Suite(.timeLimit(.minutes(10))) struct JournalFuzzTests {
  private static let modules =
    DurableEffectTests.module(
      #"""
      note("a" .. moon.random(1, 9)) ask("x")
      local all = moon.all { function() return ask("y") end, function() moon.sleep(0) end }
      note(self.dispatch_and_wait("note", { step = "w" }).status .. tostring(all[1]))
      note(self.call("price", { of = "tea" })) moon.take("go") ask("held") note("b")
      """#
    ).merging([
      "counter.lua": JournalBench.counter,
      "pages.lua": """
      return { state = { visits = 0 }, routes = { ["/page"] = function() return { title = "p" } end },
        reducers = { ["nav/did_push"] = function(s) s.visits = s.visits + 1 end } }
      """,
    ]) { first, _ in first }

  /// Returns the records of a session that is killed at different moments of a task.
  private static func recordings(_ bench: DurableBench) async throws -> [[JournalRecord]] {
    var recordings: [[JournalRecord]] = []
    let store = MemoryStore()
    let host = try await bench.host()
    let session = try await Journal(in: store).openSession(on: host)
    func add(_ actions: [Action]) async throws {
      for action in actions { try await host.dispatch(action, to: session) }
      _ = await host.waitForTasks(in: session, within: .milliseconds(20))
      recordings.append(store.all)
    }
    bench.shop.holdBack("held")
    try await add([Action("counter/add", ["by": 2]), Action("orders/place", ["item": "tea"])])
    try await host.route("/page", in: session)
    try await add([Action("counter/put", ["at": 1, "text": "ü"]), Action("orders/go")])
    try await host.dispatch([Action("counter/add"), Action("counter/draw")], to: session)
    await host.reload()
    try await add([Action("counter/later"), Action("orders/place")])
    await host.closeSession(session)
    return recordings
  }

  @Test func `whatever the records say, a session goes on with all of them or not at all`()
    async throws
  {
    let bench = try DurableBench(Self.modules)
    let records = MutatedRecords(recordings: try await Self.recordings(bench))
    let (live, replaying) = (try await bench.host(), try await bench.host())
    var resumedCount = 0
    let failure = try await Fuzzing("journals", cases: 400, caseSecondsMax: 20).firstFailure(
      make: { records.lines(&$0) },
      check: { bytes in
        let records = MutatedRecords.records(of: bytes)
        guard !records.isEmpty else { return nil }
        for record in records { _ = try? JournalEntry(record.bytes) }
        await Self.replay(records, on: replaying)
        guard let (problem, isResumed) = try await Self.goOn(with: records, on: live) else {
          return nil
        }
        if isResumed { resumedCount += 1 }
        return problem
      })
    #expect(failure == nil)
    // Many changes leave a journal as valid as before.
    #expect(resumedCount > 20)
    for host in [live, replaying] { await host.close() }
  }

  /// Resumes a session and carries out an action; returns what is wrong afterwards.
  private static func goOn(
    with records: [JournalRecord], on host: Host
  ) async throws -> (problem: String?, isResumed: Bool)? {
    let store = MemoryStore(records)
    let kept = try? KeptSession(in: store)
    if let kept, kept.lastNumber != records.last?.number {
      return ("it goes on after record \(kept.lastNumber) of \(records.count)", false)
    }
    guard let session = try? await Journal(in: store).resumeSession(on: host) else {
      // The next program must find what this one has found.
      let isSame = store.all.starts(with: records)
      return (isSame ? nil : "the records have changed", false)
    }
    if kept == nil { return ("a session goes on that can't be read", true) }
    let outcome = try? await host.dispatch(Action("counter/add"), to: session)
    _ = await host.waitForTasks(in: session, within: .milliseconds(1))
    let saved = await host.closeSession(session)
    guard let again = try? KeptSession(in: store) else {
      return ("what was kept can't be read again", true)
    }
    if again.state.slices != saved?.slices { return ("the state wasn't kept", true) }
    if let outcome, again.lastActionID < outcome.id { return ("an action wasn't kept", true) }
    return (nil, true)
  }

  /// Carries the records out again, and checks their tasks.
  private static func replay(_ records: [JournalRecord], on host: Host) async {
    await host.perform { host in
      var replay: Replay?
      var state = ReplayedState()
      var checks = TaskChecks()
      for record in records {
        guard let entry = try? JournalEntry(record) else { break }
        try? state.take(record.number, entry)
        checks.take(entry)
        if let replay {
          _ = try? replay.carryOut(record.number, entry, on: host)
        } else if case .state(let first) = entry {
          replay = try? Replay(from: first, on: host)
        }
      }
      _ = checks.results(on: host)
      if let replay { _ = host.closeSession(replay.session) }
    }
  }

  @Test func `a recovered file holds what could be read, and the original is kept`() async throws {
    let bench = try DurableBench(Self.modules)
    let records = MutatedRecords(recordings: try await Self.recordings(bench))
    let host = try await bench.host()
    var damagedCount = 0
    let failure = try await Fuzzing("journal-files", cases: 60, caseSecondsMax: 20).firstFailure(
      make: { records.lines(&$0) },
      check: { bytes in
        let records = MutatedRecords.records(of: bytes)
        guard !records.isEmpty else { return nil }
        let folder = try TemporaryFolder()
        let path = folder.path + "/journal"
        let file = try JournalFile(path, for: .beginning)
        try file.append(records)
        file.close()
        if let run = try? RecordedRun(path) { try? run.read { _, _ in true } }
        guard let recovered = try? RecoveredJournal(path) else {
          let reader = try JournalFile(path, for: .reading)
          defer { reader.close() }
          var left: [JournalRecord] = []
          try reader.read(from: 1) { record in
            left.append(record)
            return true
          }
          return left == records ? nil : "what can't be recovered has changed"
        }
        defer { recovered.file.close() }
        if let damage = recovered.damage {
          damagedCount += 1
          guard access(damage.original, F_OK) == 0 else {
            return "the original is gone"
          }
          guard damage.lastNumber <= records.count else { return "it has more than the original" }
        }
        _ = try KeptSession(in: recovered.file)
        return nil
      })
    #expect(failure == nil)
    #expect(damagedCount > 0)
    await host.close()
  }
}
