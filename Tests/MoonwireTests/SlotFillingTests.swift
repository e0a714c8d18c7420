import MoonCards
import MoonTestSupport
import Moonwire
import Testing

/// The elements that modules add to each other's screens.
struct SlotFillingTests {
  private static let list = """
    local ui = require "moonwire".ui
    return {
      state = { items = { "a", "b" } }, actions = { clear = {} },
      reducers = { clear = function(state) state.items = {} end },
      routes = { ["/list"] = { kind = "list", screen = function() return {} end } },
      views = { list = function(screen, state)
        return {
          ui.list(state.items, function(item)
            return ui.container { item, ui.slot("item", { data = { name = item } }) }
          end),
          ui.slot("below", { "nothing" }), ui.input { id = "own" }, ui.button("Clear", "clear"),
        }
      end },
    }
    """

  private func lines(_ files: [String: String]) async throws -> (Bench, [String]) {
    var files = files
    files["todo.lua"] = Self.list
    let bench = try await Bench(files)
    try await bench.host.route("/list", in: bench.session)
    return (bench, try await lines(bench))
  }

  private func lines(_ bench: Bench) async throws -> [String] {
    let shown = try #require(await bench.host.shownScreen(in: bench.session))
    return try #require(shown.card).lines(width: 60).map(\.text).filter { !$0.isEmpty }
  }

  @Test func `a slot that nobody fills shows what it holds itself`() async throws {
    let (_, lines) = try await lines([:])
    #expect(lines == ["a", "b", "nothing", "own  [__________]", "[1] Clear"])
  }

  @Test func `extensions fill slots in the order of priorities, with their own state`()
    async throws
  {
    let (bench, lines) = try await lines([
      "x.lua": """
      return { state = { n = 7 }, extends = {
        ["todo/list#item"] = function(screen, data) return "x of " .. data.name end,
        ["todo/list#below"] = function(screen, data, state) return { "x " .. state.n } end,
        ["todo/other#below"] = function() return "never" end,
        ["todo/list#nowhere"] = function() return "never" end } }
      """,
      "z.lua": """
      return { extends = { ["todo/list#below"] = { priority = 1, run = function(_, data)
        return { data == nil and "z first", false } end } } }
      """,
    ])
    #expect(
      lines == ["a", "x of a", "b", "x of b", "z first", "x 7", "own  [__________]", "[1] Clear"])
    #expect(
      try await bench.info("x")?.registrations.map(\.name) == [
        "todo/list#below", "todo/list#item", "todo/list#nowhere", "todo/other#below",
      ])
  }

  @Test func `a button that is added dispatches its own module's action`() async throws {
    let (bench, _) = try await lines([
      "x.lua": """
      local ui = require "moonwire".ui
      return { state = { n = 0 }, reducers = { up = function(s, p) s.n = s.n + p.verb end },
        extends = { ["todo/list#below"] = function()
          return { ui.button("Up", "up", { verb = 2 }), ui.button("Own", "todo/clear") }
        end } }
      """
    ])
    try await bench.host.use(.name("Up"), in: bench.session)
    #expect(try await bench.state("x.n") == 2)
    try await bench.host.use(.name("Own"), in: bench.session)
    #expect(try await bench.state("todo.items") == [:])
    try await bench.host.use(.name("Clear"), in: bench.session)
  }

  static let faulty = [
    "error('broken')", "return 5", "return { type = 'Nothing', 1 }",
    "local ui = require 'moonwire'.ui return { ui.input { id = 'own' } }",
    "return { string.rep('x', 200000) }", "screen.x.y = 1",
  ]

  @Test(arguments: faulty)
  func `what one adds wrongly costs neither the view nor the others`(body: String) async throws {
    let (bench, lines) = try await lines([
      "bad.lua": "return { extends = { ['todo/list#below'] = function(screen) \(body) end } }",
      "x.lua": "return { extends = { ['todo/list#below'] = function() return 'x' end } }",
    ])
    #expect(
      lines.filter { !$0.contains("module bad") } == [
        "a", "b", "x", "own  [__________]", "[1] Clear",
      ])
    #expect(try await bench.info("bad")?.faults == 1)
    #expect(try await bench.info("todo")?.faults == 0)
    #expect(try await bench.info("x")?.faults == 0)
    let events = try await bench.events.upTo("fault session 1 bad extension")
    #expect(events.count { $0.hasPrefix("fault") } == 1)
  }

  @Test func `a fault is told once until it changes, goes or is loaded again`() async throws {
    let faulty = """
      return { state = { n = 0 }, actions = { set = { n = "integer" } },
        reducers = { set = function(state, payload) state.n = payload.n end },
        extends = { ['todo/list#below'] = function(screen, data, state)
          if state.n < 3 then error('broken ' .. state.n // 2) end
        end } }
      """
    let (bench, _) = try await lines(["bad.lua": faulty])
    func faults(after n: Int64? = nil) async throws -> Int {
      if let n { try await bench.dispatch("bad/set", ["n": .int(n)]) }
      _ = try await lines(bench)
      _ = try await lines(bench)
      // A fault of its own, behind those that are counted.
      await bench.host.reload(ModuleName("todo"))
      return try await bench.events.upTo("reloaded todo").count { $0.hasPrefix("fault") }
    }
    #expect(try await faults() == 1)
    #expect(try await faults(after: 1) == 0)
    #expect(try await faults(after: 2) == 1)
    #expect(try await faults(after: 3) == 0)
    #expect(try await faults(after: 2) == 1)
    await bench.host.reload(ModuleName("bad"))
    #expect(try await faults() == 1)
  }

  @Test func `a module that leaves takes its part with it`() async throws {
    let (bench, before) = try await lines([
      "x.lua": "return { extends = { ['todo/list#below'] = function() return 'x' end } }"
    ])
    #expect(before.contains("x"))
    try bench.folder.remove("x.lua")
    await bench.host.reload()
    #expect(try await lines(bench).contains("nothing"))
  }

  static let wrong = [
    ("['todo'] = print", "invalidSlot(\"todo\")"),
    ("['todo/list'] = print", "invalidSlot(\"todo/list\")"),
    ("['todo/list#'] = function() end", "invalidSlot(\"todo/list#\")"),
    ("['#x'] = function() end", "invalidSlot(\"#x\")"),
    ("['a/b#c#d'] = function() end", "invalidSlot(\"a/b#c#d\")"),
    ("['a/b#c'] = 5", "wrongKind"), ("['a/b#c'] = { priority = 1 }", "wrongKind"),
    ("['a/b#c'] = { run = function() end, prio = 1 }", "unknownKey"), ("5", "wrongKind"),
  ]

  @Test(arguments: wrong)
  func `what names no slot is a problem`(entry: String, reason: String) async throws {
    let extends = entry == "5" ? "5" : "{ \(entry) }"
    let bench = try await Bench(["m.lua": "return { extends = \(extends) }"])
    let problems = try #require(await bench.info("m")).problems
    #expect(problems.contains { "\($0.reason)".hasPrefix(reason) }, "\(problems)")
  }
}
