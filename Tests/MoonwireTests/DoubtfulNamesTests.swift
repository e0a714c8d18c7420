import MoonTestSupport
import Moonwire
import Testing

/// Globals and fields of the state in the files of modules that are most likely mistakes.
struct DoubtfulNamesTests {
  private func names(
    _ text: String, _ files: [String: String] = [:]
  ) async throws -> [String] {
    let bench = try await Bench(files.merging(["m.lua": text]) { $1 })
    return await bench.host.doubtfulNames().map {
      "\($0.place) \($0.reason) \($0.name) \($0.nearest ?? "-")"
    }
  }

  static let doubtful: [(text: String, told: [String])] = [
    ("count = 1\nreturn {}", ["m.lua:1 assignedGlobal count -"]),
    ("return {}, function()\n count = 1 end", ["m.lua:2 assignedGlobal count -"]),
    (
      "local c\nreturn {}, function() c, a.b, d, e = f end",
      [
        "m.lua:2 assignedGlobal d -", "m.lua:2 assignedGlobal e -", "m.lua:2 unassignedGlobal a -",
        "m.lua:2 unassignedGlobal f -",
      ]
    ),
    ("function go() end return {}", ["m.lua:1 assignedGlobal go -"]),
    ("local x = prnt return {}", ["m.lua:1 unassignedGlobal prnt print"]),
    (
      "local color = 1\nlocal x = { colr, n = colr }\nreturn {}",
      ["m.lua:2 unassignedGlobal colr color"]
    ),
    ("return { on_stop = function() io.open('x') end }", ["m.lua:1 unassignedGlobal io -"]),
    (
      "return { state = { items = {} },\n reducers = { go = function(state) local x = state.itms end } }",
      ["m.lua:2 unknownField itms items"]
    ),
    (
      "return { state = {}, views = { m = function(screen, state) return #state.list end },"
        + " routes = { ['/m'] = { kind = 'm', screen = function() end } } }",
      ["m.lua:1 unknownField list -"]
    ),
    (
      "return { commands = { total = function() end },\n"
        + " effects = { go = function(p, self) self.call('m/totl', { n = 1 }) end } }",
      ["m.lua:2 unknownCommand m/totl m/total"]
    ),
    (
      "return { effects = { go = function(p, self) self.call 'absent/go' end } }",
      ["m.lua:1 unknownCommand absent/go -"]
    ),
    (
      "return { state = { items = {} },\n reducers = { go = function(s) local x = s.itms end } }",
      ["m.lua:2 unknownField itms items"]
    ),
    (
      "return { state = { n = 1 }, migrate = function(s) return { n = s.old } end,\n"
        + " views = { m = function(_, s) return s.nn end },"
        + " routes = { ['/m'] = { kind = 'm', screen = function() end } } }",
      ["m.lua:2 unknownField nn n"]
    ),
    (
      "return { actions = { add = {} }, reducers = { add = function() end },\n"
        + " effects = { add = function(p, self) self.dispatch('ad') self.dispatch { type = 'm/x' }"
        + " self.dispatch 'add' self.dispatch('a' .. p) end } }",
      ["m.lua:2 unknownAction ad m/add", "m.lua:2 unknownAction m/x -"]
    ),
    (
      "local ui = require 'moonwire'.ui\nreturn { actions = { add = {} }, reducers = { add = function() end },"
        + " routes = { ['/m/:id'] = function() return {} end },\n"
        + " views = { m = function(screen, state) return { ui.button('A' .. #screen.title, 'sub'),"
        + " ui.button('B', '/x'), ui.button('C', '/m/1'), ui.button('D', 'add'),"
        + " ui.button('E', 'https://example.org') } end } }",
      ["m.lua:3 unknownAction sub -", "m.lua:3 unknownURL /x -"]
    ),
    ("return {\n actions = { add = {} } }", ["m.lua:2 unheardAction add -"]),
    (
      "return { effects = { total = function(p, self) self.call 'totals' end },"
        + " commands = { total = function() end } }",
      ["m.lua:1 unknownCommand totals m/total"]
    ),
  ]

  @Test(arguments: doubtful)
  func `a name that is likely a mistake is told, and can be allowed`(
    text: String, told: [String]
  ) async throws {
    #expect(try await names(text) == told)
    let words = told.map { $0.split(separator: " ")[2] }.joined(separator: " ")
    #expect(try await names(text + "\n-- moonwire: allow \(words)\n") == [])
  }

