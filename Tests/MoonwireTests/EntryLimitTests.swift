import Moonwire
import Testing

/// The work of the host for a module has limits of its own, since no budget of the module covers
/// it.
struct EntryLimitTests {
  @Test func `a key with more entries than a module may have is a problem of the module`()
    async throws
  {
    let bench = try await Bench([
      "m.lua": """
      local all = {}
      for i = 1, 101 do all[i] = function() end end
      return { middleware = all }
      """
    ])
    #expect(
      try await bench.info("m")?.problems.map(\.reason)
        == [.tooMany(key: "middleware", count: 101, max: 100)])
  }

  @Test func `middleware sees the navigation that a routing makes`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        routes = { ["/x"] = function() return { title = "X" } end },
        middleware = { on = "nav/show", run = function() return false end },
      }
      """
    ])
    try await bench.route("/x")
    #expect(await bench.titles() == [])
  }
}
