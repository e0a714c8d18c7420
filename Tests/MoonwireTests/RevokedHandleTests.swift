import MoonTestSupport
import Moonwire
import Testing

/// What was opened with a grant that is taken back.
@Suite(.timeLimit(.minutes(2))) struct RevokedHandleTests {
  private static func options(_ closed: Gate) throws -> HostOptions {
    let handle = ServiceHandle<Int>(
      "line", "A line.",
      methods: [
        .asynchronous("send", "Sends.", .string("text")) { _, _, _ in .nothing }
      ],
      closing: { _ in closed.open() })
    var options = Bench.quiet
    options.services = [
      Service(
        "wires", "Opens lines.",
        functions: [
          .opening("open", "Opens a line.", handle, .string("host")) { call, host in
            try call.require(Scope(host: host, port: 80))
            return 1
          }
        ])
    ]
    options.grants.allowed = [Grants.Rule(try Scope(parsing: "net:example.com:80"))]
    return options
  }

  private static let module = """
    local moon = require "moonwire"
    return moon.module { needs = { "net:example.com:80" }, state = { said = {} },
      actions = { go = {}, more = {}, said = { what = "string" } },
      reducers = { said = function(s, p) s.said[#s.said + 1] = p.what end },
      effects = { go = function(_, self)
        local line = moon.wires.open("example.com")
        line:send("first")
        self.dispatch("said", { what = "first" })
        moon.take("m/more")
        local ok, err = pcall(line.send, line, "second")
        self.dispatch("said", { what = ok and "second" or err.code })
      end } }
    """

  @Test func `it is closed, and no more is sent`() async throws {
    let closed = Gate()
    let bench = try await Bench(["m.lua": Self.module], options: try Self.options(closed))
    try await bench.host.dispatch(Action("m/go"), to: bench.session)
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(try await bench.state("m.said") == ["first"])
    await bench.host.changeGrants { $0.allowed = [] }
    await closed.wait()
    try await bench.dispatch("m/more")
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(try await bench.state("m.said") == ["first", "not_granted"])
  }

  @Test func `what another grant allows stays open`() async throws {
    let closed = Gate()
    let bench = try await Bench(["m.lua": Self.module], options: try Self.options(closed))
    try await bench.host.dispatch(Action("m/go"), to: bench.session)
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    let other = Grants.Rule(try Scope(parsing: "net:example.org"))
    await bench.host.changeGrants { $0.denied = [other] }
    try await bench.dispatch("m/more")
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(try await bench.state("m.said") == ["first", "second"])
  }
}
