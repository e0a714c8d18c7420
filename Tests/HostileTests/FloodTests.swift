import Moonwire
import Testing

/// The number of bytes that a module produces is limited.
@Suite struct FloodTests {
  @Test func `long lines are cut, and a flood of them ends after a megabyte`() async throws {
    let kept = Lines()
    let arena = try await Arena(
      hostile: """
        return { state = {}, reducers = {
          go = function()
            for i = 1, 120 do print(string.rep("x", 64 * 1024)) end
          end } }
        """, logger: kept.logger)
    let reasons = await arena.reasons(of: "hostile/go")
    #expect(reasons == [])
    let lines = kept.texts
    #expect(lines.first?.hasSuffix("x… (49152 bytes more)") == true)
    #expect(lines.reduce(0) { $0 + $1.utf8.count } < 4 << 20)
    #expect(
      lines.contains("more than 1000 lines or 1 MB in a second: the rest is dropped"))
  }

  @Test func `actions that wait may have so many bytes and no more`() async throws {
    // Ten actions in a row each queue ten megabytes of actions, and the module may have sixteen.
    let arena = try await Arena(
      hostile: """
        return { state = { n = 0 }, reducers = {
            go = function(state) state.n = state.n + 1 end, big = function() end },
          observe = { ["hostile.n"] = function(new, old, self)
            if new == 1 then
              for i = 1, 10 do self.dispatch("go") end
            else
              local text = string.rep("x", 200000)
              for i = 1, 50 do self.dispatch("big", text) end
            end
          end } }
        """)
    let reasons = await arena.reasons(of: "hostile/go")
    #expect(
      Set(reasons.map(\.description)) == [
        "error: this action wasn't taken: the host may hold 16 MB for the module in calls, actions "
          + "and streams, and there is no room left: do less at a time"
      ])
    #expect(reasons.count == 9)
    #expect(await arena.reasons(of: "healthy/go") == [])
  }
}
