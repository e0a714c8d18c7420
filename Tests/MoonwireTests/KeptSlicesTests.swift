import MoonTestSupport
import Moonwire
import Testing

/// Slices of other versions and of missing modules.
///
/// None are lost.
struct KeptSlicesTests {
  private static func module(_ version: Int, migrate: String = "") -> String {
    """
    return {
      version = \(version), state = { own = \(version), n = 0 }, \(migrate)
      reducers = { set = function(state, payload) state.n = payload.n end },
    }
    """
  }

  private func versions(_ bench: Bench) async -> [Int64] {
    await bench.host.keptSlices(of: bench.session).map(\.version)
  }

  @discardableResult
  private func reload(_ bench: Bench, _ text: String) async throws -> String {
    try bench.folder.save("a.lua", text)
    return await bench.host.reload().map(\.summary).joined(separator: "; ")
  }

  @Test func `a slice comes back with its version, whatever was there between`() async throws {
    let bench = try await Bench(["a.lua": Self.module(1)])
    var random = SplitMix64(seed: 11)
    var expected: [Int: Int64] = [:]
    var version = 1
    for step in 1...200 {
      if random.once(in: 2) {
        try await bench.dispatch("a/set", ["n": .int(Int64(step))])
        expected[version] = Int64(step)
      } else if random.once(in: 3) {
        try bench.folder.remove("a.lua")
        await bench.host.reload()
      }
      version = 1 + random.below(5)
      try await reload(bench, Self.module(version))
      let slice = try await bench.state("a")
      #expect(slice == ["own": .int(Int64(version)), "n": .int(expected[version] ?? 0)])
      #expect(Set(await versions(bench)).count == (await versions(bench)).count)
    }
    #expect(expected.count == 5)
  }

  @Test func `the line of a reload says what is put aside and what is back`() async throws {
    let bench = try await Bench(["a.lua": Self.module(2)])
    #expect(try await reload(bench, Self.module(1)) == "reloaded a 1→2 put aside 2, new 1")
    #expect(try await reload(bench, Self.module(2)) == "reloaded a 2→3 put aside 1, back 2")
    #expect(try await reload(bench, Self.module(3)) == "reloaded a 3→4 put aside 2, new 3")
    #expect(await versions(bench) == [1, 2])
  }

  @Test func `what was put aside for the new version counts for more than migrate`() async throws {
    let migrate = "migrate = function(old) old.n = old.n + 100 return old end,"
    let bench = try await Bench(["a.lua": Self.module(2)])
    try await bench.dispatch("a/set", ["n": 2])
    try await reload(bench, Self.module(1))
    try await bench.dispatch("a/set", ["n": 1])
    try await reload(bench, Self.module(2, migrate: migrate))
    #expect(try await bench.state("a.n") == 2)
    try await reload(bench, Self.module(3, migrate: migrate))
    #expect(try await bench.state("a.n") == 102)
    #expect(await versions(bench) == [1])
  }

  @Test func `a migrate that comes late gets the slice by hand`() async throws {
    let bench = try await Bench(["a.lua": Self.module(1)])
    let name = try #require(ModuleName("a"))
    try await bench.dispatch("a/set", ["n": 7])
    try await reload(bench, Self.module(2))
    await #expect(throws: SliceError.incompatible(name, version: 1, current: 2, migrates: false)) {
      try await bench.host.carryOut(.restore(name, version: 1), in: bench.session)
    }
    let migrate = "migrate = function(old) old.n = old.n * 10 return old end,"
    try await reload(bench, Self.module(2, migrate: migrate))
    try await bench.host.carryOut(.restore(name, version: 1), in: bench.session)
    #expect(try await bench.state("a") == ["own": 1, "n": 70])
    #expect(await versions(bench) == [1, 2], "neither what was there nor the old one is lost")
    try await bench.host.carryOut(.restore(name, version: 2), in: bench.session)
    #expect(try await bench.state("a") == ["own": 2, "n": 0])
    #expect(await versions(bench) == [1, 2])
    try await bench.host.carryOut(.drop(name, version: 1), in: bench.session)
    #expect(await versions(bench) == [2])
    await #expect(throws: SliceError.notFound(name, version: 1, others: [2])) {
      try await bench.host.carryOut(.drop(name, version: 1), in: bench.session)
    }
  }

  @Test func `a migrate that fails by hand changes nothing`() async throws {
    let bench = try await Bench(["a.lua": Self.module(1)])
    let name = try #require(ModuleName("a"))
    try await reload(bench, Self.module(2))
    try await reload(bench, Self.module(2, migrate: "migrate = function() error('no') end,"))
    let before = await bench.host.savedState(of: bench.session)
    await #expect(throws: SliceError.self) {
      try await bench.host.carryOut(.restore(name, version: 1), in: bench.session)
    }
    #expect(await bench.host.savedState(of: bench.session) == before)
    let other = try #require(ModuleName("b"))
    await #expect(throws: SliceError.notRunning(other)) {
      try await bench.host.carryOut(.restore(other, version: 1), in: bench.session)
    }
  }

  @Test func `a migrate without an end by hand changes nothing, and the module goes on`()
    async throws
  {
    var options = Bench.quiet
    options.budgets = Budgets(all: .milliseconds(100))
    let bench = try await Bench(["a.lua": Self.module(1)], options: options)
    let name = try #require(ModuleName("a"))
    try await reload(bench, Self.module(2))
    try await reload(bench, Self.module(2, migrate: "migrate = function() while true do end end,"))
    try await bench.dispatch("a/set", ["n": 3])
    await #expect(throws: SliceError.self) {
      try await bench.host.carryOut(.restore(name, version: 1), in: bench.session)
    }
    try await bench.dispatch("a/set", ["n": 4])
    #expect(try await bench.state("a.n") == 4)
    #expect(await versions(bench) == [1])
  }

  @Test func `so many versions are put aside that the next one isn't loaded`() async throws {
    let bench = try await Bench(["a.lua": Self.module(1)])
    for version in 2...101 { try await reload(bench, Self.module(version)) }
    #expect(await versions(bench).count == 100)
    let line = try await reload(bench, Self.module(102))
    #expect(line.hasPrefix("failed a running 101"), "\(line)")
    #expect(try await bench.state("a.own") == 101)
    let name = try #require(ModuleName("a"))
    try await bench.host.carryOut(.drop(name, version: 5), in: bench.session)
    let next = try await reload(bench, Self.module(102))
    #expect(next.hasSuffix(" put aside 101, new 102"), "\(next)")
  }
}
