import Moonwire
import Testing

/// The usage of a module, and the number of its faults.
struct AccountingTests {
  private static let source = """
    return { state = { n = 0 },
      reducers = {
        add = function(state) state.n = state.n + 1 end,
        fail = function() error("no") end,
        fill = function() local t = string.rep("x", 3000000) end,
        grow = function() local t = {} while true do t[#t + 1] = {} end end,
      },
      observe = { ["m.n"] = function() end },
    }
    """

  @Test func `calls are those of load, reducers and observers`() async throws {
    let bench = try await Bench(["m.lua": Self.source])
    #expect(try await bench.info("m")?.usage?.calls == 1)
    try await bench.dispatch("m/add")
    try await bench.dispatch("m/add")
    _ = await bench.failure(of: "m/fail")
    let info = try #require(try await bench.info("m"))
    #expect(info.usage?.calls == 6)
    #expect(try #require(info.usage?.time) > .zero)
  }

  @Test func `sums go on after a reload and after a kill`() async throws {
    var options = Bench.quiet
    options.memoryQuota = 8 << 20
    let bench = try await Bench(["m.lua": Self.source], options: options)
    try await bench.dispatch("m/fill")
    let before = try #require(try await bench.info("m"))
    let peak = try #require(before.usage?.memoryPeak)
    #expect(peak > 3_000_000)
    await bench.host.reload()
    let after = try #require(try await bench.info("m"))
    #expect(after.generation == 2)
    #expect(after.usage?.calls == 3)
    #expect(after.usage?.memoryPeak == peak)
    #expect(try #require(after.usage?.memory) < 3_000_000)
    #expect(try #require(after.usage?.time) > #require(before.usage?.time))
    _ = await bench.failure(of: "m/grow")
    let killed = try #require(try await bench.info("m"))
    #expect(killed.generation == 3)
    #expect(killed.usage?.calls == 5)
    #expect(try #require(killed.usage?.memoryPeak) > peak)
  }

  @Test func `faults are counted in all and among the last calls`() async throws {
    let bench = try await Bench(["m.lua": Self.source])
    func faults() async throws -> [Int?] {
      let info = try await bench.info("m")
      return [info?.faults, info?.recentFaults]
    }
    #expect(try await faults() == [0, 0])
    for _ in 0..<3 { _ = await bench.failure(of: "m/fail") }
    #expect(try await faults() == [3, 3])
    try await bench.dispatch("m/add")
    #expect(try await faults() == [3, 3])
    await bench.host.reload()
    #expect(try await faults() == [3, 0])
    _ = await bench.failure(of: "m/fail")
    #expect(try await faults() == [4, 1])
  }

  @Test func `a module in Swift has faults and no machine`() async throws {
    let bench = try await Bench(adding: [
      {
        try Module("native", state: [:]) { module in
          module.reducers = [
            Reducer(.exact("native/go")) { _, action in
              if action.payload == .null { throw HostError.noThread }
            }
          ]
          module.wholeStateReducers = [
            Reducer(.exact("native/whole")) { _, action in
              if action.payload == .null { throw HostError.noThread }
            }
          ]
        }
      }
    ])
    _ = await bench.failure(of: "native/go")
    _ = await bench.failure(of: "native/whole")
    _ = await bench.failure(of: "native/whole")
    #expect(try await bench.info("native")?.recentFaults == 3)
    try await bench.dispatch("native/whole", true)
    let info = try #require(try await bench.info("native"))
    #expect(info.faults == 3)
    #expect(info.recentFaults == 3)
    #expect(info.usage == nil)
  }
}
