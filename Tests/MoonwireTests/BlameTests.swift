import MoonTestSupport
import Moonwire
import Testing

/// The modules that faults count to.
struct BlameTests {
  /// A module that dispatches bad payloads to `v`, floods its effects, and dispatches its own.
  private static let sender = """
    return require("moonwire").module { state = {},
      actions = { bad = {}, many = {}, tick = {}, mixed = {} }, effects = {
        bad = function(_, self) for i = 1, 30 do self.dispatch("v/add", { by = {} }) end end,
        many = function(_, self) for i = 1, 200 do self.dispatch("v/wait") end end,
        mixed = function(_, self)
          for i = 1, 200 do self.dispatch("v/add", { by = i % 10 == 0 and {} or 1 }) end
        end } }
    """
  private static let receiver = """
    local moon = require "moonwire"
    return moon.module { state = { n = 0 }, actions = { add = "Adds", wait = {}, fail = {} },
      reducers = { add = function(s, p) s.n = s.n + p.by end },
      effects = { wait = function() moon.sleep(600) end, fail = function() error "no" end,
        ["a/tick"] = function() error "no" end } }
    """

  private static func bench() async throws -> Bench {
    var options = Bench.quiet
    options.tasks.countMax = 100
    return try await Bench(["a.lua": sender, "v.lua": receiver], options: options)
  }

  private static func suspended(_ bench: Bench) async -> [String] {
    await bench.host.moduleInfos().filter { $0.status == .suspended }.map(\.name.text)
  }

  @Test(arguments: ["a/bad", "a/many"])
  func `who sends what fails is suspended, and not who gets it`(action: String) async throws {
    let bench = try await Self.bench()
    try await bench.dispatch(action)
    #expect(await Self.suspended(bench) == ["a"])
    try await bench.dispatch("v/add", ["by": 1])
    #expect(try await bench.state("v.n") == 1)
  }

  @Test func `who fills a module with tasks leaves room for those of others`() async throws {
    let bench = try await Self.bench()
    try await bench.dispatch("a/many")
    let tasks = await bench.host.taskInfos(of: bench.session).filter { $0.module.text == "v" }
    #expect(tasks.count == 50)
    for _ in 1...50 { try await bench.dispatch("v/wait") }
    #expect(await Self.suspended(bench) == ["a"])
    let full = try await bench.dispatch("v/wait")
    #expect(full.faults.count == 1)
  }

  @Test func `what was given by a module that has left is held against nobody`() async throws {
    let bench = try await Bench([
      "v.lua": """
      local moon = require "moonwire"
      return moon.module { actions = { go = {} }, effects = { go = function(p)
        moon.take("v/now") local x = p.x.y.z end } }
      """,
      "a.lua": """
      return require("moonwire").module { actions = { go = {} }, effects = {
        go = function(_, self) for i = 1, 30 do self.dispatch("v/go", { x = 5 }) end end } }
      """,
    ])
    try await bench.dispatch("a/go")
    try bench.folder.remove("a.lua")
    await bench.host.reload()
    _ = try? await bench.dispatch("v/now")
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(await Self.suspended(bench) == [])
  }

  @Test func `the result of an effect is owed to who has started it`() async throws {
    let bench = try await Bench([
      "v.lua": """
      return require("moonwire").module { state = {}, actions = { go = {} }, effects = { go = {
        run = function(p) return { x = p.x } end,
        reduce = function(s, p) local z = p.x.y.z end } } }
      """,
      "a.lua": """
      return require("moonwire").module { actions = { go = {} }, effects = {
        go = function(_, self) for i = 1, 30 do self.dispatch("v/go", { x = 5 }) end end } }
      """,
    ])
    try await bench.dispatch("a/go")
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(await !Self.suspended(bench).contains("v"))
  }

  @Test func `what a module's actions do right counts as well`() async throws {
    let bench = try await Self.bench()
    try await bench.dispatch("a/mixed")
    #expect(await Self.suspended(bench) == [])
    #expect(try await bench.state("v.n") == 180)
  }

  @Test func `who sends large payloads can't have those suspended who keep them`() async throws {
    var options = Bench.quiet
    options.memoryQuota = 8 << 20
    let bench = try await Bench(
      [
        "a.lua": """
        return require("moonwire").module { actions = { go = {}, x = {} }, effects = {
          go = function(_, self) self.dispatch("x", { string.rep("x", 2000000) }) end } }
        """,
        "log.lua": """
        return require("moonwire").module { effects = {
          ["a/x"] = function(p) local kept = {} for i = 1, 5 do kept[i] = p[1] .. i end end } }
        """,
      ], options: options)
    for _ in 1...25 { _ = try? await bench.dispatch("a/go") }
    #expect(await Self.suspended(bench) == ["a"])
  }

