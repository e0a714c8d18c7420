import MoonJournal
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// Recordings of sessions that are open.
struct JournalCopyTests {
  @Test(arguments: [true, false])
  func `what happens between beginning and end is recorded, beside a journal or without`(
    hasJournal: Bool
  ) async throws {
    let bench = try JournalBench()
    let host = try await bench.host()
    let session =
      hasJournal
      ? try await Journal(in: try JournalFile(bench.path, for: .beginning)).openSession(on: host)
      : await host.openSession()
    let path = bench.folder.path("../copy")
    let copy = try RecordingFile(path)
    try await host.dispatch(Action("counter/add", ["by": 7]), to: session)
    try await Journal(in: copy).beginCopy(of: session, on: host)
    for type in ["draw", "later", "stamp"] {
      try await host.dispatch(Action(Text("counter/\(type)")), to: session)
    }
    try await host.dispatch(
      [Action("counter/add"), Action("counter/put", ["at": 1, "text": "x"])], to: session)
    let state = await host.state(of: session)
    #expect(try await Journal(in: copy).endCopy(of: session, on: host))
    #expect(try await !Journal(in: copy).endCopy(of: session, on: host))
    try await host.dispatch(Action("counter/add", ["by": 1000]), to: session)
    copy.close()
    let (replayed, difference) = try await bench.replay(path)
    #expect(replayed?.canonicalText == state?.canonicalText)
    #expect(difference == nil)
    var types: [Text] = []
    try RecordedRun(path).read { _, entry in
      if case .commit(let commit) = entry { types += commit.actions.map(\.type) }
      return true
    }
    #expect(
      types == [
        "counter/draw", "counter/later", "counter/add", "counter/stamp", "counter/add",
        "counter/put",
      ])
  }

  /// A store that keeps nothing from some record on.
  private final class FullStore: JournalStore {
    let name = "full"
    let appendsBriefly = true
    let byteCount = 0
    private let left: Mutex<Int>

    init(after count: Int) { left = Mutex(count) }

    func append(_ records: [JournalRecord]) throws(JournalError) {
      let isFull = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isFull { throw JournalError(name, .full) }
    }

    func read(from number: Int64, _ body: (JournalRecord) -> Bool) throws(JournalError) {}
    func stateNumbers() throws(JournalError) -> [Int64] { [] }
    func removeRecords(before number: Int64) throws(JournalError) {}
    func close() {}
  }

  @Test func `a recording that can't be written ends, is told once, and holds nothing up`()
    async throws
  {
    let bench = try JournalBench()
    let host = try await bench.host()
    let session = await host.openSession()
    let ended = Mutex(0)
    host.deliverEvents { event in
      if case .recordingEnded(session, let error) = event, error.reason == .full {
        ended.withLock { $0 += 1 }
      }
    }
    await #expect(throws: JournalError("full", .full)) {
      try await Journal(in: FullStore(after: 0)).beginCopy(of: session, on: host)
    }
    try await Journal(in: FullStore(after: 2)).beginCopy(of: session, on: host)
    for _ in 1...4 { try await host.dispatch(Action("counter/add"), to: session) }
    #expect(await host.state(of: session)?["counter"]?["count"] == 4)
    #expect(ended.withLock { $0 } == 1)
  }

  @Test func `a store that holds a session, and a session that isn't there, are refused`()
    async throws
  {
    let bench = try JournalBench()
    let host = try await bench.host()
    let session = await host.openSession()
    let file = try JournalFile(bench.path, for: .beginning)
    try await Journal(in: file).beginCopy(of: session, on: host)
    await #expect(throws: JournalError(bench.path, .taken)) {
      try await Journal(in: file).beginCopy(of: session, on: host)
    }
    let copy = try RecordingFile(bench.folder.path("../copy"))
    await host.closeSession(session)
    await #expect(throws: JournalError.self) {
      try await Journal(in: copy).beginCopy(of: session, on: host)
    }
  }

  @Test func `a journal in use has nothing of more than twice its age`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    var limits = JournalLimits()
    limits.ageMax = .seconds(100)
    let time = Mutex(1_000.0)
    var options = HostOptions()
    options.budgets = Budgets(all: .seconds(60))
    options.clock = Clock { time.withLock { $0 } }
    let host = try Host(directory: bench.folder.root, options: options)
    try await host.load()
    let session = try await Journal(in: file, limits: limits).openSession(on: host)
    for _ in 1...100 {
      time.withLock { $0 += 10 }
      try await host.dispatch(Action("counter/add"), to: session)
    }
    // The oldest records are removed on another thread.
    var first = 0.0
    repeat {
      var times: [Double] = []
      try RecordedRun(bench.path).read { _, entry in
        if case .commit(let commit) = entry { times += commit.actions.map(\.meta.time) }
        return true
      }
      #expect(times.last == 2_000)
      first = times.first ?? 0
    } while first < 1_790
    #expect(first <= 1_910)
    file.close()
    #expect(try await bench.resumedState()?["counter"]?["count"] == 100)
  }
}