  static let fine = [
    "local a <const>, b = 1, 2 local function f(x, ...) return x + a + b end return { f = nil }",
    "for i, v in ipairs {} do print(i, v) end for i = 1, 2 do end return {}",
    "local t = { name = 1, ['other'] = 2; third = 3 } t.x = 1 t['y'] = t.name == 1 return {}",
    "local t = {} function t.go() end function t:run() self.x = 1 end t.go() t:run() return {}",
    "goto done\n::done:: return {}",
    "--[[ prnt = 1 ]] --[==[\nprnt]==] local s = [[prnt = 1]] .. 'prnt' .. \"a\\\"prnt\" return {}",
    "local x = 0x1p4 + 1e5 + 3..''\nreturn {}",
    "_G.anything = 1 x = y return {}",
    "setmetatable(_ENV, {}) x = y return {}",
    "local moon = require 'moonwire' return moon.module { state = { n = 1 } }",
    "return { state = { n = 0 }, reducers = { go = function(state) state.t = state.t or state.n end } }",
    "return { state = {}, reducers = { go = function(state, p) state[p.k] = state.anything end } }",
    "return { state = {}, reducers = { go = function(state) return { x = state.x } end } }",
    "return { state = {}, reducers = { set = function(state, payload) return payload end,"
      + " get = function(state) state.n = state.x end } }",
    "return { state = {}, version = 2, migrate = function(state) return { n = state.old } end }",
    "return { middleware = function(action, state) return not state.other.on and nil end, state = {} }",
    "return { reducers = { go = function(state) return state.x end } }",
    "local state = { a = 1 } local b = state.c return { state = {} }",
    "return { effects = { go = function(p, self) self.call('other/' .. p.name) end } }",
    "return { effects = { go = function(p, self) self.call('other/total') end } }",
    "return { commands = { a = function(p, self) return self.call 'm/b' end, b = function() end } }",
    "return { commands = { a = function(p, self) return self.call 'b' end, b = function() end } }",
    "local rpc = {} return { on_stop = function() rpc.call 'no/command' end }",
    "local bus = {} return { on_stop = function() bus.dispatch 'no/action' end }",
    "return { actions = { a = {} }, effects = { go = function(p, self) self.take 'm/a' end } }",
    "return { actions = { a = {} }, map_navigation = { a = function() end } }",
    "return { state = { n = 1 }, views = { m = function(screen, s) local f = function(s) return s.x end end },"
      + " routes = { ['/m'] = { kind = 'm', screen = function() end } } }",
    "return { state = { n = 1 }, reducers = { go = function(s) local x = other.s.y end } } --moonwire\n"
      + "-- moonwire: allow other",
  ]

  @Test(arguments: fine)
  func `other names aren't told`(text: String) async throws {
    #expect(
      try await names(
        text,
        [
          "other.lua": "return { state = { on = true }, commands = { total = function() end } }"
        ]) == [])
  }

  @Test func `commands of a module that doesn't load aren't judged`() async throws {
    let text = "return { effects = { go = function(p, self) self.call 'other/go' end } }"
    #expect(try await names(text, ["other.lua": "return {"]) == [])
  }

  @Test func `a command that leaves with its module is told then`() async throws {
    let bench = try await Bench([
      "a.lua": "return { effects = { go = function(p, self) self.call 'b/go' end } }",
      "b.lua": "return { commands = { go = function() end } }",
    ])
    #expect(await bench.host.doubtfulNames().isEmpty)
    try bench.folder.save("b.lua", "return { commands = { run = function() end } }")
    #expect(await bench.host.reload().compactMap(Self.told) == [["b/go"]])
  }

  @Test func `globals of a library are told once, and its fields count`() async throws {
    let using =
      "return { state = {}, reducers = { go = function(state) require 'x' return state.f end } }"
    let bench = try await Bench([
      "a.lua": using, "b.lua": using, "lib/x.lua": "shared = { f = 1 } return {}",
    ])
    let names = await bench.host.doubtfulNames()
    #expect(names.map { "\($0)" } == ["module a assigns a global: shared"])
  }

  @Test func `a reload tells of new names only, and finds the old ones again`() async throws {
    let bench = try await Bench(["a.lua": "x = 1 return {}", "b.lua": "return {}"])
    try await bench.events.upTo("doubtful x")
    try bench.folder.save("b.lua", "y = 1 return {}")
    let events = await bench.host.reload()
    #expect(events.compactMap(Self.told) == [["y"]])
    #expect(await bench.host.doubtfulNames().map(\.name) == ["x", "y"])
    try bench.folder.save("a.lua", "return {}")
    #expect(await bench.host.reload().compactMap(Self.told) == [])
    #expect(await bench.host.doubtfulNames().map(\.name) == ["y"])
  }

  private static func told(_ event: HostEvent) -> [String]? {
    if case .doubtfulNames(let names) = event { names.map(\.name) } else { nil }
  }
}