  @Test func `nobody is suspended by those who listen to it, nor they by what they hear`()
    async throws
  {
    let bench = try await Bench([
      "a.lua": """
      return require("moonwire").module { actions = { go = {}, tick = {} }, effects = {
        go = function(_, self) for i = 1, 60 do self.dispatch("a/tick") end end } }
      """, "v.lua": Self.receiver,
    ])
    let outcome = try await bench.dispatch("a/go")
    #expect(outcome.faults.count == 60)
    #expect(await Self.suspended(bench) == [])
    let faults = await bench.host.moduleInfos().map { "\($0.name) \($0.faults)" }
    #expect(faults == ["a 0", "v 60"])
  }

  /// A module whose code fails for what it is given, and what another one gives it; then what a
  /// person does, and who is suspended.
  private static let given: [(victim: String, giver: String, steps: [String], suspended: String)] =
    [
      (
        "routes = { ['/q'] = function(r) return { title = r.params.x.y.z } end }",
        looping("self.route_and_wait, '/q', { x = 5 }"), ["a/go"], "a"
      ),
      (
        "handlers = { ['/q'] = function(r) local x = r.params.x.y.z end }",
        looping("self.route_and_wait, '/q', { x = 5 }"), ["a/go"], "a"
      ),
      (
        """
        routes = { ["/q"] = function(r) return { kind = "q", props = r.params } end },
        views = { q = function(s) return { s.props.x.y.z } end }
        """, looping("self.screen, '/q', { x = 5 }"), ["a/go"], ""
      ),
      (
        "routing_presenters = { zed = function(r, o) local x = o.x.y.z end }",
        "routes = { ['/a'] = function() return { title = 'a' } end },"
          + looping("self.route_and_wait, '/a', {}, moon.option('zed', { x = 5 })"), ["a/go"], ""
      ),
      (
        "", "map_modules = { ['v/u'] = function() return moon.replace('v/t', { x = 5 }) end }",
        Array(repeating: "v/u", count: 25), "a"
      ),
      (
        "", "middleware = { on = 'v/t', run = function(a) a.payload = { x = 5 } return a end }",
        Array(repeating: "v/t", count: 25), "a"
      ),
      (
        """
        effects = { w = { keep = true, run = function(_, self)
          for k = 1, 40 do
            moon.spawn(function() local a = moon.take("a/x") local z = a.payload.x.y.z end)
          end
          moon.sleep(1e6)
        end } }
        """,
        "actions = { go = {}, x = {} }, effects = { go = function(_, self) "
          + "self.dispatch('x', { x = 5 }) end }", ["a/go"], ""
      ),
    ]

  private static func looping(_ call: String) -> String {
    "actions = { go = {} }, effects = { go = function(_, self) "
      + "for i = 1, 30 do pcall(\(call)) end end }"
  }

  @Test(arguments: given.indices)
  func `what a module was given isn't held against it`(index: Int) async throws {
    let (victim, giver, steps, suspended) = Self.given[index]
    let start = """
      local moon = require "moonwire"
      return moon.module {
      """
    let bench = try await Bench([
      "a.lua": "\(start) \(giver) }",
      "v.lua": """
      \(start) state = { n = 0 }, actions = { t = "Takes anything", u = {} },
        reducers = { t = function(s, p) s.n = p.x.y.z end },
        \(victim) }
      """,
    ])
    for step in steps {
      _ = try? await bench.host.dispatch(Action(Text(step)), to: bench.session)
    }
    #expect(await Self.suspended(bench).joined() == suspended)
  }

  @Test func `who changes a screen's props doesn't have its view suspended`() async throws {
    let bench = try await Bench([
      "v.lua": """
      return require("moonwire").module { state = {},
        routes = { ["/q"] = function() return { kind = "q", props = { x = { y = 1 } } } end },
        views = { q = function(s) return { "y " .. s.props.x.y } end } }
      """,
      "a.lua": """
      return require("moonwire").module { state = {},
        presenters = { on = "v/q", run = function(s) s.props = {} end } }
      """,
    ])
    try await bench.route("/q")
    for _ in 0..<25 {
      #expect(await bench.host.shownScreen(in: bench.session)?.failure != nil)
    }
    #expect(await Self.suspended(bench) == [])
  }

  @Test func `what a person does counts to the module that fails`() async throws {
    let bench = try await Self.bench()
    for _ in 0..<20 { try await bench.dispatch("v/fail") }
    #expect(await Self.suspended(bench) == ["v"])
  }
}
