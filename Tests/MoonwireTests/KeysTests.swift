import MoonTestSupport
import Testing

@testable import Moonwire

/// Keys do what a button does, in the app and on screens.
struct KeysTests {
  private static let app = """
    local ui = require "moonwire".ui
    return {
      state = { did = {} },
      actions = { add = { by = "integer?", text = "string?" }, fail = {} },
      reducers = {
        add = function(s, p) s.did[#s.did + 1] = (p.text or "-") .. (p.by or 0) end,
        fail = function() error "no" end,
      },
      routes = {
        ["/list"] = { kind = "list", screen = function() return {} end },
        ["/form"] = { kind = "form", screen = function() return {} end },
      },
      views = {
        list = function() return {} end,
        form = function() return ui.input { id = "text", required = true } end,
      },
      keys = {
        ["ctrl+n"] = "add", x = "fail", q = ui.button("Nine", "add", { by = 9 }), ["g l"] = "/list",
        { on = "form", ["ctrl+s"] = ui.button("Save", "add", { by = 1 }),
          c = ui.button("Cancel", "add", nil, { inputs = false }), q = "add" },
        { on = "app/*", a = { type = "add", payload = { by = 2 } }, q = "fail" },
      },
    }
    """

  private func press(_ keys: String, on focused: Int? = nil, _ bench: Bench)
    async throws(ScreenError)
  {
    _ = try await bench.host.perform { [session = bench.session] (host) throws(ScreenError) in
      try session.press(keys, focused: focused, on: host)
    }
  }

  private func error(_ keys: String, on focused: Int? = nil, _ bench: Bench) async -> String? {
    do throws(ScreenError) {
      try await press(keys, on: focused, bench)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func acting(_ bench: Bench) async -> [String] {
    await bench.host.perform { [session = bench.session] host in
      session.keys(on: host).map { entry in
        guard case .action(let key)? = entry.binding.target else { return "\(entry.binding.keys)" }
        return "\(entry.binding.keys) \(key.action.type)"
      }
    }
  }

  @Test func `keys of the app work without a screen, those of a screen on it`() async throws {
    let bench = try await Bench(["app.lua": Self.app])
    #expect(
      await acting(bench) == ["ctrl+n app/add", "g l nav/route", "q app/add", "x app/fail"])
    try await press("Ctrl+N", bench)
    #expect(await error("a", bench) == "a does nothing here")
    #expect(await error("g", bench) == "more keys follow g")
    #expect(await error("ctrl-n", bench)?.hasPrefix("'ctrl-n' is no key: ") == true)
    #expect(await error("x", bench)?.contains("reducer app/fail") == true)
    try await press("g l", bench)
    try await press("a", bench)
    #expect(await error("q", bench)?.contains("reducer app/fail") == true)
    #expect(try await bench.state("app.did") == ["-0", "-2"])
  }

  @Test func `a key of a screen sends its inputs as a button does, and the most exact acts`()
    async throws
  {
    let bench = try await Bench(["app.lua": Self.app])
    try await bench.route("/form")
    #expect(await error("ctrl+s", bench) != nil)
    try await press("c", bench)
    try await bench.host.fill([("text", "tea")], in: bench.session)
    try await press("ctrl+n", bench)
    try await press("ctrl+s", bench)
    #expect(await bench.host.shownScreen(in: bench.session)?.inputs == [:])
    try await bench.host.fill([("text", "milk")], in: bench.session)
    try await press("q", bench)
    #expect(try await bench.state("app.did") == ["-0", "-0", "tea1", "milk0"])
  }

  @Test func `a key of another module's screen gets none of its inputs`() async throws {
    let other = """
      return { state = { got = {} }, actions = { take = {} },
        reducers = { take = function(s, p) s.got = p end },
        keys = { { on = "app/form", t = "take" } } }
      """
    let bench = try await Bench(["app.lua": Self.app, "other.lua": other])
    try await bench.route("/form")
    try await bench.host.fill([("text", "secret")], in: bench.session)
    try await press("t", bench)
    #expect(try await bench.state("other.got") == [:])
  }

  private static let list = """
    local ui = require "moonwire".ui
    return {
      state = { did = {} },
      actions = { delete = { id = "integer", by = "integer?" }, open = { id = "integer" } },
      reducers = {
        delete = function(s, p) s.did[#s.did + 1] = p.id * 10 + (p.by or 0) end,
        open = function(s, p) s.did[#s.did + 1] = p.id end,
      },
      routes = {
        ["/"] = { kind = "list", screen = function() return {} end },
        ["/edit"] = { kind = "edit", screen = function(r) return { props = { id = r.params.id } } end },
      },
      views = {
        list = function() return {
          ui.button("One", "open", { id = 1, more = "x" }), ui.button("Two", "open", { id = 2 }),
          ui.open("Away", "/edit"), ui.slot "more" } end,
        edit = function(screen) return {
          ui.button("Save", "open", { id = screen.props.id or 0 }, { id = "save" }),
          ui.button("Twice", "open"), ui.button("Twice", "open") } end,
      },
      keys = {
        { on = "list", d = { type = "delete", focus = true },
          D = { type = "delete", payload = { by = 5 }, focus = true },
          e = { type = "/edit", focus = true }, focus = "open" },
        { on = "edit", ["ctrl+s"] = { tap = "save" }, t = { tap = "twice", title = "T" }, x = { tap = "gone" } },
      },
    }
    """

  @Test func `a key acts on the data of what has the focus`() async throws {
    let other = """
      local ui = require "moonwire".ui
      return { extends = { ["app/list#more"] = function()
        return ui.button("Theirs", "app/open", { id = 9 }) end } }
      """
    let bench = try await Bench(["app.lua": Self.list, "other.lua": other])
    try await bench.route("/")
    try await press("d", on: 2, bench)
    // What the action doesn't declare isn't sent.
    try await press("D", on: 1, bench)
    #expect(try await bench.state("app.did") == [20, 15])
    #expect(await error("d", bench) == "d acts on what has the focus, and nothing has it")
    #expect(
      await error("d", on: 3, bench) == "d acts on what has the focus, and Away has no data for it")
    // Nor is it its own.
    let theirs = await error("d", on: 4, bench)
    #expect(theirs == "d acts on what has the focus, and Theirs has no data for it")
    #expect(await error("d", on: 9, bench) == "the screen has no control 9")
    try await press("focus", on: 1, bench)
    #expect(try await bench.state("app.did") == [20, 15, 1])
    try await press("e", on: 2, bench)
    try await press("ctrl+s", bench)
    #expect(try await bench.state("app.did") == [20, 15, 1, 2])
  }

