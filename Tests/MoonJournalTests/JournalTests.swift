import Dispatch
import Foundation
import Glibc
import MoonJournal
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// What a journal keeps, and where a session goes on.
///
/// Invariant 17: what an outcome tells is kept.
struct JournalTests {
  @Test func `a session goes on with the state and the ids after its last commit`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    let before = try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("counter/add", ["by": 2]), to: session)
      try await host.dispatch(Action("counter/put", ["at": 1, "text": "b"]), to: session)
      try await host.dispatch(Action("counter/put", ["at": 1, "text": "a"]), to: session)
      let last = try await host.dispatch(Action("counter/draw"), to: session)
      return (last.id, await host.state(of: session))
    }
    file.close()
    let again = try RecoveredJournal(bench.path)
    #expect(again.damage == nil)
    try await bench.run(on: again.file, resumed: true) { host, session in
      #expect(await host.state(of: session) == before.1)
      let next = try await host.dispatch(Action("counter/add"), to: session)
      #expect(next.id == before.0 + 1)
    }
    again.file.close()
  }

  @Test func `what was acknowledged is there although nothing was closed`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: file) { host, session in
      for count in 1...20 {
        try await host.dispatch(Action("counter/add"), to: session)
        // A reader of its own sees what other programs would find.
        let reader = try JournalFile(bench.path, for: .reading)
        let kept = try KeptSession(in: reader)
        reader.close()
        #expect(kept.state.slices["counter"]?["count"] == .int(Int64(count)))
      }
    }
    file.close()
  }

  @Test func `a record's text is the canonical one`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: file) { host, session in
      var action = Action("counter/put", ["at": 1, "text": "\u{1}\"\\ü"])
      action.meta.extra = ["z": [1, 2.5], "a": "x"]
      try await host.dispatch(action, to: session)
      for type in ["later", "add", "draw"] {
        try await host.dispatch(
          Action(Text("counter/\(type)")), to: session, cause: .screen("s\"1"))
      }
    }
    #expect(try canonicalCount(in: file) == 6)
    file.close()
  }

  @Test func `so is that of several actions as one, of mapped ones, and of removed parts`()
    async throws
  {
    let bench = try JournalBench([
      "m.lua": """
      local moon = require "moonwire"
      return moon.module {
        state = { map = { a = 1, ["b\\"c"] = { [5] = 1.5 } } },
        reducers = {
          drop = function(state) state.map.a, state.map["b\\"c"][5] = nil, nil end,
          set = function(state) state.map["b\\"c"][7] = { "x", {} } end,
        },
        effects = { both = function(_, self) self.dispatch { "m/set", "m/drop" } end },
        map_modules = { ["m/begin"] = function() return moon.start "n" end },
      }
      """, "n.lua": "return { state = { n = 0 } }",
    ])
    let file = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: file) { host, session in
      for type in ["m/both", "m/begin"] {
        try await host.dispatch(Action(Text(type)), to: session)
      }
    }
    #expect(try canonicalCount(in: file) > 3)
    var texts: [String] = []
    try file.read(from: 1) { record in
      texts.append(String(decoding: record.bytes, as: UTF8.self))
      return true
    }
    #expect(texts.contains { $0.hasPrefix("{\"actions\":[") && $0.contains("[\"-\",[") })
    #expect(texts.contains { $0.hasSuffix("\"mapped\":true}") })
    file.close()
  }

  /// Returns the number of records, each of which is checked to have the canonical text.
  private func canonicalCount(in file: JournalFile) throws -> Int {
    var count = 0
    try file.read(from: 1) { record in
      count += 1
      let value = try? JournalEntry(record.bytes).value
      #expect(value?.canonicalText.utf8.elementsEqual(record.bytes) == true)
      return true
    }
    return count
  }

  /// Any sequence of changes, with deep and long lists, comes back with the same bytes.
  @Test(arguments: [1, 2, 3, 4, 5])
  func `random changes come back byte for byte`(seed: UInt64) async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    var random = SplitMix64(seed: seed)
    var actions: [Action] = []
    var length = 0
    for _ in 0..<300 {
      let removes = length > 0 && Bool.random(using: &random)
      let at = Int.random(in: 1...(removes ? length : length + 1), using: &random)
      length += removes ? -1 : 1
      var payload: Map = ["at": .int(Int64(at))]
      if !removes { payload["text"] = .string(Text("\(random.next() % 3)")) }
      actions.append(Action("counter/put", .map(payload)))
    }
    let chosen = actions
    let state = try await bench.run(on: file) { host, session in
      for action in chosen { try await host.dispatch(action, to: session) }
      return await host.state(of: session)
    }
    #expect(try canonicalCount(in: file) > 300)
    file.close()
    #expect(try await bench.resumedState()?.canonicalText == state?.canonicalText)
  }

  @Test func `dispatchers that wait at the same time share a write`() async throws {
    let bench = try JournalBench()
    let store = CountingStore(try JournalFile(bench.path, for: .beginning))
    try await bench.run(on: store) { host, session in
      let before = store.appendCount
      try await withThrowingTaskGroup { group in
        for _ in 0..<100 {
          group.addTask {
            _ = try await host.dispatch(Action("counter/add"), to: session)
          }
        }
        try await group.waitForAll()
      }
      #expect(await host.state(of: session)?["counter"]?["count"] == 100)
      #expect(store.appendCount - before < 100)
    }
    store.close()
    #expect(try await bench.resumedState()?["counter"]?["count"] == 100)
  }

  @Test func `a dispatcher that shares writes gets what any other gets`() async throws {
    let bench = try JournalBench()
    let store = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: store) { host, kept in
      let unkept = await host.openSession()
      for session in [kept, unkept] {
        let outcome = try await host.dispatch(Action("counter/add"), to: session)
        #expect(outcome.after["counter"]?["count"] == 1)
        let refused = Action("counter/add", ["by": "much"])
        let reason = await dispatchError { () async throws(DispatchError) in
          try await host.perform { host throws(DispatchError) in
            try host.dispatch(refused, to: session)
          }
        }
        #expect(reason != nil)
        let shared = await dispatchError { () async throws(DispatchError) in
          try await host.dispatch(refused, to: session)
        }
        #expect(shared == reason)
        await host.closeSession(session)
        await #expect(throws: DispatchError.noSession) {
          try await host.dispatch(Action("counter/add"), to: session)
        }
      }
    }
    store.close()
  }

  @Test func `who waits for a write gets the outcome although the session is closed`() async throws
  {
    let bench = try JournalBench()
    let store = CountingStore(try JournalFile(bench.path, for: .beginning, durability: .power))
    try await bench.run(on: store) { host, session in
      let gate = store.holdNextWrite()
      async let first = host.dispatch(Action("counter/add"), to: session)
      await gate.reached()
      async let second = host.dispatch(Action("counter/add"), to: session)
      while await host.state(of: session)?["counter"]?["count"] != 2 { await Task.yield() }
      await host.perform { host in
        gate.open()
        _ = host.closeSession(session)
      }
      let outcomes = try await [first, second]
      #expect(outcomes.map { $0.after["counter"]?["count"] } == [1, 2])
    }
    store.close()
    #expect(try await bench.resumedState()?["counter"]?["count"] == 2)
  }

  private func dispatchError(
    of body: () async throws(DispatchError) -> Outcome
  ) async -> DispatchError? {
    do throws(DispatchError) {
      _ = try await body()
      return nil
    } catch {
      return error
    }
  }

  @Test func `an effect begins only after the commit of its action is kept`() async throws {
    let bench = try JournalBench()
    let store = CountingStore(try JournalFile(bench.path, for: .beginning))
    try await bench.run(on: store) { host, session in
      let outcome = try await host.perform { host in
        try host.dispatch(Action("counter/later"), to: session)
      }
      #expect(outcome.after["counter"]?["count"] == 100)
      // The effect's own action is in a later write than the one that began it.
      let writes = store.writes.suffix(2)
      #expect(writes.first?.contains("counter/later") == true)
      #expect(writes.first?.contains("counter/add") == false)
      #expect(writes.last?.contains("counter/add") == true)
    }
    store.close()
  }

  @Test func `what can't be kept isn't acknowledged, and is kept when that is possible again`()
    async throws
  {
    let bench = try JournalBench()
    let store = CountingStore(try JournalFile(bench.path, for: .beginning))
    try await bench.run(on: store) { host, session in
      try await host.dispatch(Action("counter/add"), to: session)
      store.failure = .full
      let refused = JournalError(store.name, .full)
      for _ in 0..<3 {
        await #expect(throws: DispatchError.notKept(refused)) {
          try await host.dispatch(Action("counter/later"), to: session)
        }
      }
      // Only the first was carried out, and its effect waits.
      #expect(await host.state(of: session)?["counter"]?["count"] == 1)
      await #expect(throws: DispatchError.notKept(refused)) {
        try await host.dispatch(Action("counter/add"), to: session)
      }
      store.failure = nil
      let outcome = try await host.perform { host in
        try host.dispatch(Action("counter/add"), to: session)
      }
      // What the effect dispatches gives way to it.
      #expect(outcome.after["counter"]?["count"] == 2)
      _ = await host.waitForTasks(in: session, within: .seconds(60))
      #expect(await host.state(of: session)?["counter"]?["count"] == 102)
    }
    store.close()
    #expect(try await bench.resumedState()?["counter"]?["count"] == 102)
  }

  @Test func `a journal that reaches its limit begins with a later state`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    var limits = JournalLimits()
    limits.bytesMax = 1 << 20
    let text = Text(String(repeating: "x", count: 20_000))
    let state = try await bench.run(on: file, limits: limits) { host, session in
      for _ in 0..<400 {
        try await host.dispatch(
          Action("counter/put", ["at": 1, "text": .string(text)]), to: session)
        try await host.dispatch(Action("counter/put", ["at": 1]), to: session)
      }
      return await host.state(of: session)
    }
    file.close()
    let reader = try JournalFile(bench.path, for: .reading)
    #expect(reader.byteCount < 8 << 20)
    reader.close()
    #expect(try await bench.resumedState() == state)
  }

  @Test func `a reload is in the journal, and the session goes on with its slices`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("counter/add", ["by": 5]), to: session)
      try bench.folder.save(
        "counter.lua",
        """
        return { version = 2, state = { count = 0, more = true },
          migrate = function(old) old.count = old.count * 10 return old end,
          reducers = { add = function(s) s.count = s.count + 1 end } }
        """)
      await host.reload()
      try await host.dispatch(Action("counter/add"), to: session)
    }
    file.close()
    let state = try await bench.resumedState()
    #expect(state?["counter"]?["count"] == 51)
  }
}

