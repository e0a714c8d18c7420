import MoonJournal
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// What reaches a journal together, and what waits for it.
///
/// Invariant 17: nothing that depends on a commit happens before it is kept.
@Suite(.timeLimit(.minutes(2))) struct SharedWritesTests {
  @Test func `the operation of a durable task starts after its wait is kept, though actions fail`()
    async throws
  {
    var files = DurableEffectTests.module(#"ask("a") note("b")"#)
    // More tasks than may have turns one after the other, so that the durable one has its first
    // turn after an action that has waited for the host.
    files["flood.lua"] = """
      local moon = require "moonwire"
      return { effects = { go = function(_, self)
        for _ = 1, 1500 do moon.spawn(function() end) end
        self.dispatch "orders/place"
      end } }
      """
    let bench = try DurableBench(files)
    let store = CountingStore(try JournalFile(bench.path, for: .beginning, durability: .power))
    let asked = Mutex<[Int]>([])
    bench.shop.watch { _ in
      let count = store.writes.joined().split(separator: "shop.ask a").count - 1
      asked.withLock { $0.append(count) }
    }
    let host = try await bench.host()
    let session = try await Journal(in: store).openSession(on: host)
    let dispatchers = (1...16).map { _ in
      Task {
        while !Task.isCancelled { _ = try? await host.dispatch(Action("orders/none"), to: session) }
      }
    }
    for _ in 1...3 { try await host.dispatch(Action("flood/go"), to: session) }
    _ = await host.waitForTasks(in: session, within: .seconds(60))
    for dispatcher in dispatchers {
      dispatcher.cancel()
      await dispatcher.value
    }
    #expect(await DurableBench.steps(of: session, on: host) == ["b", "b", "b"])
    #expect(asked.withLock { $0.enumerated().allSatisfy { $0.element > $0.offset } })
    await host.closeSession(session)
    store.close()
  }

  /// The limits at which records are written without waiting for more, and around them.
  @Test(arguments: [
    (997, 0), (998, 0), (999, 0), (1_000, 0), (0, 1 << 20), (3, (1 << 20) - 2_000),
  ])
  func `what a commit begins in durable tasks is kept with it, however much is pending`(
    count: Int, size: Int
  ) async throws {
    var files = DurableEffectTests.module("moon.take 'never'")
    files["flood.lua"] = """
      local moon = require "moonwire"
      return { effects = { go = function(_, self)
        for i = 1, \(count) do self.dispatch("orders/note", { step = "s" }) end
        self.dispatch("orders/place", { item = ("x"):rep(\(size)) })
      end } }
      """
    let bench = try DurableBench(files)
    let store = CountingStore(try JournalFile(bench.path, for: .beginning))
    let host = try await bench.host()
    let session = try await Journal(in: store).openSession(on: host)
    try await host.dispatch(Action("flood/go"), to: session)
    _ = await host.waitForTasks(in: session, within: .seconds(60))
    let writes = store.writes
    let first = try #require(writes.firstIndex { $0.contains("orders/place") })
    #expect(writes[first].contains(#""begin""#))
    if count > 0 { #expect(writes.prefix(first).contains { $0.contains("orders/note") }) }
    await host.closeSession(session)
    store.close()
  }
}
