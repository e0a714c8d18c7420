import Dispatch
import Logging
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// A feature that can be used wrongly in many ways.
private struct Oven: Feature {
  struct State: FeatureState {
    var celsius = 20
    var program = Program.off
  }
  enum Program: String, Codable, CaseIterable, Sendable { case off, bake }
  struct Level: Codable, Sendable {
    var percent: Int
    init(from decoder: any Decoder) throws {
      percent = try decoder.singleValueContainer().decode(Int.self)
      if percent > 100 { throw TooMuch() }
    }
    struct TooMuch: Error, CustomStringConvertible { var description: String { "too much" } }
  }
  enum Turn: TypedAction {
    case on(Program), to(celsius: Int, level: Int?), off
    static let examples: [Turn] = [.on(.bake), .to(celsius: 1, level: nil)]
  }
  struct Fan: TypedAction { var level: Level }
  struct Nest: TypedAction {}

  /// Called in the reducer of `oven/nest`.
  var within: @Sendable () throws -> Void = {}

  var body: some Registrations {
    Reducer { (state: inout State, action: Turn) in
      if case .to(let celsius, _) = action { state.celsius = celsius }
      if case .on(let program) = action { state.program = program }
    }
    Reducer { (_: inout State, _: Fan) in }
    Reducer { (_: inout State, _: Nest) in try within() }
  }
}