/// A store that counts and can fail.
final class CountingStore: JournalStore {
  private struct Facts {
    var writes: [String] = []
    var announcedCount = 0
    var failure: JournalError.Reason?
    var gate: Gate?
  }

  /// A place where a write waits until it is opened.
  struct Gate: Sendable {
    private let reaching = AsyncStream.makeStream(of: Void.self)
    private let opening = DispatchSemaphore(value: 0)

    /// Waits until a write has reached it.
    func reached() async { for await _ in reaching.stream { return } }
    func open() { opening.signal() }

    fileprivate func pass() {
      reaching.continuation.yield()
      opening.wait()
    }
  }

  /// Lets the next write wait.
  func holdNextWrite() -> Gate {
    let gate = Gate()
    facts.withLock { $0.gate = gate }
    return gate
  }

  private let store: any JournalStore
  private let facts = Mutex(Facts())

  init(_ store: any JournalStore) { self.store = store }

  /// The text of each write.
  var writes: [String] { facts.withLock { $0.writes } }
  var appendCount: Int { writes.count }
  /// The number of announcements.
  var announcedCount: Int { facts.withLock { $0.announcedCount } }
  /// The reason that writes fail; nil if they don't.
  var failure: JournalError.Reason? {
    get { facts.withLock { $0.failure } }
    set { facts.withLock { $0.failure = newValue } }
  }

  var name: String { store.name }
  var appendsBriefly: Bool { store.appendsBriefly }
  var byteCount: Int { store.byteCount }

  func append(_ records: [JournalRecord]) throws(JournalError) {
    let gate = facts.withLock { facts in
      defer { facts.gate = nil }
      return facts.gate
    }
    gate?.pass()
    if let failure { throw JournalError(name, failure) }
    try store.append(records)
    let text = records.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "\n")
    facts.withLock { $0.writes.append(text) }
  }

  func announce(_ records: [JournalRecord]) {
    facts.withLock { $0.announcedCount += 1 }
    store.announce(records)
  }

  func read(from number: Int64, _ body: (JournalRecord) -> Bool) throws(JournalError) {
    try store.read(from: number, body)
  }
  func stateNumbers() throws(JournalError) -> [Int64] { try store.stateNumbers() }
  func removeRecords(before number: Int64) throws(JournalError) {
    try store.removeRecords(before: number)
  }
  func close() { store.close() }
}
