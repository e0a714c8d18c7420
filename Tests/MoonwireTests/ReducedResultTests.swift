import Moonwire
import Testing

/// Effects with `reduce`, whose action is complete when their result is, and waits for effects.
@Suite(.timeLimit(.minutes(2))) struct ReducedResultTests {
  private static let shop = """
    local moon = require "moonwire"
    return moon.module {
      state = { items = moon.list(), loads = 0, notes = 0 },
      actions = { load = { fail = "boolean?", refuse = "boolean?", wait = "integer?" } },
      reducers = {
        load = function(s) s.loads = s.loads + 1 end,
        noted = function(s) s.notes = s.notes + 1 end,
      },
      effects = {
        load = {
          policy = "latest",
          run = function(payload)
            if payload.wait then moon.sleep(payload.wait) end
            if payload.fail then error("no answer") end
            if payload.refuse then moon.refuse "not now" end
            return { "a", "b" }
          end,
          reduce = function(s, result, action)
            s.items = result
            s.type = action.type
          end,
        },
        note = function() moon.sleep(2) return "noted" end,
        break_down = function() moon.sleep(1) error("broken") end,
      },
    }
    """

  private func bench(_ effect: String) async throws -> TaskBench {
    try await TaskBench(["shop.lua": Self.shop, "m.lua": TaskBench.module(effect: effect)])
  }

  @Test func `the result of an effect is reduced as an action of its own`() async throws {
    let bench = try await bench("")
    let outcome = try await bench.dispatch("shop/load", ["wait": 1])
    #expect(outcome.summary == ["shop.loads 0 → 1"])
    await bench.pass(1)
    #expect(
      try await bench.bench.state("shop")?.canonicalText
        == #"{"items":["a","b"],"loads":1,"notes":0,"type":"shop/load_result"}"#)
    let entries = await bench.host.history(of: bench.session).entries
    #expect(entries.map { $0.action.type.string } == ["shop/load", "shop/load_result"])
    #expect(entries.last?.action.meta.parent == outcome.id)
    #expect(entries.last?.action.payload == ["a", "b"])
    let declared = await bench.host.actionInfos().map(\.type)
    #expect(declared.contains("shop/load_result"))
  }

  @Test(arguments: [
    ("{ wait = 1 }", "done 2"), ("{}", "done 2"),
    ("{ wait = 1, fail = true }", "failed shop.lua:14: no answer 0"),
    ("{ fail = true }", "failed shop.lua:14: no answer 0"),
    ("{ wait = 1, refuse = true }", "refused not now 0"),
  ])
  func `who waits for the action waits for the result`(
    payload: String, told: String
  ) async throws {
    let bench = try await bench(
      """
      local o = self.dispatch_and_wait("shop/load", \(payload))
      tell(table.concat({ o.status, o.error }, " "), #self.state "shop.items")
      """)
    try await bench.go()
    if payload.contains("wait") {
      #expect(try await bench.told().isEmpty)
      await bench.pass(1)
    }
    #expect(try await bench.told() == [told])
  }

  @Test func `one that a later action replaces has no result`() async throws {
    let bench = try await bench(
      """
      local o = self.dispatch_and_wait("shop/load", { wait = 9 })
      tell(o.status, o.error)
      """)
    try await bench.go()
    try await bench.dispatch("shop/load")
    #expect(try await bench.told() == ["failed an effect of the action was cancelled"])
  }

  @Test(arguments: [
    ("\"shop/note\"", ["done 0"], ["done 0"]),
    ("\"shop/note\", nil, { effects = false }", ["done 0"], ["done 0"]),
    ("\"shop/note\", nil, { effects = true }", [], ["done 1"]),
    ("{ \"shop/note\", \"shop/note\" }, nil, { effects = true }", [], ["done 2"]),
    ("\"shop/noted\", nil, { effects = true }", ["done 1"], ["done 1"]),
    ("\"shop/break_down\", nil, { effects = true }", [], ["failed 0"]),
  ])
  func `effects are waited for if that is asked`(
    arguments: String, before: [String], after: [String]
  ) async throws {
    let bench = try await bench(
      """
      local o = self.dispatch_and_wait(\(arguments))
      tell(o.status, self.state "shop.notes")
      """)
    try await bench.go()
    #expect(try await bench.told() == before)
    await bench.pass(2)
    #expect(try await bench.told() == after)
  }

  @Test(arguments: ["true", "{ effect = true }", "{ effects = 1 }"])
  func `a wrong option is said`(option: String) async throws {
    let bench = try await bench("self.dispatch_and_wait('shop/note', nil, \(option))")
    let outcome = try await bench.go()
    #expect(
      outcome.faults.first?.description.contains("takes { effects = true } third") == true)
  }

  @Test(arguments: [
    ("['*'] = { run = print, reduce = print }", "effects[\"*\"].reduce"),
    ("['shop/x'] = { run = print, reduce = print }", "effects[\"shop/x\"].reduce"),
    ("x = { run = print, reduce = 1 }", "effects[\"x\"].reduce"),
    ("x = { run = print, keep = true, reduce = print }", "effects[\"x\"].keep"),
  ])
  func `what can't have a result is a problem`(entry: String, key: String) async throws {
    let bench = try await Bench(["m.lua": "return { effects = { \(entry) } }"])
    let problems = try await bench.info("m")?.problems ?? []
    #expect(problems.contains { "\($0)".contains(key) }, "\(problems)")
  }
}
