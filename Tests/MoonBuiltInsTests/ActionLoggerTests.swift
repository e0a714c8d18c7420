import MoonBuiltIns
import MoonTestSupport
import Moonwire
import Testing

@Suite(.timeLimit(.minutes(2))) struct ActionLoggerTests {
  @Test func `each action is shown with its payload, its cause and what it changed`() async throws {
    let bench = try await BuiltInBench(
      [.logger],
      [
        "a.lua": """
        return { state = { n = 0, old = 1 },
          reducers = {
            add = function(s, p) s.n = s.n + (p.by or 1); s.old = nil; s.new = { 1 } end,
            same = function() end },
          observe = { ["a.n"] = function(_, _, self) self.dispatch("a/same") end } }
        """
      ])
    try await bench.dispatch("a/add", ["by": 2])
    let texts = bench.shown.all.filter { $0.contains(" a/") }
    #expect(
      texts == [
        """
        #4 a/add {"by":2} (native)
          a.n: 0 → 2
          a.new: + [1]
          a.old: − 1
        """,
        """
        #5 a/same (a observer, after #4)
          nothing changed
        """,
      ])
  }

  @Test func `what is long is cut`() async throws {
    let bench = try await BuiltInBench(
      [.logger],
      [
        "a.lua": """
        return { state = {}, reducers = { fill = function(s, p)
          for i = 1, 30 do s["k" .. i] = ("x"):rep(500) end end } }
        """
      ])
    try await bench.dispatch("a/fill")
    let text = try #require(bench.shown.all.last)
    #expect(text.hasSuffix("\n  … and more"))
    #expect(text.split(separator: "\n").count == 22)
    #expect(text.split(separator: "\n").allSatisfy { $0.count < 230 })
  }
}
