import MoonTestSupport
import Moonwire
import Testing

/// Modules that would navigate forever.
///
/// Invariant 15: chains of navigations are counted and stopped.
struct NavigationLoopTests {
  @Test func `a module that presents screens over one another leaves room for others`()
    async throws
  {
    func module(_ name: String) -> String {
      """
      local moon = require "moonwire"
      return moon.module { routes = { ["/\(name)/:n"] = {
        option = moon.modal(), screen = function() return {} end } } }
      """
    }
    let bench = try await Bench(["deep.lua": module("deep"), "other.lua": module("other")])
    for number in 0..<16 {
      try await bench.host.route(Text("/deep/\(number)"), in: bench.session)
    }
    let depth = await bench.host.navigationTree(of: bench.session)?.screens.count
    do {
      try await bench.host.route("/deep/more", in: bench.session)
      Issue.record("one more was presented")
    } catch {
      #expect("\(error)".contains("a module can't present more than 16 screens over one another"))
    }
    #expect(await bench.host.navigationTree(of: bench.session)?.screens.count == depth)
    try await bench.host.route("/other/1", in: bench.session)
    try await bench.host.navigate(NavigationAction(.dismiss()), in: bench.session)
  }

  struct Loop: CustomTestStringConvertible {
    let name: String
    let module: String

    var testDescription: String { name }
  }

  private static let screen = "routes = { [\"/x\"] = function() return { title = \"X\" } end },"

  static let loops = [
    Loop(
      name: "a navigation mapper that answers completions",
      module: screen + "map_navigation = { [\"nav/*\"] = function() return \"/x\" end },"),
    Loop(
      name: "a navigation mapper that answers with two",
      module: screen + """
        map_navigation = {
          ["nav/did_set_navigation"] = function() return { "/x", "/x" } end,
          ["nav/did_push"] = function() return { "/x", "/x" } end,
        },
        """),
    Loop(
      name: "an observer of routings that routes again",
      module: screen
        + "routing_observers = { did = function(r, s, slice, self) self.route(\"/x\") end },"),
    Loop(
      name: "an observer that routes, then vetoes",
      module: screen + """
        routing_observers = {
          will = function(r, slice, self) self.route("/x") return false, "no" end,
        },
        """),
    Loop(
      name: "a screen that routes when it is shown",
      module: screen
        + "lifecycle = { did_appear = function(s, e, slice, self) self.route(\"/x\") end },"
    ),
    Loop(
      name: "a provider that routes",
      module: """
        routes = { ["/x"] = function(r, slice, self) self.route("/x") return { title = "X" } end },
        """),
    Loop(
      name: "a handler that routes",
      module: "handlers = { [\"/x\"] = function(r, slice, self) self.route(\"/x\") end },"),
    Loop(
      name: "an unmatched handler that routes",
      module: "unmatched = function(r, slice, self) self.route(\"/x\") end,"),
    Loop(
      name: "an observer of the tree",
      module: screen + """
        observe = { ["navigation.windows"] = function(new, old, self) self.route("/x") end },
        """),
    Loop(
      name: "by way of an action of one's own",
      module: screen + """
        state = { n = 0 },
        reducers = { moved = function(s) s.n = s.n + 1 end },
        routing_observers = { did = function(r, s, slice, self) self.dispatch("moved") end },
        map_navigation = { moved = function() return "/x" end },
        """),
    Loop(
      name: "to and fro without growing",
      module: """
        routes = {
          ["/x"] = { option = "replace", screen = function() return { title = "X" } end },
          ["/y"] = { option = "replace", screen = function() return { title = "Y" } end },
        },
        routing_observers = { did = function(r, s, slice, self)
          self.route(r.url == "/x" and "/y" or "/x")
        end },
        """),
  ]

