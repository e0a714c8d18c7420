import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// What a host tells the telemetry of a program.
@Suite(.timeLimit(.minutes(2))) struct TelemetryTests {
  /// A module whose actions and routes end in every way.
  private static let module = """
    local moon = require "moonwire"
    return moon.module {
      state = { n = 0 },
      actions = { add = { by = "integer?" }, go = {}, ask = {}, fail = {}, deny = {}, later = {} },
      reducers = {
        add = function(s, p) s.n = s.n + (p.by or 1) end,
        fail = function() error("secret-7 went wrong") end,
        deny = function() moon.refuse("secret-7 is refused") end,
      },
      observe = { ["m.n"] = function(n, _, self) if n == 10 then self.dispatch("add") end end },
      effects = {
        go = function(_, self) self.dispatch("add", { by = 2 }) end,
        ask = function(_, self)
          moon.dice.sum { "1", "2" }
          moon.dice.roll()
          moon.dice.shake(1)
          self.dispatch("add")
          pcall(moon.dice.shake, 0)
          moon.spawn(function() moon.sleep(1) end):await()
        end,
        later = function() moon.sleep(60) end,
        broken = function() moon.sleep(1) error("secret-7") end,
      },
      commands = { total = function(_, self) return self.state("m.n") end },
      routes = {
        ["/m/:id"] = function(route)
          if route.params.id == "none" then return nil end
          if route.params.id == "broken" then error("secret-7") end
          return { title = "secret-7" }
        end,
        ["/*"] = function() return { title = "other" } end,
      },
      routing_observers = { { will = function(route)
        if route.url:find("veto") then return false end
      end } },
    }
    """

  private static func bench(
    _ log: SpanLog, _ files: [String: String] = ["m.lua": module],
    adding modules: [@Sendable () throws -> Module] = []
  ) async throws -> TaskBench {
    var options = Bench.quiet
    options.telemetry = log
    options.services = [ServiceFunctionTests.dice]
    return try await TaskBench(files, options: options, adding: modules)
  }

  private func settled(_ bench: TaskBench) async {
    while await !bench.host.isAtRest(in: bench.session) { await Task.yield() }
  }

  @Test func `an action has a span, in which what follows from it has its own`() async throws {
    let log = SpanLog()
    let bench = try await Self.bench(log)
    try await bench.dispatch("m/go")
    try await bench.dispatch("m/add", ["by": 8])
    #expect(
      log.tree == [
        "action m/go done", "  effect m/go done", "    action m/add done",
        "action m/add done", "  action m/add done",
      ])
    let first = try #require(log.spans.first { $0.operation?.name == "action m/go" })
    #expect(first.operation == .action("m/go", id: 1, in: bench.session))
    #expect(first.operation?.module == "m")
  }

  @Test(arguments: [
    ("m/fail", #"failed("reducer m/fail of module m failed")"#),
    ("m/deny", #"refused("reducer m/deny of module m")"#),
    ("m/nothing", #"refused("unknown type")"#),
  ])
  func `an action that isn't carried out has a reason, without messages`(
    type: String, result: String
  ) async throws {
    let log = SpanLog()
    let bench = try await Self.bench(log)
    _ = await bench.bench.failure(of: type)
    #expect(log.tree == ["action \(type) \(result)"])
    let modules = log.metrics.compactMap { metric in
      if case .action(let name, _) = metric { name ?? "-" } else { nil }
    }
    #expect(modules == [type == "m/nothing" ? "-" : "m"])
  }

  @Test func `services that do something have spans in that of the effect`() async throws {
    let log = SpanLog()
    let bench = try await Self.bench(log)
    try await bench.dispatch("m/ask")
    while await !bench.waits().contains("1.0 s") { await Task.yield() }
    await bench.pass(1)
    await settled(bench)
    #expect(
      log.tree == [
        "action m/ask done", "  effect m/ask done", "    call dice.roll done",
        "    call dice.shake done", #"    call dice.shake failed("dropped")"#,
        "    action m/add done", "    effect m/ask done",
      ])
  }

  @Test func `a cancelled effect, a failed one and one that a reload ends have ended`()
    async throws
  {
    let log = SpanLog()
    let bench = try await Self.bench(log)
    try await bench.dispatch("m/later")
    let task = try #require(await bench.host.taskInfos(of: bench.session).first)
    await bench.host.cancelTask(task.id, in: bench.session)
    await settled(bench)
    try await bench.dispatch("m/later")
    await bench.host.reload(ModuleName("m"))
    try await bench.dispatch("m/broken")
    await bench.pass(1)
    try await bench.dispatch("m/later")
    await bench.host.closeSession(bench.session)
    #expect(
      log.tree.filter { $0.contains("effect") } == [
        "  effect m/later cancelled", "  effect m/later cancelled",
        #"  effect m/broken failed("effect m/broken of module m (generation 2) failed")"#,
        "  effect m/later cancelled",
      ])
  }

  @Test func `what the caller awaits is a part of the caller's span`() async throws {
    let log = SpanLog()
    let bench = try await Self.bench(log)
    let (host, id) = (bench.host, bench.session)
    let session = HostSession(id, on: host)
    try await log.within {
      try await session.dispatch(Action("m/go"))
      try await session.dispatch(Action("m/go"), awaitingEffects: true)
      try await session.dispatch([Action("m/add"), Action("m/add")])
      #expect(try await session.call("m/total", as: Int.self) == 6)
    }
    try await session.dispatch(Action("m/add"))
    let go = ["  action m/go done", "    effect m/go done", "      action m/add done"]
    #expect(
      log.tree
        == ["caller open"] + go + go
        + ["  action m/add done", "  command total done", "action m/add done"])
  }

  @Test func `what others have left in the queue is no part of the caller's span`() async throws {
    let log = SpanLog()
    let bench = try await Self.bench(log)
    try await bench.dispatch("m/broken")
    try await log.within {
      await bench.pass(1)
      try await bench.dispatch("m/add")
    }
    #expect(log.tree.filter { !$0.contains("broken") } == ["caller open", "  action m/add done"])
  }

  @Test func `functions of features and services run in their spans`() async throws {
    let log = SpanLog()
    let notes = Notes()
    let bench = try await Self.bench(
      log, [:],
      adding: [
        {
          try Module("s") { module in
            module.effects = [
              Effect(.exact("s/go")) { _, context in
                notes.add(SpanLog.current?.operation?.name ?? "-")
                try await context.sleep(for: .zero)
                try await context.dispatch(Action("s/done"))
              }
            ]
            module.actions = [ActionDeclaration("done")]
          }
        }
      ])
    try await bench.dispatch("s/go")
    while log.tree.count < 3 { await bench.pass(0) }
    await settled(bench)
    #expect(notes.all == ["effect s/go"])
    #expect(log.tree == ["action s/go done", "  effect s/go done", "    action s/done done"])
  }

  @Test func `a route has a span for each attempt`() async throws {
    let log = SpanLog()
    let bench = try await Self.bench(log)
    let session = HostSession(bench.session, on: bench.host)
    try await session.route("/m/1?token=secret-7")
    try await session.route("/m/none")
    for url: Text in ["/m/broken", "/m/veto"] { _ = try? await session.route(url) }
    let asked = "    routing observer all routes done"
    #expect(
      log.tree == [
        "action nav/route done", "  route /m/:id done", asked,
        "action nav/route done", #"  route /m/:id refused("declined")"#, asked,
        "  route /* done", asked,
        #"action nav/route failed("route /m/:id of module m failed")"#,
        #"  route /m/:id failed("route /m/:id of module m failed")"#, asked,
        #"action nav/route refused("a routing observer of module m")"#,
        #"  route /m/:id refused("a routing observer of module m")"#, asked,
      ])
  }

  @Test func `each loading has a span, also one that fails`() async throws {
    let log = SpanLog()
    let bench = try await Self.bench(log, adding: [{ try Module("s") { _ in } }])
    try bench.bench.folder.save("m.lua", "return {")
    await bench.host.reload()
    try bench.bench.folder.save("m.lua", "return { version = 2 }")
    await bench.host.reload()
    try await bench.host.replace(try Module("s") { _ in })
    await #expect(throws: HostError.self) { try await bench.host.add(try Module("s") { _ in }) }
    let loads = log.spans.compactMap { span -> String? in
      guard case .load(let name, let generation)? = span.operation else { return nil }
      return "\(name) \(generation) " + span.ends.map { "\($0)" }.joined(separator: ", ")
    }
    #expect(
      loads == [
        "s 1 done", "m 1 done", #"m 2 failed("not put in service")"#, "m 2 done", "s 2 done",
      ])
  }

  @Test func `nothing that may be private is told`() async throws {
    let log = SpanLog()
    let bench = try await Self.bench(log)
    let session = HostSession(bench.session, on: bench.host)
    for type in ["add", "fail", "deny", "broken"] {
      _ = try? await session.dispatch(Action(Text("m/\(type)"), ["by": "secret-7"]))
      _ = try? await session.dispatch(Action(Text("m/\(type)")))
    }
    _ = try? await session.route("/m/broken?token=secret-7")
    await bench.pass(1)
    let told = log.spans.map { "\($0.operation.map { "\($0)" } ?? "") \($0.ends)" }
    #expect(told.count > 8)
    #expect(told.filter { $0.contains("secret-7") } == [])
    #expect(log.metrics.filter { "\($0)".contains("secret-7") } == [])
  }

  @Test func `a span that nobody wants is left out, and its parent has what is in it`()
    async throws
  {
    let log = SpanLog { if case .task = $0 { false } else { true } }
    let bench = try await Self.bench(log)
    try await bench.dispatch("m/go")
    #expect(log.tree == ["action m/go done", "  action m/add done"])
  }

  @Test func `replays and travel in time aren't measured`() async throws {
    let log = SpanLog()
    let bench = try await Self.bench(log)
    let session = HostSession(bench.session, on: bench.host)
    try await session.dispatch(Action("m/add"))
    try await session.dispatch(Action("m/go"))
    let (spans, metrics) = (log.spans.count, log.metrics.count)
    try await session.travel(to: .back(1))
    try await session.travel(to: .present)
    try await session.carryOut(.toggle(1))
    #expect((log.spans.count, log.metrics.count) == (spans, metrics))
  }

  @Test func `figures tell of actions, faults, tasks, queues and memory`() async throws {
    let log = SpanLog { _ in false }
    let bench = try await Self.bench(log)
    log.clear()
    try await bench.dispatch("m/add", ["by": 10])
    _ = await bench.bench.failure(of: "m/fail")
    try await bench.dispatch("m/later")
    await bench.pass(60)
    let m = try #require(ModuleName("m"))
    let memory = log.metrics.filter { if case .memory = $0 { true } else { false } }
    #expect(memory.count == 1)
    #expect(
      log.metrics.filter { !memory.contains($0) } == [
        .action("m", .done), .queue(0), .action("m", .done), .fault(m),
        .action("m", .failed("reducer m/fail of module m failed")),
        .tasks(m, by: 1), .action("m", .done), .tasks(m, by: -1),
      ])
  }
}
