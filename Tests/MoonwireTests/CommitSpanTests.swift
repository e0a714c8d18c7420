import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// The spans of what a journal keeps.
struct CommitSpanTests {
  /// A store in memory that can be made to fail.
  final class Store: JournalStore {
    private let records = Mutex<[JournalRecord]>([])
    let isFull = Mutex(false)
    let name = "memory"
    let appendsBriefly = false
    var byteCount: Int { 0 }

    func append(_ new: [JournalRecord]) throws(JournalError) {
      if isFull.withLock({ $0 }) { throw JournalError(name, .full) }
      records.withLock { $0 += new }
    }

    func read(from number: Int64, _ body: (JournalRecord) -> Bool) throws(JournalError) {}
    func stateNumbers() throws(JournalError) -> [Int64] { [] }
    func removeRecords(before number: Int64) throws(JournalError) {}
    func close() {}
  }

  private static let module = """
    return {
      state = { n = 0 },
      reducers = { add = function(s) s.n = s.n + 1 end },
      effects = { go = function(_, self) self.dispatch("add") end },
    }
    """

  @Test func `a caller's span has the wait for the journal, also if it can't keep the commit`()
    async throws
  {
    let log = SpanLog()
    var options = Bench.quiet
    options.telemetry = log
    let bench = try await Bench(["m.lua": Self.module], options: options)
    let store = Store()
    let id = try await Journal(in: store).openSession(on: bench.host)
    let session = HostSession(id, on: bench.host)
    _ = try await log.within { try await session.dispatch(Action("m/go")) }
    while log.open.count > 0 { await Task.yield() }
    _ = await session.waitForEffects(within: .seconds(10))
    store.isFull.withLock { $0 = true }
    _ = try? await log.within { try await session.dispatch(Action("m/add")) }
    store.isFull.withLock { $0 = false }
    let caller = log.tree.drop { !$0.hasPrefix("caller") }
    #expect(
      caller.filter { !["commit done", "        commit done"].contains($0) } == [
        "caller open", "  action m/go done", "    effect m/go done", "      action m/add done",
        "  commit done", "caller open", "  action m/add done", #"  commit failed("not kept")"#,
      ])
    await session.close()
    await bench.host.close()
    #expect(log.open.count == 0)
  }
}
