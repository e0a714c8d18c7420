import MoonTestSupport
import Moonwire
import Testing

/// The routes and screens of a suspended module.
struct SuspendedRoutesTests {
  private static let app = """
    local moon = require "moonwire"
    return {
      state = { n = 0 },
      reducers = { fail = function() error("no") end },
      routes = { ["/x/:n"] = { option = "push", screen = function(r)
        return { title = "X " .. r.params.n }
      end } },
      views = { app = function() return { "drawn" } end },
    }
    """

  private static func suspended(_ more: [String: String] = [:]) async throws -> Bench {
    let bench = try await Bench(more.merging(["app.lua": app]) { $1 })
    try await bench.route("/x/1")
    for _ in 0..<20 { _ = await bench.failure(of: "app/fail") }
    return bench
  }

  @Test func `the error of a URL names the module that would take it`() async throws {
    let bench = try await Self.suspended()
    #expect(
      await bench.routingError(of: "/x/2")?.summary == "/x/2 | - | - | - | only the suspended app")
    #expect(
      await bench.routingError(of: "/y/2")?.summary.hasPrefix("/y/2 | - | - | - | no route") == true
    )
    #expect(await bench.host.resume(try #require(ModuleName("app"))))
    try await bench.route("/x/2")
    #expect(await bench.titles() == ["X 1", "X 2"])
  }

  @Test func `a screen says that its view is suspended with its module`() async throws {
    let bench = try await Self.suspended()
    let shown = try #require(await bench.host.shownScreen(in: bench.session))
    let name = try #require(ModuleName("app"))
    #expect(shown.failure == .suspended(name))
    await bench.host.resume(name)
    #expect(await bench.host.shownScreen(in: bench.session)?.isDrawn == true)
  }

  @Test func `what became a placeholder meanwhile is made again when the module is resumed`()
    async throws
  {
    let bench = try await Self.suspended()
    let state = try #require(await bench.host.state(of: bench.session))
    let other = try await bench.host.openSession(restoring: state)
    #expect(await bench.host.navigationTree(of: other)?.screens.map(\.isPlaceholder) == [true])
    await bench.host.resume(try #require(ModuleName("app")))
    #expect(await bench.host.navigationTree(of: other)?.screens.map(\.isPlaceholder) == [false])
  }

  @Test func `a route that stood in hands back when the module is resumed`() async throws {
    let bench = try await Self.suspended()
    try bench.folder.save(
      "lost.lua", "return { routes = { ['*'] = function() return { title = 'lost' } end } }")
    await bench.host.reload(ModuleName("lost"))
    #expect(await bench.titles() == ["lost"])
    await bench.host.resume(try #require(ModuleName("app")))
    #expect(await bench.titles() == ["X 1"])
  }
}