  @Test func `a key taps a control by its id or title`() async throws {
    let bench = try await Bench(["app.lua": Self.list])
    try await bench.route("/edit")
    try await press("ctrl+s", bench)
    #expect(try await bench.state("app.did") == [0])
    #expect(await error("t", bench) == "several controls are called twice")
    #expect(await error("x", bench) == "the screen has no control gone")
  }

  @Test(arguments: [
    ("d = { type = 'a', focus = true }", "a key for what a screen of this module shows"),
    ("{ on = '*', d = { tap = 'x' } }", "a key for what a screen of this module shows"),
    ("{ on = 'b/c', d = { tap = 'x' } }", "must be in a table whose on names screens of this"),
    ("{ on = 'c', d = { tap = '' } }", "must be an action, a URL, a button with one or a control"),
    ("{ on = 'c', d = { tap = 'x', by = 'X' } }", "must be an action, a URL, a button with"),
    ("focus = 'a'", "a key for what a screen of this module shows"),
    ("{ on = 'c', focus = { tap = 'x' } }", "must be an action, a URL or a button with one"),
    ("{ on = 'c', d = { type = 'a', focus = 1 } }", "must be an action, a URL, a button with"),
  ])
  func `what a key can't act on is a problem`(keys: String, problem: String) async throws {
    let bench = try await Bench(["m.lua": "return {\n keys = { \(keys) } }"])
    let found = try #require(await bench.info("m")).problems.map(\.description)
    #expect(found.count == 1 && found[0].contains(problem), "\(found)")
  }

