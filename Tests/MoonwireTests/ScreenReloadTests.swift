import Foundation
import MoonTestSupport
import Moonwire
import Testing

/// Screens of modules that arrive, change and leave.
@Suite(.timeLimit(.minutes(2))) struct ScreenReloadTests {
  private static func app(_ title: String, extra: String = "", more: String = "") -> String {
    """
    local moon = require "moonwire"
    return {
      state = { name = "kept" },
      routes = {
        ["/x/:n"] = { option = "push", screen = function(r, slice)
          \(extra)
          return { title = "\(title) " .. r.params.n .. " " .. slice.name,
            body = { moon.ui and moon.ui.text and "t" or "t",
              { type = "Input.Text", id = "name", label = "Name" } } }
        end },
      },
      \(more)
    }
    """
  }

  private static let lifecycle = """
    lifecycle = (function()
      local all = {}
      for _, stage in ipairs { "load", "did_load", "will_appear", "did_appear", "will_disappear",
          "did_disappear", "will_route", "did_route" } do
        all[stage] = function(screen) print(stage .. " " .. screen.id) end
      end
      return all
    end)(),
    """

  @Test func `screens are made again in their places, and people notice nothing else`()
    async throws
  {
    let notes = Notes()
    let bench = try await Bench.noting(notes, ["app.lua": Self.app("old", more: Self.lifecycle)])
    try await bench.route("/x/1?q=a", ["passed": true])
    try await bench.route("/x/2")
    try await bench.host.fill([("name", "typed")], in: bench.session)
    let before = await bench.screens()
    notes.clear()
    try bench.folder.save("app.lua", Self.app("new", more: Self.lifecycle))
    await bench.host.reload()
    let after = await bench.screens()
    #expect(after.map(\.title) == ["new 1 kept", "new 2 kept"])
    #expect(after.map(\.id) == before.map(\.id))
    #expect(after.map(\.url) == before.map(\.url))
    #expect(after.map(\.parameters) == before.map(\.parameters))
    #expect(notes.all == [], "nothing appears or disappears")
    #expect(
      await bench.host.shownScreen(in: bench.session)?.inputs == ["name": "typed"])
  }

  @Test func `presenters see the screen by its old id`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "app.lua": """
        return {
          routes = { ["/x"] = function() return { id = "mine", title = "X" } end },
          presenters = function(screen) print(screen.id .. " " .. tostring(screen.url)) end,
        }
        """
      ])
    try await bench.route("/x")
    await bench.host.reload()
    #expect(notes.all == ["mine /x", "mine /x"])
  }

  @Test func `screens that another module decorates are made again with it`() async throws {
    func decorator(_ mark: String, _ route: String = "") -> String {
      """
      return { presenters = { \(route) run = function(screen)
        screen.title = screen.title .. "\(mark)"
      end } }
      """
    }
    let bench = try await Bench(["app.lua": Self.app("app"), "deco.lua": decorator("!")])
    try await bench.route("/x/1")
    for (file, title) in [
      (decorator("?"), "app 1 kept?"), (decorator("&", "route = '/x/:n',"), "app 1 kept&"),
      (decorator("#", "route = '/y',"), "app 1 kept"), (decorator("!"), "app 1 kept!"),
      ("return {}", "app 1 kept"), (decorator("!"), "app 1 kept!"), (nil, "app 1 kept"),
    ] as [(String?, String)] {
      if let file {
        try bench.folder.save("deco.lua", file)
      } else {
        try bench.folder.remove("deco.lua")
      }
      await bench.host.reload()
      #expect(await bench.titles() == [title])
    }
  }

  @Test func `a screen whose route is gone keeps its place until the route is back`() async throws {
    let bench = try await Bench(["app.lua": Self.app("old")])
    try await bench.route("/x/1")
    try await bench.route("/x/2")
    try bench.folder.save("app.lua", "return { state = { name = 'kept' } }")
    await bench.host.reload()
    #expect(await bench.screens().map(\.isPlaceholder) == [true, true])
    #expect(await bench.titles() == ["old 1 kept", "old 2 kept"])
    #expect(await bench.host.shownScreen(in: bench.session)?.isDrawn == false)
    try bench.folder.save("app.lua", Self.app("back"))
    await bench.host.reload()
    #expect(await bench.screens().map(\.isPlaceholder) == [false, false])
    #expect(await bench.titles() == ["back 1 kept", "back 2 kept"])
  }

  @Test func `screens of a module that leaves wait for it, and get its slice back`() async throws {
    let bench = try await Bench(["app.lua": Self.app("old"), "other.lua": "return {}"])
    try await bench.route("/x/1")
    try bench.folder.remove("app.lua")
    await bench.host.reload()
    #expect(try await bench.state("app") == nil)
    #expect(await bench.screens().map(\.isPlaceholder) == [true])
    try bench.folder.save("app.lua", Self.app("back"))
    await bench.host.reload()
    #expect(await bench.titles() == ["back 1 kept"], "made when the slice was there again")
    #expect(await bench.screens().map(\.isPlaceholder) == [false])
  }

  @Test func `a route for everything stands in only as long as it must`() async throws {
    let bench = try await Bench([
      "app.lua": Self.app("old"),
      "lost.lua": "return { routes = { [\"*\"] = function() return { title = \"lost\" } end } }",
    ])
    try await bench.route("/x/1")
    let id = await bench.topScreen()?.id
    try bench.folder.remove("app.lua")
    await bench.host.reload()
    #expect(await bench.titles() == ["lost"])
    try bench.folder.save("app.lua", Self.app("back"))
    await bench.host.reload(ModuleName("app"))
    #expect(await bench.titles() == ["back 1 kept"])
    #expect(await bench.topScreen()?.id == id)
    #expect(await bench.topScreen()?.owner?.module == "app")
  }

  @Test func `a provider that fails leaves the screen as it was and is told`() async throws {
    let bench = try await Bench(["app.lua": Self.app("old")])
    try await bench.route("/x/1")
    let before = await bench.screens()
    try bench.folder.save("app.lua", Self.app("new", extra: "error('no')"))
    await bench.host.reload()
    #expect(await bench.screens() == before)
    #expect(
      try await bench.events.upTo("fault").last
        == "fault session 1 app route /x/:n app.lua:6 raised(\"no\")")
    try bench.folder.save("app.lua", Self.app("mended"))
    await bench.host.reload()
    #expect(await bench.titles() == ["mended 1 kept"])
  }

  @Test func `a provider that declines leaves a placeholder`() async throws {
    let bench = try await Bench(["app.lua": Self.app("old")])
    try await bench.route("/x/1")
    try bench.folder.save("app.lua", Self.app("new", extra: "if r then return nil end"))
    await bench.host.reload()
    #expect(await bench.screens().map(\.isPlaceholder) == [true])
  }

  @Test func `vetoes and redirects are for people who come, not for those who are there`()
    async throws
  {
    let bench = try await Bench(["app.lua": Self.app("old")])
    try await bench.route("/x/1")
    try bench.folder.save(
      "app.lua",
      Self.app("new", more: "routing_observers = { will = function() return false, 'shut' end },"))
    await bench.host.reload()
    #expect(await bench.titles() == ["new 1 kept"])
    #expect(await bench.routingError(of: "/x/2")?.summary.contains("shut") == true)
  }

  @Test func `screens that no URL led to belong to who pushed them`() async throws {
    let bench = try await Bench([
      "app.lua": """
      local moon = require "moonwire"
      return {
        actions = { go = "" },
        map_navigation = {
          go = function() return moon.nav.push { title = "T", kind = "card" } end,
        },
        views = { card = function() return { "drawn" } end },
      }
      """
    ])
    try await bench.dispatch("app/go")
    #expect(await bench.topScreen()?.owner?.module == "app")
    #expect(await bench.host.shownScreen(in: bench.session)?.isDrawn == true)
    let text = try String(contentsOfFile: bench.folder.path("app.lua"), encoding: .utf8)
    try bench.folder.remove("app.lua")
    await bench.host.reload()
    #expect(await bench.screens().map(\.isPlaceholder) == [true])
    try bench.folder.save("app.lua", text)
    await bench.host.reload()
    #expect(await bench.screens().map(\.isPlaceholder) == [false])
    #expect(await bench.titles() == ["T"])
  }

  @Test func `a module in Swift that comes takes up its screens`() async throws {
    let first = try await Bench(adding: [{ try .routing("app", "/x") }])
    try await first.route("/x")
    let state = try #require(await first.host.state(of: first.session))
    let host = try Host(directory: nil, options: Bench.quiet)
    let session = try await host.openSession(restoring: state)
    #expect(await host.navigationTree(of: session)?.screens.map(\.isPlaceholder) == [true])
    try await host.add(try .routing("app", "/x"))
    #expect(await host.navigationTree(of: session)?.screens.map(\.isPlaceholder) == [false])
  }

  @Test func `every session's screens are made again`() async throws {
    let bench = try await Bench(["app.lua": Self.app("old")])
    let other = await bench.host.openSession()
    try await bench.route("/x/1")
    try await bench.host.route("/x/2", in: other)
    try bench.folder.save("app.lua", Self.app("new"))
    await bench.host.reload()
    #expect(await bench.titles() == ["new 1 kept"])
    #expect(await bench.host.navigationTree(of: other)?.topScreen?.title == "new 2 kept")
  }
}
