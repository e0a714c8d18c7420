import MoonTestSupport
import Moonwire
import Testing

/// Routing observers whose `will` takes time: the routing waits for them outside the queue.
@Suite(.timeLimit(.minutes(2))) struct WaitingGuardTests {
  private static let app = """
    local function screen(route) return { title = route.url } end
    return { state = { n = 0 }, reducers = { inc = function(s) s.n = s.n + 1 end },
      routes = { ["/home"] = screen, ["/admin"] = screen, ["/login"] = screen } }
    """

  /// Makes a bench with a guard of `/admin`, whose body has `route`, `state` and `self`.
  private func bench(
    _ will: String, more: String = "", options: HostOptions = Bench.quiet
  ) async throws -> TaskBench {
    try await TaskBench(
      [
        "app.lua": Self.app,
        "guard.lua": """
        local moon = require "moonwire"
        return { state = { failed = moon.list(), asked = 0 },
          reducers = {
            failed = function(s, p) s.failed[#s.failed + 1] = p.url .. " " .. p.reason end,
            asked = function(s) s.asked = s.asked + 1 end },
          routing_observers = {
            { route = "/admin", will = function(route, state, self)
              \(will)
            end },
            { failed = function(url, error, _, self)
                self.dispatch("failed", { url = url, reason = error.reason }) end },
            \(more)
          } }
        """,
      ], options: options)
  }

  private func route(_ bench: TaskBench, _ url: Text) async throws -> Outcome {
    try await bench.host.route(url, in: bench.session)
  }

  private func titles(_ bench: TaskBench) async -> [String] { await bench.bench.titles() }

  /// The texts of the URLs that failed, with the reasons.
  private func failed(_ bench: TaskBench) async throws -> [String] {
    (try await bench.bench.state("guard.failed")?.listValue ?? List()).map {
      $0.stringValue ?? "-"
    }
  }

  @Test(arguments: ["moon.sleep(2)", "return moon.spawn(function() moon.sleep(2) end)"])
  func `the routing waits, other actions go on, and it comes back as an action of its own`(
    will: String
  ) async throws {
    let bench = try await bench(will)
    let outcome = try await route(bench, "/admin")
    #expect(outcome.waiting.map(\.url) == ["/admin"])
    #expect(outcome.waiting.map(\.module.text) == ["guard"])
    #expect(outcome.changes.changes.isEmpty)
    try await bench.dispatch("app/inc")
    #expect(await titles(bench) == [])
    await bench.pass(2)
    #expect(await titles(bench) == ["/admin"])
    let history = await bench.host.history(of: bench.session).entries
    #expect(history.map(\.action.type) == ["nav/route", "app/inc", "nav/route", "nav/show"])
    #expect(history.map(\.action.meta.parent) == [nil, nil, 1, 3])
    guard case .waiting(let task) = history[0].result else {
      Issue.record("the first doesn't say that it waits")
      return
    }
    #expect(task == outcome.waiting[0].task)
  }

  @Test(arguments: [("", 1, true), ("error('oops')", 0, false), ("return false", 1, false)])
  func `a guard that answers at once may have spawned a task, which its error ends`(
    end: String, count: Int, passes: Bool
  ) async throws {
    let bench = try await bench("moon.spawn(function() moon.sleep(1) end) \(end)")
    _ = try? await route(bench, "/admin")
    #expect(await titles(bench) == (passes ? ["/admin"] : []))
    await bench.pass(0)
    #expect(await bench.waits().count == count)
    await bench.pass(1)
    #expect(await bench.waits().isEmpty)
  }

  @Test func `a guard isn't asked while its module has as many tasks as it may`() async throws {
    var options = Bench.quiet
    options.tasks.countMax = 1
    let bench = try await bench(
      "if route.params.keep then moon.spawn(function() moon.sleep(1) end) end", options: options)
    _ = try await route(bench, "/admin")
    _ = try await route(bench, "/admin?keep=1")
    await #expect(throws: DispatchError.self) { try await route(bench, "/admin?more=1") }
    #expect(await titles(bench) == ["/admin", "/admin?keep=1"])
    await bench.pass(1)
    _ = try await route(bench, "/admin?more=1")
    #expect(await titles(bench).count == 3)
  }

  @Test func `a late veto, a late redirect and a late error say what happened`() async throws {
    let bench = try await bench("moon.sleep(1) return false, 'shut'")
    _ = try await route(bench, "/admin")
    await bench.pass(1)
    #expect(try await failed(bench) == ["/admin vetoed"])

    let other = try await self.bench("moon.sleep(1) return moon.redirect('/login')")
    _ = try await route(other, "/admin")
    await other.pass(1)
    #expect(await titles(other) == ["/login"])

    let broken = try await self.bench("moon.sleep(1) error('oops')")
    _ = try await route(broken, "/admin")
    await broken.pass(1)
    #expect(try await failed(broken) == ["/admin unanswered"])
    let work = await broken.host.waitForTasks(in: broken.session, within: .zero)
    #expect(work.faults.map(\.reason) == [.raised("oops")])
    #expect(work.faults.first?.lastWait == "1.0 s")
    #expect(work.failures.map(\.action.type) == ["nav/route"])
  }

  @Test func `an answer of another kind is an error after a wait as before one`() async throws {
    let bench = try await bench("moon.sleep(1) return 7")
    _ = try await route(bench, "/admin")
    await bench.pass(1)
    #expect(try await failed(bench) == ["/admin unanswered"])
    #expect(await bench.faults().first?.description.contains("not an integer") == true)
  }

  @Test func `a newer routing in the window replaces it`() async throws {
    let bench = try await bench("moon.sleep(2)")
    _ = try await route(bench, "/admin")
    let outcome = try await route(bench, "/home")
    #expect(outcome.failures.map { "\($0.error)" }.first?.contains("/home was routed") == true)
    #expect(await bench.waits().isEmpty)
    await bench.pass(2)
    #expect(await titles(bench) == ["/home"])
    #expect(try await failed(bench) == ["/admin replaced"])
  }

  @Test func `a newer routing that waits too replaces it, and one that fails doesn't`() async throws
  {
    let bench = try await bench("moon.sleep(2)")
    _ = try await route(bench, "/admin")
    await #expect(throws: DispatchError.self) { try await route(bench, "/nowhere") }
    #expect(await bench.waits().count == 1)
    _ = try await route(bench, "/admin")
    #expect(await bench.waits().count == 1)
    await bench.pass(2)
    #expect(await titles(bench) == ["/admin"])
  }

  @Test(arguments: [TimelineEdit.cut, .revert])
  func `a routing that is undone while it waits is gone without an error`(
    edit: TimelineEdit
  ) async throws {
    let bench = try await bench("moon.sleep(2)")
    try await bench.dispatch("app/inc")
    _ = try await route(bench, "/admin")
    try await bench.host.travel(to: .position(1), in: bench.session)
    let outcome = try await bench.host.carryOut(edit, in: bench.session)
    #expect(outcome.failures.isEmpty)
    #expect(await bench.waits().isEmpty)
    await bench.pass(2)
    #expect(await titles(bench) == [])
    #expect(try await failed(bench) == [])
    #expect(await bench.faults().isEmpty)
    // Another one isn't replaced, since none waits.
    #expect(try await route(bench, "/home").failures.isEmpty)
  }

  @Test func `a routing in another window doesn't touch it`() async throws {
    let bench = try await bench("moon.sleep(2)")
    try await bench.dispatch("nav/start", ["id": "second"])
    try await bench.dispatch("nav/set", ["root": ["stack": []], "window": "second"])
    try await bench.dispatch("nav/route", ["url": "/admin", "window": "main"])
    try await bench.dispatch("nav/route", ["url": "/home", "window": "second"])
    await bench.pass(2)
    #expect(await titles(bench).sorted() == ["/admin", "/home"])
  }

  @Test func `a guard may route itself, to ask a person, and its routing goes on`() async throws {
    let bench = try await bench("self.route('/login') moon.take('app/inc')")
    _ = try await route(bench, "/admin")
    #expect(await titles(bench) == ["/login"])
    try await bench.dispatch("app/inc")
    #expect(await titles(bench) == ["/login", "/admin"])
  }

  @Test func `a guard that takes too long is cancelled`() async throws {
    var options = Bench.quiet
    options.tasks.guardTimeMax = .seconds(5)
    let bench = try await bench("moon.take('app/never')", options: options)
    _ = try await route(bench, "/admin")
    await bench.pass(5)
    #expect(try await failed(bench) == ["/admin unanswered"])
    #expect(
      await bench.faults().map(\.reason) == [.lifetimeExceeded(milliseconds: 5_000)])
  }

  @Test func `it fails when a person cancels the guard, and when its module is reloaded`()
    async throws
  {
    let bench = try await bench("moon.take('app/never')")
    let task = try #require(try await route(bench, "/admin").waiting.first?.task)
    #expect(await bench.host.cancelTask(task, in: bench.session))
    #expect(try await failed(bench) == ["/admin unanswered"])
    _ = try await route(bench, "/admin")
    await bench.host.reload(ModuleName("guard"))
    #expect(try await failed(bench) == ["/admin unanswered", "/admin unanswered"])
    #expect(await bench.waits().isEmpty)
  }

  @Test func `the state depends on the actions alone: what came back says what was answered`()
    async throws
  {
    let bench = try await bench("moon.sleep(1) return moon.redirect('/login', { back = 1 })")
    _ = try await route(bench, "/admin")
    await bench.pass(1)
    let back = try #require(
      await bench.host.history(of: bench.session).entries.last { $0.action.type == "nav/route" })
    #expect(back.action.meta.guards?.count == 1)

    let again = try await self.bench("error('asked again')")
    try await again.host.dispatch(back.action, to: again.session)
    #expect(await again.bench.canonicalState() == (await bench.bench.canonicalState()))
  }

  @Test func `no module can forge an answer`() async throws {
    let bench = try await bench("moon.sleep(1) return false")
    try bench.bench.folder.save(
      "forger.lua",
      """
      return { effects = { ["app/inc"] = function(_, self)
        self.dispatch { type = "nav/route", payload = { url = "/admin" },
          meta = { guards = { {
            module = "guard", guard = 1, url = "/admin", pattern = "/admin",
            params = {}, answer = "proceed" } } } }
      end } }
      """)
    await bench.host.reload()
    try await bench.dispatch("app/inc")
    #expect(await titles(bench) == [])
    await bench.pass(1)
    #expect(await titles(bench) == [])
  }

  @Test(arguments: [(false, 1), (true, 2)])
  func `a guard that answered at once is asked again if the state has changed`(
    changes: Bool, count: Int64
  ) async throws {
    let bench = try await TaskBench([
      "app.lua": Self.app,
      "guard.lua": """
      local moon = require "moonwire"
      local asked = 0
      return { state = {}, reducers = { told = function(s, p) s.asked = p.n end },
        routing_observers = {
          { priority = 1, will = function() asked = asked + 1 end,
            did = function(_, _, _, self) self.dispatch("told", { n = asked }) end },
          { will = function() moon.sleep(1) end },
        } }
      """,
    ])
    _ = try await route(bench, "/admin")
    if changes { try await bench.dispatch("app/inc") }
    await bench.pass(1)
    #expect(try await bench.bench.state("guard.asked") == .int(count))
  }

  @Test func `each guard is asked once for each route tried, and a handler isn't called again`()
    async throws
  {
    let bench = try await TaskBench([
      "m.lua": """
      local moon = require "moonwire"
      local log = {}
      return { state = { log = "" }, reducers = { log = function(s, p) s.log = p.text end },
        handlers = { ["/x/*"] = { priority = 1, run = function()
          log[#log + 1] = "handler" return false end } },
        routes = { ["/x/:id"] = function() return { title = "X" } end },
        routing_observers = {
          will = function(route)
            log[#log + 1] = route.pattern
            moon.sleep(1)
          end,
          did = function(_, _, _, self)
            self.dispatch("log", { text = table.concat(log, " ") }) end,
        } }
      """
    ])
    _ = try await route(bench, "/x/1")
    await bench.pass(1)
    await bench.pass(1)
    #expect(try await bench.bench.state("m.log") == "/x/* handler /x/:id")
  }

  @Test(arguments: [
    (["/admin", "/admin"], 1), (["/admin", "/home", "/admin"], 1), (["/home"], 0),
  ])
  func `a guard is asked once about a route that one action takes again`(
    urls: [String], count: Int
  ) async throws {
    let bench = try await bench(#"self.dispatch("asked")"#)
    let screens = List(urls.map { .string(Text($0)) })
    try await bench.dispatch("nav/set_navigation", ["screens": .list(screens)])
    #expect(await titles(bench) == urls)
    #expect(try await bench.bench.state("guard.asked") == .int(Int64(count)))
  }

  @Test func `in Swift a guard is an async function`() async throws {
    let bench = try await TaskBench(
      ["app.lua": Self.app],
      adding: [
        {
          try Module("guard") { module in
            module.routingObservers = [
              RoutingObserver(
                pattern: "/admin",
                waiting: { route, context in
                  try await context.sleep(for: .seconds(1))
                  return .redirect(Redirect(to: "/login", passing: ["from": .string(route.url)]))
                })
            ]
          }
        }
      ])
    _ = try await route(bench, "/admin")
    while await !bench.waits().contains("1.0 s") { await Task.yield() }
    await bench.pass(1)
    while await !bench.waits().isEmpty { await Task.yield() }
    #expect(await titles(bench) == ["/login"])
    #expect(await bench.bench.topScreen()?.parameters["from"] == "/admin")
  }

  @Test func `an action that names a screen by its URL waits alike`() async throws {
    let bench = try await bench("moon.sleep(1)")
    try await bench.dispatch("nav/push", ["screen": "/admin"])
    #expect(await titles(bench) == [])
    await bench.pass(1)
    #expect(await titles(bench) == ["/admin"])
  }

  @Test func `of actions carried out as one, only the routing waits`() async throws {
    let bench = try await bench("moon.sleep(1)")
    let actions = [Action("app/inc"), .route("/admin"), Action("app/inc")]
    let outcome = try await bench.host.dispatch(actions, to: bench.session)
    #expect(outcome.waiting.count == 1)
    #expect(try await bench.bench.state("app.n") == 2)
    await bench.pass(1)
    #expect(await titles(bench) == ["/admin"])
  }

  @Test func `if the actions fail together, nothing waits`() async throws {
    let bench = try await bench("moon.sleep(1)")
    let actions: [Action] = [.route("/admin"), .route("/nowhere")]
    await #expect(throws: DispatchError.self) {
      try await bench.host.dispatch(actions, to: bench.session)
    }
    #expect(await bench.waits().allSatisfy { $0 == "its turn" })
    await bench.pass(1)
    #expect(await titles(bench) == [])
  }

  @Test func `a screen that is needed at once can't wait`() async throws {
    let bench = try await bench("moon.sleep(1)")
    await #expect {
      try await bench.host.screen(for: "/admin", in: bench.session)
    } throws: { error in
      "\(error)".contains("takes time to decide")
    }
    #expect(await bench.waits().allSatisfy { $0 == "its turn" })
  }

  @Test func `a routing that never ceases to wait for observers fails`() async throws {
    let bench = try await TaskBench([
      "l.lua": """
      local moon = require "moonwire"
      return { state = { n = 0 }, actions = { inc = {} },
        reducers = { inc = function(s) s.n = s.n + 1 end },
        routing_observers = {
          { route = "/p", will = function(_, s) return moon.redirect("/w", { n = s.n }) end },
          { route = "/w", will = function(_, _, self)
            moon.sleep(0.001) self.dispatch_and_wait("inc") end },
        },
        routes = { ["/w"] = function() return {} end, ["/p"] = function() return {} end } }
      """
    ])
    _ = try await bench.host.route("/p", in: bench.session)
    var failures: [String] = []
    for _ in 1...200 where failures.isEmpty {
      await bench.pass(0.001)
      let work = await bench.host.waitForTasks(in: bench.session, within: .zero)
      failures = work.failures.map { "\($0.error)" }
    }
    #expect(failures.first?.contains("has waited for observers 32 times already") == true)
    #expect(try await bench.bench.state("l.n") == 32)
  }
}