  @Test func `a key that the stage keeps for itself is told`() async throws {
    let bench = try await Bench([
      "a.lua": """
      return { actions = { go = {} }, reducers = { go = function() end },
        keys = { enter = 'go', ['up x'] = 'go', ['g enter'] = 'go', left = 'go' } }
      """
    ])
    #expect(
      await bench.host.deadNames().map(\.description) == [
        "key enter of module a does nothing on the stage: enter has the same meaning in all apps"
          + " there",
        "key up x of module a does nothing on the stage: up has the same meaning in all apps there",
      ])
  }

  @Test func `a key needs the grants that its module needs`() async throws {
    let bench = try await Bench([
      "a.lua": "return { keys = { k = { type = 'api/disable', payload = { module = 'app' } } } }",
      "app.lua": Self.app,
    ])
    #expect(await error("k", bench)?.contains("control:api") == true)
  }

  @Test func `a person's keys come first, and switch others off`() async throws {
    let bench = try await Bench(["app.lua": Self.app])
    let mine = [
      KeyBinding(try KeySequence(parsing: "q"), KeyTarget("app/fail", owner: nil)),
      KeyBinding(try KeySequence(parsing: "x"), nil),
    ]
    await bench.host.perform { KeyTable.setPersonal(mine, on: $0) }
    try await bench.route("/form")
    #expect(await error("q", bench)?.contains("reducer app/fail") == true)
    #expect(await error("x", bench) == "x does nothing here")
  }

  @Test func `keys of a suspended module do nothing`() async throws {
    let bench = try await Bench(["app.lua": Self.app])
    for _ in 0..<30 { _ = await error("x", bench) }
    #expect(await acting(bench) == [])
  }

  @Test func `a key that another hides is told with both places`() async throws {
    let bench = try await Bench([
      "a.lua": "return { keys = {\n  ['ctrl+n'] = 'b/go',\n  g = 'b/go' } }",
      "b.lua": """
      return { actions = { go = {} }, reducers = { go = function() end }, keys = {
        ['Ctrl+N'] = 'go', ['ctrl+n'] = 'go',
        ['g i'] = 'go', { on = '*', g = 'go' } } }
      """,
    ])
    #expect(
      await bench.host.deadNames().map(\.description) == [
        "key ctrl+n of module b does nothing: ctrl+n of module a comes first (a.lua:2)",
        "key ctrl+n of module b does nothing: ctrl+n of module a comes first (a.lua:2)",
        "key g i of module b does nothing: g of module a comes first (a.lua:3)",
      ])
  }

  @Test(arguments: [
    ("'ctrl-n'", "'ctrl-n' in keys of module m is no key"),
    ("{ ['ctrl+n'] = 7 }", "keys[\"ctrl+n\"] of module m is a number, and must be"),
    ("{ ['ctrl+n'] = '' }", "keys[\"ctrl+n\"] of module m is '', and must be"),
    ("{ n = require 'moonwire'.ui.toggle_visibility('More', 'x') }", "must be an action, a URL"),
    (
      "(function() local t = {} for i = 1, 101 do t[i] = { on = '*', a = 'b', c = 'd' } end "
        + "return t end)()",
      "keys of module m has 202 entries"
    ),
    ("{ { n = 'add' } }", "keys[1] of module m is a table without on"),
    ("{ { on = '', n = 'add' } }", "'' at keys[1].on of module m names no screens"),
    ("{ on = 'list', n = 'add' }", "keys of module m is one with on, and must be a list of such"),
    ("'n'", "keys of module m is a string, and must be a table of keys"),
    ("function() end", "keys of module m is a function, and must be a table of keys"),
  ])
  func `what is no table of keys is a problem`(keys: String, problem: String) async throws {
    let table = keys == "'ctrl-n'" ? "{ ['ctrl-n'] = 'add' }" : keys
    let bench = try await Bench(["m.lua": "return {\n keys = \(table) }"])
    let found = try #require(await bench.info("m")).problems.map(\.description)
    #expect(found.count == 1 && found[0].contains(problem), "\(found)")
    #expect(found.allSatisfy { $0.hasPrefix("m.lua:2") }, "\(found)")
  }
}