/// What programs do wrong is an error of its own, which says what to do.
@Suite(.timeLimit(.minutes(1))) struct MisuseTests {
  private static func host(
    _ oven: Oven = Oven(), _ files: [String: String] = [:], services: [Service] = [],
    _ change: (inout HostOptions) -> Void = { _ in }
  ) async throws -> (ScriptFolder, Host) {
    let folder = try ScriptFolder(files)
    var options = HostOptions()
    options.logger.logLevel = .critical
    change(&options)
    return (
      folder,
      try await Host(
        folder.root, features: [oven], services: services, options: options, isWatching: false)
    )
  }

  /// Payloads that don't fit, and what the dispatcher is told.
  static let payloads: [(action: Action, error: String)] = [
    (
      Action("oven/on", ["value": "boil"]),
      "the payload doesn't fit oven/on: 'value' must be off|bake, not \"boil\""
    ),
    (
      Action("oven/to", ["celsius": 200, "level": "high"]),
      "the payload doesn't fit oven/to: 'level' must be integer, not a string"
    ),
    (
      Action("oven/to", ["celcius": 200]),
      "the payload doesn't fit oven/to: 'celsius' is missing (integer); there is no field "
        + "'celcius'; did you mean 'celsius'?"
    ),
    (
      Action("oven/fan", ["level": 101]),
      "reducer oven/fan of module oven refused it: the payload doesn't fit oven/fan: level can't "
        + "be used: too much"
    ),
    (Action("oven/off"), "no module knows the action oven/off; did you mean oven/on?"),
  ]

  @Test func `a payload that doesn't fit is no fault of the module`() async throws {
    let (_, host) = try await Self.host()
    let session = try await host.session()
    // More often than a module may fail.
    for (action, error) in (0..<3).flatMap({ _ in Self.payloads }) {
      let thrown = await #expect(throws: DispatchError.self) { try await session.dispatch(action) }
      #expect(thrown.map { "\($0)" } == error)
    }
    let thrown = await #expect(throws: DispatchError.self) {
      try await session.dispatch(Oven.Turn.off)
    }
    #expect(
      thrown.map { "\($0)" } == "the payload of oven/* can't be kept: Turn.examples has no case "
        + "'off': add one, since the host learns the actions there")
    try await session.dispatch(Oven.Turn.on(.bake))
    #expect(try await session.state(Oven.State.self).program == .bake)
    await host.close()
  }

  @Test func `what a closed session is asked for says that it is closed`() async throws {
    let (_, host) = try await Self.host()
    let session = try await host.session()
    await host.close()
    let closed = "the session is closed: open another one"
    let uses: [@Sendable () async throws -> Void] = [
      { try await session.dispatch(Oven.Nest()) },
      { try await session.dispatch([Action("oven/nest")]) },
      { try await session.dispatch(Oven.Nest(), awaitingEffects: true) },
      { try await session.route("/oven") },
      { try await session.tap("On") },
      { try await session.fill("celsius", with: "20") },
      { try await session.back() },
      { try await session.call("oven/heat") },
      { _ = try await session.state },
      { _ = try await session.state(Oven.State.self) },
      { _ = try await session.values(at: "oven") },
    ]
    for (index, use) in uses.enumerated() {
      let error = await #expect(throws: (any Error).self) { try await use() }
      #expect(error.map { "\($0)" } == closed, "\(index)")
    }
    #expect(await session.waitForEffects(within: .seconds(1)).faults.isEmpty)
  }

  @Test func `a reducer can't dispatch, whatever it has got hold of`() async throws {
    let held = Mutex<HostSession?>(nil)
    let (_, host) = try await Self.host(
      Oven(within: {
        guard let session = held.withLock({ $0 }) else { return }
        try session.host.assumeIsolated {
          _ = try $0.dispatch(Action("oven/on", ["value": "bake"]), to: session.id)
        }
      }))
    let (session, other) = (try await host.session(), try await host.session())
    for target in [session, other] {
      held.withLock { $0 = target }
      let error = await #expect(throws: DispatchError.self) {
        try await session.dispatch(Oven.Nest())
      }
      let reason = "a reducer only makes its state: it can't dispatch; let an effect or an observer"
      #expect(error.map { "\($0)" }?.contains(reason) == true)
      #expect(try await target.state(Oven.State.self).program == .off)
    }
    await host.close()
  }

  @Test func `code that doesn't return is named, in the log and to who listens`() async throws {
    let ends = DispatchSemaphore(value: 0)
    let log = LogLines()
    let service = Service(
      "gate", "Waits.",
      functions: [
        .immediate("pass", "Waits for a test.") { _ in
          ends.wait()
          return .nothing
        }
      ])
    let script = """
      local moon = require "moonwire"
      return { effects = { go = function() moon.gate.pass() end } }
      """
    let (_, host) = try await Self.host(
      Oven(within: { ends.wait() }), ["door.lua": script], services: [service]
    ) { options in
      options.logger = log.logger
      options.trial.longCallTime = .milliseconds(20)
    }
    let session = try await host.session()
    for (action, code) in [
      (Action("oven/nest"), "reducer oven/nest of module oven has run for "),
      (Action("door/go"), "gate.pass, called by effect door/go of module door, has run for "),
    ] {
      let events = host.events()
      async let outcome = session.dispatch(action, awaitingEffects: true)
      for await event in events {
        guard case .longCall(let call) = event else { continue }
        #expect("\(call)".hasPrefix(code), "\(call)")
        #expect("\(call)".hasSuffix("and do what takes time in an effect"))
        break
      }
      ends.signal()
      _ = try await outcome
      #expect(log.lines.contains { $0.contains(code) })
    }
    await host.close()
  }

  @Test func `a service that throws or blocks costs its caller only`() async throws {
    struct Broken: Error, CustomStringConvertible { var description: String { "it is broken" } }
    let ends = DispatchSemaphore(value: 0)
    let service = Service(
      "probe", "Measures.",
      functions: [
        .asynchronous("fail", "Fails.") { _ in throw Broken() },
        .asynchronous("block", "Blocks for a long time.") { _ in
          ends.wait()
          return .nothing
        },
      ])
    let script = """
      local moon = require "moonwire"
      return {
        state = { text = "" },
        reducers = { told = function(s, p) s.text = p.text end },
        effects = {
          fail = function(_, self)
            local _, problem = pcall(moon.probe.fail)
            self.dispatch("told", { text = tostring(problem) })
          end,
          block = function() moon.probe.block() end,
        },
      }
      """
    let (_, host) = try await Self.host(Oven(), ["user.lua": script], services: [service])
    let session = try await host.session()
    try await session.dispatch(Action("user/fail"), awaitingEffects: true)
    #expect(
      try await session.value(at: "user.text", as: String.self).contains("it is broken"))
    let blocked = Task {
      _ = try await session.dispatch(Action("user/block"), awaitingEffects: true)
    }
    while await host.taskInfos(of: session.id).isEmpty { await Task.yield() }
    // Neither other work nor the end waits for it.
    try await session.dispatch(Oven.Turn.on(.bake))
    await host.close()
    await #expect(throws: DispatchError.self) { try await blocked.value }
    ends.signal()
  }
}
