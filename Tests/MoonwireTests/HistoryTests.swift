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

  @Test func `actions that are no longer in the history don't count`() async throws {
    // Those in the history take a third of the limit, and all of them take more than it.
    let (count, size) = (4 * History.countMax, History.bytesMax / History.countMax / 3)
    let bench = try await Bench([
      "a.lua": """
      return require "moonwire".module {
        state = {}, reducers = { go = function() end },
        on_start = function(self)
          for i = 1, \(count) do self.dispatch("go", { text = ("x"):rep(\(size)) }) end
        end,
      }
      """
    ])
    let entries = await bench.host.history(of: bench.session).entries
    #expect(entries.count == History.countMax)
    #expect(entries.last?.action.meta.id == Int64(count))
  }
}
