import MoonTestSupport
import Moonwire
import Testing

struct SplitViewTests {
  private static let mail = """
    local moon = require "moonwire"
    return moon.module {
      state = { unread = 2, seen = moon.list() },
      reducers = {
        read = function(state) state.unread = state.unread - 1 end,
        ["nav/did_select_column"] = function(state, payload)
          table.insert(state.seen, payload.column)
        end,
        ["nav/did_collapse"] = function(state) table.insert(state.seen, "collapsed") end,
      },
      title = { list = function(_, state) return state.unread .. " letters" end },
      routes = {
        ["/list"] = function() return { kind = "list" } end,
        ["/letter/:n<int>"] = {
          option = moon.detail(),
          screen = function(route)
            return { kind = "letter", title = "Letter " .. route.params.n }
          end,
        },
      },
      map_navigation = {
        begin = function()
          return moon.nav.set(moon.nav.split { id = "mail", master = moon.nav.stack { "/list" } })
        end,
        tabs = function()
          return moon.nav.set(moon.nav.tabs {
            selected = 2, moon.nav.stack { "/list" }, moon.nav.stack { "/letter/1" } })
        end,
      },
    }
    """

  @Test func `a route opens in the detail, beside a list that follows the state`() async throws {
    let bench = try await Bench(["m.lua": Self.mail])
    try await bench.dispatch("m/begin")
    for number in 1...2 { try await bench.route(Text("/letter/\(number)")) }
    try await bench.dispatch("m/read")
    #expect(await bench.titles() == ["1 letters", "Letter 2"])
    #expect(
      await bench.drawing() == [
        "window main", "└─ split mail ▸detail", "   ├─ stack-2  list", "   └─ stack-3  letter-2*",
      ])
    try await bench.dispatch("nav/collapse")
    try await bench.host.back(in: bench.session)
    #expect(await bench.topScreen()?.title == "1 letters")
    #expect(
      await bench.host.state(of: bench.session)?["m"]?["seen"] == ["detail", "collapsed", "master"])
  }

  @Test func `the titles of tabs that aren't selected follow the state`() async throws {
    let bench = try await Bench(["m.lua": Self.mail])
    try await bench.dispatch("m/tabs")
    try await bench.dispatch("m/read")
    #expect(await bench.titles() == ["1 letters", "Letter 1"])
    // Nobody sees them under what is presented.
    try await bench.route("/letter/2", [:], .modal)
    try await bench.dispatch("m/read")
    #expect(await bench.titles() == ["1 letters", "Letter 1", "Letter 2"])
    try await bench.host.back(in: bench.session)
    #expect(await bench.titles() == ["0 letters", "Letter 1"])
  }

  @Test(arguments: [
    ("moon.nav.split {}", "moon.nav.split, in `master`, takes a string or a table, not nothing"),
    ("moon.nav.select_column(2)", #"takes "master" or "detail", not a number"#),
    (#"moon.nav.set_column("left", "/")"#, #"takes "master" or "detail", not "left""#),
  ])
  func `a wrong column names the caller`(code: String, message: String) async throws {
    let bench = try await Bench([
      "m.lua": """
      local moon = require "moonwire"
      return { reducers = { go = function() local node = \(code) end } }
      """
    ])
    let error = await bench.failure(of: "m/go")
    #expect("\(error as Any)".contains(message))
  }
}
