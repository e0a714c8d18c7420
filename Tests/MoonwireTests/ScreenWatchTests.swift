import MoonTestSupport
import Moonwire
import Testing

/// The event that says that the drawing of the screen on top has changed.
struct ScreenWatchTests {
  private static let files = [
    "a.lua": """
    return {
      routes = { ["/a"] = { kind = "a", screen = function() return {} end } },
      views = { a = function(screen, state, self) return { "n is " .. self.state("b.n") } end },
      on_start = function(self) self.route("/a") end,
    }
    """,
    "b.lua": """
    local moon = require "moonwire"
    return { state = { n = 0, m = 0 }, actions = { n = {}, m = {}, last = {}, later = {} },
      effects = { later = function(p, self) moon.sleep(0.01) self.dispatch("n") end }, reducers = {
      n = function(state) state.n = state.n + 1 end, m = function(state) state.m = state.m + 1 end,
      last = function(state) state.n = 100 end } }
    """,
  ]

  @Test func `it comes when another module's state changes what is drawn`() async throws {
    let bench = try await Bench(Self.files)
    await bench.host.watchScreen(of: bench.session)
    try await bench.dispatch("b/m")
    try await bench.dispatch("b/n")
    let events = try await bench.events.upTo("screen of session 1")
    #expect(events.last == "screen of session 1: [\"n is 1\"]")
    #expect(events.count { $0.hasPrefix("screen") } == 1)
  }

  @Test func `it comes when an effect that has waited changes what is drawn`() async throws {
    let bench = try await Bench(Self.files)
    await bench.host.watchScreen(of: bench.session)
    try await bench.dispatch("b/later")
    try await bench.events.upTo("screen of session 1: [\"n is 1\"]")
  }

  @Test func `calls in a row are drawn once`() async throws {
    let bench = try await Bench(Self.files)
    await bench.host.watchScreen(of: bench.session)
    let session = bench.session
    try await bench.host.perform { host in
      for _ in 1...50 { try host.dispatch(Action("b/n"), to: session) }
    }
    #expect(
      try await bench.events.upTo("screen of session 1").filter { $0.hasPrefix("screen") }
        == ["screen of session 1: [\"n is 50\"]"])
  }

  @Test func `it comes after a reload, and when the screen goes`() async throws {
    let bench = try await Bench(Self.files)
    await bench.host.watchScreen(of: bench.session)
    try bench.folder.save(
      "a.lua", try #require(Self.files["a.lua"]).replacing("n is", with: "now"))
    await bench.host.reload(ModuleName("a"))
    try await bench.events.upTo("screen of session 1: [\"now 0\"]")
    try await bench.dispatch("nav/set")
    try await bench.events.upTo("screen of session 1: []")
  }

  @Test func `nothing is drawn unasked, nor after the session has closed`() async throws {
    let bench = try await Bench(Self.files)
    let calls = try #require(try await bench.info("a")?.usage?.calls)
    try await bench.dispatch("b/n")
    #expect(try await bench.info("a")?.usage?.calls == calls)
    await bench.host.watchScreen(of: bench.session)
    await bench.host.closeSession(bench.session)
    let other = await bench.host.openSession()
    try await bench.host.dispatch(Action("b/last"), to: other)
    await bench.host.reload(ModuleName("b"))
    #expect(
      try await bench.events.upTo("reloaded b").allSatisfy { !$0.hasPrefix("screen") })
  }

  @Test func `a view that fails is left alone until modules change`() async throws {
    var files = Self.files
    files["a.lua"] = files["a.lua"]?.replacing("self.state(\"b.n\")", with: "nothing()")
    let bench = try await Bench(files)
    await bench.host.watchScreen(of: bench.session)
    for _ in 1...30 { try await bench.dispatch("b/n") }
    #expect(try #require(await bench.info("a")).faults <= 5)
    #expect(try await bench.info("a")?.status == .running)
    try bench.folder.save("a.lua", try #require(Self.files["a.lua"]))
    await bench.host.reload(ModuleName("a"))
    try await bench.events.upTo("screen of session 1: [\"n is 30\"]")
  }
}
