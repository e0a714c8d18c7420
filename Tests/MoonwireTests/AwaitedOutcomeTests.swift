import Moonwire
import Testing

/// `self.dispatch_and_wait`, `self.route_and_wait` and `self.screen` of effects.
@Suite(.timeLimit(.minutes(2))) struct AwaitedOutcomeTests {
  private static let app = """
    local moon = require "moonwire"
    local function screen(route) return { title = route.url, props = { p = route.params.p } } end
    return { state = { n = 0 }, actions = { inc = { by = "integer" }, fail = {} },
      reducers = { inc = function(s, p) s.n = s.n + p.by end, fail = function() error("no") end },
      routes = { ["/home"] = screen, ["/admin"] = screen, ["/plain"] = {
        kind = "plain", screen = function() return { body = { "its own" } } end },
        ["/broken"] = { kind = "broken", screen = screen } },
      handlers = { ["/handled"] = function() end },
      views = { app = function(screen) return { moon.ui.text("drawn " .. screen.title) } end,
        broken = function() error("view") end },
      routing_observers = { route = "/admin", will = function(route)
        moon.sleep(2)
        if route.params.p == "veto" then return false, "shut" end
      end } }
    """

  private func bench(_ effect: String) async throws -> TaskBench {
    try await TaskBench(["app.lua": Self.app, "m.lua": TaskBench.module(effect: effect)])
  }

  @Test func `an outcome has the changes of the action`() async throws {
    let bench = try await bench(
      """
      local o = self.dispatch_and_wait("app/inc", { by = 2 })
      tell(o.status, #o.changes, o.changes[1].path, o.changes[1].before, o.changes[1].after)
      o = self.dispatch_and_wait { { type = "app/inc", payload = { by = 1 } },
        { type = "app/inc", payload = { by = 1 } } }
      tell(o.changes[1].after, #self.dispatch_and_wait({}).changes)
      """)
    try await bench.go()
    #expect(try await bench.told() == ["done 1 app.n 0 2", "4 0"])
  }

  @Test(arguments: [
    ("'app/fail'", "app.lua:4: no"), ("'app/gone'", "no module knows"),
    ("'app/inc', { by = 'x' }", "the payload doesn't fit"), ("'host/started'", "only the host"),
  ])
  func `an error is a text of the outcome, and is reported to nobody else`(
    action: String, error: String
  ) async throws {
    let bench = try await bench(
      "local o = self.dispatch_and_wait(\(action)) tell(o.status, o.error)")
    try await bench.go()
    let told = try await bench.told()
    #expect(told.count == 1 && told[0].hasPrefix("failed") && told[0].contains(error), "\(told)")
    let work = await bench.host.waitForTasks(in: bench.session, within: .zero)
    #expect(work.failures.isEmpty)
  }

  @Test func `a program waits for the effects of an action`() async throws {
    let bench = try await bench(
      "moon.sleep(2) self.dispatch('app/inc', { by = 3 }) if payload.fails then error('late') end")
    let done = Task {
      try await bench.host.dispatch(
        Action("m/go", [:]), to: bench.session, awaitingEffects: true)
    }
    while await bench.waits().isEmpty { await Task.yield() }
    await bench.pass(2)
    let outcome = try await done.value
    #expect(outcome.changes.changes.map(\.path.description) == ["app.n"])
    #expect(outcome.after["app"]?["n"] == 3)
    let failed = Task {
      try await bench.host.dispatch(
        Action("m/go", ["fails": true]), to: bench.session, awaitingEffects: true)
    }
    while await bench.waits().isEmpty { await Task.yield() }
    await bench.pass(2)
    let error = await #expect(throws: DispatchError.self) { try await failed.value }
    guard case .fault? = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test(arguments: [("app/gone", "unknownType"), ("app/fail", "fault")])
  func `a program that waits for effects gets the error of the action`(
    type: String, word: String
  ) async throws {
    let bench = try await bench("")
    let error = await #expect(throws: DispatchError.self) {
      try await bench.host.dispatch(
        Action(Text(type)), to: bench.session, awaitingEffects: true)
    }
    #expect(error.flatMap { Mirror(reflecting: $0).children.first?.label } == word)
  }

  @Test func `a program that waits for an effect learns that it was cancelled`() async throws {
    let bench = try await bench("moon.sleep(2)")
    let done = Task {
      try await bench.host.dispatch(
        Action("m/go", [:]), to: bench.session, awaitingEffects: true)
    }
    while await bench.waits().isEmpty { await Task.yield() }
    await bench.host.closeSession(bench.session)
    let error = await #expect(throws: DispatchError.self) { try await done.value }
    guard case .notFinished? = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test func `a routing is waited for as long as its guards take`() async throws {
    let bench = try await bench(
      """
      local o = self.route_and_wait("/admin")
      tell(o.status, o.screen.title)
      o = self.route_and_wait("/admin", { p = "veto" })
      tell(o.status, o.routing.reason)
      tell(self.route_and_wait("/nowhere").routing.reason)
      """)
    try await bench.go()
    #expect(await bench.waits() == ["the outcome of nav/route", "2.0 s"])
    await bench.pass(2)
    #expect(try await bench.told() == ["done /admin"])
    await bench.pass(2)
    #expect(try await bench.told() == ["done /admin", "failed vetoed", "no_route"])
  }

  @Test func `a routing that a newer one replaces has failed`() async throws {
    let bench = try await bench("tell(self.route_and_wait('/admin').routing.reason)")
    try await bench.go()
    try await bench.host.route("/home", in: bench.session)
    #expect(try await bench.told() == ["replaced"])
  }

  @Test func `a screen comes with the body that its view draws, and isn't shown`() async throws {
    let bench = try await bench(
      """
      local s = self.screen("/home", { p = 7 })
      tell(s.title, s.props.p, s.body[1].text)
      tell(self.screen("/plain").body[1])
      local none, why = self.screen("/nowhere")
      tell(tostring(none), why)
      tell((select(2, self.screen("/broken"))))
      tell((select(2, self.screen("/handled"))))
      """)
    try await bench.go()
    let told = try await bench.told()
    #expect(told.count == 5)
    #expect(told.prefix(2) == ["/home 7 drawn /home", "its own"])
    #expect(told[2].hasPrefix("nil /nowhere wasn't routed"))
    #expect(told[3].contains("view broken of module app failed"))
    #expect(told[4].contains("the handler /handled takes it"))
    #expect(await bench.bench.screens().isEmpty)
  }

  @Test func `a screen is waited for as long as its guards take`() async throws {
    let bench = try await bench(
      """
      tell(self.screen("/admin").title)
      tell((select(2, self.screen("/admin", { p = "veto" }))))
      """)
    try await bench.go()
    await bench.pass(2)
    #expect(try await bench.told() == ["/admin"])
    await bench.pass(2)
    #expect(try await bench.told().last?.contains("shut") == true)
  }

  @Test func `only what can wait may wait for them`() async throws {
    let bench = try await TaskBench([
      "app.lua": Self.app,
      "m.lua": """
      return { state = {}, reducers = { go = function(s) s.n = 1 end },
        observe = { ["m"] = function(_, _, self) self.dispatch_and_wait("app/inc", { by = 1 }) end } }
      """,
    ])
    let outcome = try await bench.go()
    #expect(outcome.faults.map(\.description).first?.contains("nothing can wait") == true)
    #expect(try await bench.bench.state("app.n") == 0)
  }
}
