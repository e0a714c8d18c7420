import MoonTestSupport
import Testing

/// Navigation typed by a person has the origin `user`, like navigation by tapping.
@Suite(.ownThread) struct PersonsOriginTests {
  private static let tabs = """
    local moon = require "moonwire"
    return {
      state = { by = {} },
      actions = { second = "Selects the second tab" },
      routes = {
        ["/a"] = function() return {} end, ["/b"] = function() return {} end,
        ["/c"] = { option = "push", screen = function() return {} end },
      },
      reducers = {
        ["nav/did_select_tab"] = function(s, p) s.by[#s.by + 1] = "select " .. p.origin end,
        ["nav/did_push"] = function(s, p) s.by[#s.by + 1] = "push " .. p.origin end,
      },
      map_navigation = { second = function() return moon.nav.select_tab(2) end },
      on_start = function(self)
        self.dispatch(moon.nav.set(moon.nav.tabs { moon.nav.stack { "/a" }, "/b" }))
      end,
    }
    """

  @Test(arguments: [
    ("nav/select_tab index=2", "select user"), ("nav/select_tab index=1", "select user"),
    (#"= dispatch("nav/select_tab", {index = 2})"#, "select user"),
    ("nav/push screen=/c", "push user"), ("m/second", "select code"),
    ("nav/select_tab index=2 origin=code", "select code"),
  ])
  func `what a person types is theirs, what a module makes of it isn't`(
    line: String, by: String
  ) throws {
    let folder = try ScriptFolder(["m.lua": Self.tabs])
    let result = try Program.run(["run", folder.root], input: "\(line)\n:state m.by\n")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.lines.last == "[\"\(by)\"]", "\(result.output)")
  }
}
