import Logging
import MoonLifecycle
import Moonwire
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

/// Hosts and sessions in a group of services.
@Suite(.timeLimit(.minutes(1))) struct SessionServiceTests {
  /// A feature whose effect takes a time.
  struct Oven: Feature {
    struct State: FeatureState { var baked = 0 }
    struct Bake: TypedAction { var seconds: Double }
    struct Done: TypedAction {}

    var body: some Registrations {
      Reducer { (state: inout State, _: Done) in state.baked += 1 }
      Effect { (action: Bake, context) in
        try await context.sleep(for: .seconds(action.seconds))
        try await context.dispatch(Done())
      }
    }
  }

  private static func host() async throws -> Host {
    try await Host(nil, features: [Oven()])
  }

  /// Follows the number of loaves until the session is closed, and returns the last one.
  private func baked(in session: HostSession) async throws -> Int? {
    var last: Int?
    for await count in try await session.values(\Oven.State.baked) { last = count }
    return last
  }

  private func run(
    _ services: [any ServiceLifecycle.Service], until stop: @Sendable () async throws -> Void
  ) async throws {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    try await testGracefulShutdown { trigger in
      try await withThrowingTaskGroup { group in
        group.addTask { try await ServiceGroup(services: services, logger: logger).run() }
        try await stop()
        trigger.triggerGracefulShutdown()
        try await group.waitForAll()
      }
    }
  }

  @Test func `a graceful shutdown waits for effects, and closes sessions before their host`()
    async throws
  {
    let host = try await Self.host()
    let sessions = try await [host.session(), host.session()]
    async let first = baked(in: sessions[0])
    async let second = baked(in: sessions[1])
    try await run([HostService(host)] + sessions.map { SessionService($0) }) {
      for session in sessions { try await session.dispatch(Oven.Bake(seconds: 0.2)) }
    }
    #expect(try await [first, second] == [1, 1])
    await #expect(throws: HostError.closed) { _ = try await host.session() }
  }

  @Test func `a graceful shutdown ends in time, though an effect doesn't`() async throws {
    let host = try await Self.host()
    let session = try await host.session()
    async let baked = baked(in: session)
    try await run([HostService(host), SessionService(session, effectsWithin: .milliseconds(50))]) {
      try await session.dispatch(Oven.Bake(seconds: 3_600))
    }
    #expect(try await baked == 0)
  }

  @Test func `a cancelled group cancels the effects that it waits for`() async throws {
    let host = try await Self.host()
    let session = try await host.session()
    async let baked = baked(in: session)
    let services: [any ServiceLifecycle.Service] = [
      HostService(host), SessionService(session, effectsWithin: .seconds(3_600)),
    ]
    var configuration = ServiceGroupConfiguration(
      services: services.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    configuration.maximumGracefulShutdownDuration = .milliseconds(100)
    let group = ServiceGroup(configuration: configuration)
    try await session.dispatch(Oven.Bake(seconds: 3_600))
    async let run: Void = group.run()
    await group.triggerGracefulShutdown()
    try? await run
    #expect(try await baked == 0)
  }

  @Test func `services of two hosts end together`() async throws {
    let hosts = try await [Self.host(), Self.host()]
    var services: [any ServiceLifecycle.Service] = []
    for host in hosts { services += [HostService(host), SessionService(try await host.session())] }
    try await run(services) {}
    for host in hosts { await #expect(throws: HostError.closed) { _ = try await host.session() } }
  }
}
