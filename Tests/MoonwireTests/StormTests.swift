import MoonTestSupport
import Moonwire
import Testing

/// Dispatching and reloading at the same time.
@Suite(.timeLimit(.minutes(2))) struct StormTests {
  /// Returns the two numbers of a generation, written by two reducers and compared by an observer.
  private static func module(_ generation: Int) -> String {
    """
    local mine = \(generation)
    return {
      state = { n = 0, low = 0, high = 0, torn = 0 },
      reducers = {
        ["a/*"] = function(s) s.low = mine end,
        add = function(s) s.n = s.n + 1 s.high = mine end,
        tear = function(s) s.torn = s.torn + 1 end,
      },
      observe = { ["a"] = function(a, _, self)
        if a.low ~= a.high and a.n > 0 then self.dispatch("tear") end
      end },
    }
    """
  }

  @Test func `no action is lost, and each sees one version of the code`() async throws {
    let bench = try await Bench(
      ["a.lua": Self.module(1), "b.lua": ReloaderTests.counter(1)], following: .yes)
    let dispatches = 3_000
    let (host, session, folder) = (bench.host, bench.session, bench.folder)
    let storm = Task.detached {
      for _ in 0..<dispatches { try await host.dispatch(Action("a/add"), to: session) }
    }
    for generation in 2..<40 {
      try folder.saveAsEmacs("a.lua", Self.module(generation))
      if generation.isMultiple(of: 4) { await host.reload() }
      if generation.isMultiple(of: 5) {
        try folder.save("b.lua", ReloaderTests.counter(generation))
      }
    }
    try await storm.value
    try folder.save("end.lua", "return {}")
    try await bench.events.upTo("started end")
    #expect(try await bench.state("a.n") == .int(Int64(dispatches)))
    #expect(try await bench.state("a.torn") == 0)
    #expect(try #require(try await bench.info("a")).generation > 9)
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.high") == 39)
  }

  @Test func `sessions are opened and closed while others work`() async throws {
    let bench = try await Bench(["a.lua": Self.module(1)])
    let host = bench.host
    let counts = try await withThrowingTaskGroup(of: Value?.self) { group in
      for worker in 1...4 {
        group.addTask {
          let session = await host.openSession()
          for _ in 0..<(worker * 50) { try await host.dispatch(Action("a/add"), to: session) }
          let count = await host.state(of: session)?["a"]?["n"]
          await host.closeSession(session)
          return count
        }
      }
      return try await group.reduce(into: []) { counts, count in
        counts.append(count?.intValue ?? -1)
      }
    }
    #expect(counts.sorted() == [50, 100, 150, 200])
    #expect(try await bench.state("a.n") == 0)
  }
}
