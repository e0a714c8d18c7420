import Moonwire
import Testing

/// The history stays small, however large the actions are.
struct HistoryTests {
  @Test func `old actions of modules go when new ones are large`() async throws {
    let bench = try await Bench([
      "a.lua": """
      local moon = require "moonwire"
      return moon.module {
        state = { n = 0 }, actions = { go = {}, large = { text = "string" } },
        reducers = { large = function(state) state.n = state.n + 1 end },
        observe = { ["a.n"] = function() end },
        on_start = function(self)
          for i = 1, 40 do self.dispatch("large", { text = ("x"):rep(1000000) }) end
        end,
      }
      """
    ])
    let entries = await bench.host.history(of: bench.session).entries
    #expect(entries.count < 20)
    #expect(entries.last?.action.meta.id == 40)
    let bytes = entries.reduce(0) { $0 + $1.action.storageCost }
    #expect(bytes <= History.bytesMax)
    #expect(try await bench.state("a.n") == 40)
  }
}
