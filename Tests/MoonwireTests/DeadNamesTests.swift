import MoonTestSupport
import Moonwire
import Testing

/// Registrations that may never be called because of their names.
struct DeadNamesTests {
  private static let todo = """
    return { state = { items = {} }, actions = { add = {}, clear = {} },
      reducers = { add = function() end, inner = function() end },
      on_start = function(self) self.dispatch("inner") end,
      routes = { ["/todos"] = { kind = "list", screen = function() return {} end },
        ["/made"] = function() return { kind = "made" } end },
      views = { list = function() return { require "moonwire".ui.slot("below") } end,
        made = function() end },
    }
    """

  private func names(_ listener: String) async throws -> [String] {
    let bench = try await Bench(["todo.lua": Self.todo, "m.lua": "return { \(listener) }"])
    #expect(try #require(await bench.info("m")).problems == [])
    return await bench.host.deadNames().map { "\($0.name) \($0.nearest ?? "-")" }
  }

  static let dead: [(listener: String, name: String)] = [
    ("reducers = { ['todo/ad'] = function() end }", "todo/ad todo/add"),
    ("reducers = { ['tod/add'] = function() end }", "tod todo"),
    ("reducers = { ['tood/*'] = function() end }", "tood todo"),
    ("reducers = { ['host/startd'] = function() end }", "host/startd host/started"),
    ("reducers = { ['nav/pusch'] = function() end }", "nav/pusch nav/push"),
    (
      "actions = { add = {} }, reducers = { ad = function() end }",
      "m/ad m/add"
    ),
    ("middleware = { on = 'todo/claer', run = function() end }", "todo/claer todo/clear"),
    ("map_modules = { ['todo/ad'] = function() end }", "todo/ad todo/add"),
    ("map_navigation = { ['todo/ad'] = function() end }", "todo/ad todo/add"),
    ("observe = { ['tdo.items'] = function() end }", "tdo todo"),
    ("presenters = { route = '/todo', run = function() end }", "/todo /todos"),
    ("routing_options = { route = '/x', run = function() end }", "/x -"),
    ("routing_observers = { route = '/todo', did = function() end }", "/todo /todos"),
    (
      "routes = { ['/x'] = { parent = '/todo', screen = function() end } }", "/todo /todos"
    ),
    ("lifecycle = { on = 'tood/*', did_load = function() end }", "tood todo"),
    ("lifecycle = { { on = 'todo/lst', did_load = function() end } }", "lst list"),
    ("presenters = { on = 'todo/lst', run = function() end }", "lst list"),
    ("views = { lst = function() end }", "lst -"),
    ("views = { ['todo/lst'] = function() end }", "lst list"),
    ("views = { ['todo/list'] = function() end }", "list -"),
    ("extends = { ['todo/list#blow'] = function() end }", "blow -"),
    ("extends = { ['todo/lst#below'] = function() end }", "lst list"),
    ("extends = { ['tod/list#below'] = function() end }", "tod todo"),
    ("schedules = { ['todo/ad'] = { every = 60 } }", "todo/ad todo/add"),
    ("schedules = { nosuch = { every = 60 } }, actions = { other = {} }", "m/nosuch -"),
  ]

  @Test(arguments: dead)
  func `a name that stands for nothing is told, with the nearest`(
    listener: String, name: String
  ) async throws {
    #expect(try await names(listener) == [name])
    let word = name.split(separator: " ")[0]
    #expect(try await names(listener + ",\n-- moonwire: allow \(word)\n") == [])
  }

  @Test(arguments: [
    "reducers = { ['todo/add'] = function() end, ['todo/inner'] = function() end }",
    "reducers = { ['todo/*'] = function() end, ['*'] = function() end, own = function() end }",
    "reducers = { ['todo/start'] = function() end, ['host/restored'] = function() end }",
    "map_navigation = { ['nav/push'] = function() end, ['host/*'] = function() end }",
    "observe = { ['todo.items'] = function() end, ['navigation'] = function() end }",
    "observe = { [''] = function() end, ['m.x'] = function() end }, state = {}",
    "presenters = { route = '/todos', run = function() end }",
    "extends = { ['todo/list#below'] = function() end }",
    "actions = { a = {} }, reducers = { b = function() end }, on_start = function(s)"
      + " s.dispatch('b') end",
    "actions = { a = {} }, reducers = { tick = function() end }, schedules = { tick = { every = 60 } }",
    "reducers = { tick = function() end }, schedules = { tick = { after = 60 } }",
    "effects = { tick = function() end }, schedules = { tick = { after = 60 } }",
    "schedules = { ['todo/add'] = { every = 60 } }, state = {}",
  ])
  func `a name that stands for something isn't told`(listener: String) async throws {
    #expect(try await names(listener) == [])
  }

  @Test func `names of a module that doesn't load aren't judged`() async throws {
    let bench = try await Bench([
      "todo.lua": "oops(", "m.lua": "return { reducers = { ['todo/x'] = function() end } }",
    ])
    #expect(await bench.host.deadNames() == [])
  }

  @Test func `a schedule of another module calls a listener`() async throws {
    let bench = try await Bench([
      "clock.lua": "return { actions = { a = {} }, schedules = { ['m/tick'] = { every = 60 } } }",
      "m.lua": "return { actions = { b = {} }, reducers = { tick = function() end } }",
    ])
    #expect(await bench.host.deadNames() == [])
  }

  @Test func `a schedule is told when the module that knew its action leaves`() async throws {
    let bench = try await Bench([
      "todo.lua": Self.todo, "m.lua": "return { schedules = { ['todo/add'] = { every = 60 } } }",
    ])
    #expect(await bench.host.deadNames() == [])
    try bench.folder.remove("todo.lua")
    _ = await bench.host.reload()
    #expect(
      await bench.host.deadNames().map(\.description) == [
        "schedule todo/add of module m fails each time: no module knows the action todo/add"
      ])
  }

  @Test func `a save tells what is new, once`() async throws {
    let bench = try await Bench(["todo.lua": Self.todo, "m.lua": "return {}"])
    let faulty = "return { reducers = { ['todo/ad'] = function() end } }"
    try bench.folder.save("m.lua", faulty)
    #expect(await bench.host.reload().map(\.summary).last == "dead todo/ad")
    try bench.folder.save("m.lua", "\n" + faulty)
    #expect(await bench.host.reload().map(\.summary).last?.hasPrefix("reloaded") == true)
    try bench.folder.remove("todo.lua")
    #expect(await bench.host.reload().map(\.summary).last == "dead todo")
  }
}
