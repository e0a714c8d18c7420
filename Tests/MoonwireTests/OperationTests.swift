import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// Swift functions that tasks wait for: how a wait ends, and what becomes of late answers.
@Suite(.timeLimit(.minutes(2))) struct OperationTests {
  /// A service whose calls tell the test that they have begun, and end when the test lets them.
  private final class Hold: Sendable {
    let begun = Gate()
    let released = Gate()
    let cancelled = Gate()

    var service: Service {
      Service(
        "hold", "Holds.",
        functions: [
          .asynchronous("on", "Returns when it is let go.", .optional(.string("what"))) { _, what in
            await self.run()
            return .string(what)
          },
          .asynchronous("fail", "Fails when it is let go.") { _ in
            await self.run()
            throw ServiceFunctionTests.Mishap.dropped
          },
        ])
    }

    private func run() async {
      begun.open()
      await withTaskCancellationHandler {
        await released.wait()
      } onCancel: {
        cancelled.open()
      }
    }
  }

  private let hold = Hold()

  private func bench(_ effect: String) async throws -> TaskBench {
    var options = Bench.quiet
    options.services = [hold.service]
    return try await TaskBench(effect: effect, options: options)
  }

  private func lateAnswer(_ bench: TaskBench) async {
    while await bench.host.lateAnswerCount(of: bench.session) == 0 { await Task.yield() }
  }

  @Test func `the task continues with the result, and other work isn't held`() async throws {
    let bench = try await bench(#"tell(moon.hold.on "done")"#)
    try await bench.go()
    await hold.begun.wait()
    #expect(await bench.waits() == ["hold.on done"])
    try await bench.dispatch("m/set", ["n": 7])
    #expect(try await bench.bench.state("m.n") == 7)
    hold.released.open()
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(try await bench.told() == ["done"])
    #expect(await bench.host.lateAnswerCount(of: bench.session) == 0)
  }

  @Test func `an error is raised where the task waits`() async throws {
    let bench = try await bench(
      "local done, problem = pcall(moon.hold.fail) tell(tostring(done), problem.code)")
    try await bench.go()
    hold.released.open()
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(try await bench.told() == ["false dropped"])
  }

  /// Ways of ending the task that waits.
  enum End: String, CaseIterable {
    case person, script, reload, removal, close
  }

  @Test(arguments: End.allCases)
  func `with its task the function is cancelled, and its late answer is dropped`(end: End)
    async throws
  {
    let bench = try await bench(
      """
      local watch <close> = setmetatable({}, { __close = function() print("closed") end })
      local task = moon.spawn(function() tell(moon.hold.on "late") end)
      moon.take "m/stop"
      task:cancel()
      moon.sleep(99)
      """)
    try await bench.go()
    await hold.begun.wait()
    switch end {
    case .person:
      for info in await bench.host.taskInfos(of: bench.session) {
        await bench.host.cancelTask(info.id, in: bench.session)
      }
    case .script:
      // A name that `m` doesn't declare is an action all the same.
      _ = try? await bench.dispatch("m/stop")
    case .reload: _ = await bench.host.reload()
    case .removal:
      try bench.bench.folder.remove("m.lua")
      _ = await bench.host.reload()
    case .close: await bench.host.closeSession(bench.session)
    }
    await hold.cancelled.wait()
    hold.released.open()
    if end != .close { await lateAnswer(bench) }
    #expect((try? await bench.told()) ?? [] == [])
  }

  @Test func `a killed module's call is cancelled, and the module starts anew`() async throws {
    var options = Bench.quiet
    options.services = [hold.service]
    options.budgets[.effect] = .milliseconds(50)
    let bench = try await TaskBench(
      effect: """
        moon.spawn(function() moon.hold.on() end)
        moon.take "m/set"
        while true do end
        """, options: options)
    try await bench.go()
    await hold.begun.wait()
    _ = try? await bench.dispatch("m/set", ["n": 1])
    await hold.cancelled.wait()
    hold.released.open()
    await lateAnswer(bench)
    try await bench.dispatch("m/set", ["n": 2])
    #expect(try await bench.bench.state("m.n") == 2)
  }

  @Test func `a handle that is opened too late is closed`() async throws {
    let closed = Gate()
    let (begun, released) = (hold.begun, hold.released)
    let handle = ServiceHandle<Int>("thing", "A thing.", methods: []) { _ in closed.open() }
    let service = Service(
      "things", "Opens.",
      functions: [
        .opening("open", "Opens a thing.", handle) { _ in
          begun.open()
          await released.wait()
          return 1
        }
      ])
    var options = Bench.quiet
    options.services = [service]
    let bench = try await TaskBench(effect: "moon.things.open()", options: options)
    try await bench.go()
    await begun.wait()
    for info in await bench.host.taskInfos(of: bench.session) {
      await bench.host.cancelTask(info.id, in: bench.session)
    }
    released.open()
    await closed.wait()
  }
}
