import MoonTestSupport
import Moonwire
import Testing

struct ExhaustionTests {
  /// The number of times that a machine is filled: eight times what an allocator may keep.
  static let kills = 16

  // In a process of its own, so that memory of concurrent tests doesn't count.
  @Test(arguments: [
    "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end",
    "local s = 'x' while true do s = s .. s end",
    "for i = 1, math.huge do state.t[i] = ('x'):rep(100000) .. i end",
  ])
  func `a machine that used all its memory gives it back`(text: String) async throws {
    await #expect(processExitsWith: .success) { [text] in
      let arena = try await Arena(
        hostile: """
          return require("moonwire").module { state = { t = {} }, reducers = {
            go = function(state) \(text) end } }
          """)
      var before = 0
      for kill in 0...Self.kills {
        #expect(await arena.reasons(of: "hostile/go") == [.memory])
        if kill == 0 { before = TestProcess.residentBytes }
        let memory = await arena.host.moduleInfos().first { $0.name.text == "hostile" }?.usage?
          .memory
        #expect(try #require(memory) < 1 << 20, "the machine is a new one")
        if let name = ModuleName("hostile") { _ = await arena.host.resume(name) }
      }
      let kept = TestProcess.residentBytes - before
      #expect(kept < 2 * Arena.quota, "\(kept) bytes are kept")
    }
  }

  @Test func `a module that keeps what it may is left alone`() async throws {
    let arena = try await Arena(
      hostile: """
        local kept = {}
        return require("moonwire").module { state = { n = 0 }, reducers = {
          go = function(state)
            for i = 1, 8 do kept[i] = ("x"):rep(1 << 20) end
            for i = 1, 200 do local garbage = ("y"):rep(1 << 20) .. i end
            state.n = state.n + 1
          end } }
        """)
    for _ in 0..<5 { #expect(await arena.reasons(of: "hostile/go") == []) }
    #expect(try await arena.state("hostile.n") == 5)
  }

  @Test func `a pattern fails at the same place whatever the machine does`() async throws {
    let arena = try await Arena(
      hostile: """
        return require("moonwire").module { state = { n = 0 }, reducers = {
          go = function(state)
            for n = 1, 400 do
              state.n = n
              if not pcall(string.find, ("a"):rep(n), ".-.-.-.-b") then return end
            end
          end } }
        """)
    var reached: [Value?] = []
    for _ in 0..<2 {
      #expect(await arena.reasons(of: "hostile/go") == [])
      reached.append(try await arena.state("hostile.n"))
    }
    #expect(reached[0] == reached[1])
    #expect(try #require(reached[0]?.intValue) < 400)
  }

  @Test func `a flood of lines is dropped and counted`() async throws {
    let lines = Lines()
    let arena = try await Arena(
      hostile: """
        return require("moonwire").module { state = { n = 0 }, reducers = {
          go = function(state) for i = 1, 20000 do print("line " .. i) end end } }
        """, logger: lines.logger)
    _ = await arena.reasons(of: "hostile/go")
    let texts = lines.texts
    let told = texts.filter { $0.hasPrefix("line ") }.count
    #expect(told >= 1_000 && told < 20_000)
    #expect(texts.contains { $0.hasPrefix("more than 1000 lines or 1 MB in a second") })
  }
}