  @Test(arguments: loops)
  func `what would navigate forever is stopped with its chain`(loop: Loop) async throws {
    let bench = try await Bench([
      "m.lua": "return {\n\(loop.module)\n}",
      "ok.lua": """
      return {
        state = { n = 0 }, reducers = { go = function(s) s.n = s.n + 1 end },
        handlers = { ["/ok"] = function(r, slice, self) self.dispatch("go") end },
      }
      """,
    ])
    let outcome = try? await bench.route("/x")
    let failures = outcome?.failures ?? []
    let events = await bench.host.history(of: bench.session).entries
    let refused = events.compactMap { entry -> [String]? in
      guard case .failed(.tooManyNavigations(let chain, 64)) = entry.result else { return nil }
      return chain
    }
    #expect(!refused.isEmpty)
    #expect(outcome == nil || !failures.isEmpty)
    let chain = try #require(refused.first)
    #expect(chain.count > 4 && chain.count <= 12)
    #expect(
      chain.allSatisfy { $0.hasPrefix("nav/") && $0.contains("(m ") || $0.contains("native") })
    // What the launch sets in motion is stopped as well, after as many.
    #expect(await bench.screens().count <= 2 * 64 + 2)
    #expect((outcome?.followingCount ?? 0) < 1_000)
    // The host continues.
    try await bench.dispatch("ok/go")
    #expect(try await bench.state("ok.n") == 1)
    let again = try? await bench.route("/x")
    #expect((again?.followingCount ?? 0) < 1_000, "it is counted anew")
  }

  @Test func `a circle of one's own that navigates all the while is stopped, too`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        routes = { ["/x"] = function() return {} end },
        actions = { go = "" },
        map_navigation = { go = function(action, slice, self)
          self.dispatch("go")
          return "/x"
        end },
      }
      """
    ])
    let outcome = try await bench.dispatch("m/go")
    #expect(await bench.screens().count == 256)
    let refused = outcome.failures.first { $0.action.type == "nav/route" }
    #expect(
      refused?.error
        == .tooManyNavigations(chain: ["nav/route /x (m navigation mapper)"], max: 256))
  }

  @Test func `a reload makes any number of screens again`() async throws {
    let bench = try await Bench(["m.lua": "return { routes = { ['/x'] = function() end } }"])
    let screens = (1...300).map { Value.map(["id": .string(Text("s\($0)")), "url": "/x"]) }
    try await bench.dispatch("nav/set_navigation", ["screens": .list(List(screens))])
    try bench.folder.save(
      "m.lua", "return { routes = { ['/x'] = function() return { title = 'new' } end } }")
    await bench.host.reload()
    #expect(Set(await bench.titles()) == ["new"])
  }

  @Test func `much navigation that doesn't follow from navigation isn't stopped`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        routes = { ["/x/:n"] = function(r) return { title = r.params.n } end },
        actions = { open = "Opens much" },
        map_navigation = { open = function()
          local all = {}
          for i = 1, 200 do all[i] = "/x/" .. i end
          return all
        end },
      }
      """
    ])
    let outcome = try await bench.dispatch("m/open")
    #expect(outcome.failures.isEmpty)
    #expect(await bench.screens().count == 200)
    #expect(Set(await bench.screens().map(\.id)).count == 200)
  }

  @Test func `a detour of a few steps isn't stopped`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        routes = { ["/x/:n<int>"] = function(r) return { title = tostring(r.params.n) } end },
        routing_observers = { did = function(r, s, slice, self)
          if r.params.n < 30 then self.route("/x/" .. (r.params.n + 1)) end
        end },
      }
      """
    ])
    #expect(try await bench.route("/x/1").failures.isEmpty)
    #expect(await bench.screens().count == 30)
  }

  @Test func `in Swift it is stopped as well`() async throws {
    let bench = try await Bench(adding: [
      { try .routing("app", "/x") },
      {
        try Module("loop") { module in
          module.routingObservers = [
            RoutingObserver(did: { _, _, context in try context.dispatch(.route("/x")) })
          ]
          module.navigationMappers = [
            NavigationMapper(.exact("nav/did_push")) { _, _ in [.route("/x")] }
          ]
        }
      },
    ])
    let outcome = try await bench.route("/x")
    #expect(!outcome.failures.isEmpty)
    #expect(await bench.screens().count == 65)
  }
}
