import Glibc
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// What the host holds for a module beside its machine: arguments, answers, actions and streams.
///
/// Invariant 20: a module holds no more than its memory quota anywhere in the host.
@Suite(.timeLimit(.minutes(2))) struct HeldMemoryOfTasksTests {
  /// Answers, streams, and the number of bytes that are held.
  private static func blobs() -> Service {
    let made = Mutex(0)
    return Service(
      "blobs", "Makes bytes.",
      functions: [
        .asynchronous("get", "Returns bytes.", .integer("count"), returns: "string") { _, count in
          made.withLock { $0 += 1 }
          return .bytes([UInt8](repeating: 120, count: count))
        },
        .stream("parts", "Sends bytes.", .integer("count"), .integer("bytes"), of: "string") {
          _, count, bytes in
          AsyncStream { stream in
            let part = [UInt8](repeating: 1, count: bytes)
            for _ in 0..<count { stream.yield(ServiceResult.bytes(part)) }
            stream.finish()
          }
        },
        .immediate("held", "The number of bytes.", returns: "integer") { call in
          .integer(call.memory.bytes)
        },
        // Holds up the thread of the host, so that no answer is taken.
        .immediate("made", "Waits for answers.", .integer("count")) { _, count in
          while made.withLock({ $0 }) < count { sched_yield() }
          return .nothing
        },
      ])
  }

  private static let head = """
    local moon = require "moonwire"
    return moon.module {
      state = { ok = 0, full = 0, other = "", held = -1, log = {} },
      reducers = {
        ok = function(s) s.ok = s.ok + 1 end,
        full = function(s) s.full = s.full + 1 end,
        other = function(s, p) s.other = p.text end,
        held = function(s, p) s.held = p.n end,
      },
    """

  private func bench(_ effects: String, memory: Int = 64 << 20) async throws -> Bench {
    var options = Bench.quiet
    options.services = [Self.blobs()]
    options.memoryQuota = memory
    options.faultsMax = 0
    return try await Bench(["m.lua": Self.head + " effects = {\(effects)} }"], options: options)
  }

  private func cancelTasks(of bench: Bench) async {
    for info in await bench.host.taskInfos(of: bench.session) {
      await bench.host.cancelTask(info.id, in: bench.session)
    }
  }

  /// Waits until nothing is held for the module.
  private func expectNothingHeld(_ bench: Bench) async throws {
    repeat {
      try await bench.dispatch("m/look")
      await Task.yield()
    } while try await bench.state("m.held") != 0
  }

  private static let look = """
    look = function(_, self)
      self.dispatch("held", { n = require("moonwire").blobs.held() })
    end,
    """

  @Test func `a thousand large answers that nobody takes are few`() async throws {
    let bench = try await bench(
      """
      \(Self.look)
      go = function(_, self)
        for i = 1, 1000 do
          moon.spawn(function()
            local done, problem = pcall(moon.blobs.get, 15000000)
            if done then self.dispatch "ok"
            elseif problem.code == "memory_full" then self.dispatch "full"
            else self.dispatch("other", { text = tostring(problem) }) end
          end)
        end
        moon.sleep(0)
        moon.blobs.made(1000)
      end,
      """)
    try await bench.dispatch("m/go")
    #expect(await bench.host.waitForTasks(in: bench.session, within: .seconds(100)).faults == [])
    #expect(try await bench.state("m.other") == "")
    let taken = try #require(try await bench.state("m.ok")?.intValue)
    // Four fit, and the last ones come when the first are taken.
    #expect((4...20).contains(taken))
    #expect(try await bench.state("m.full")?.intValue == 1_000 - taken)
    try await expectNothingHeld(bench)
  }

  @Test(arguments: [
    // Tasks that keep their actions.
    "self.dispatch('keep', { text = text .. i })",
    // Actions that wait with their tasks for effects.
    "moon.spawn(function() self.dispatch_and_wait('keep', { text = text .. i }) end)",
  ])
  func `actions that tasks wait with hold no more than the module may`(work: String) async throws {
    let bench = try await bench(
      """
      \(Self.look)
      keep = function() moon.sleep(1000) end,
      go = function(_, self)
        local text = ("x"):rep(200000)
        for i = 1, 100 do
          local done, problem = pcall(function() \(work) end)
          if not done then break end
          moon.sleep(0)
          self.dispatch("held", { n = moon.blobs.held() })
        end
      end,
      """, memory: 8 << 20)
    try await bench.dispatch("m/go")
    while await bench.isGoing() { await Task.yield() }
    let held = try #require(try await bench.state("m.held")?.intValue)
    #expect((4 << 20...8 << 20).contains(held))
    await cancelTasks(of: bench)
    try await expectNothingHeld(bench)
  }

  @Test(arguments: 1...6)
  func `after any tasks nothing is held`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let works = [
      "moon.blobs.get(\(5_000 + random.below(900_000)))",
      "for part in moon.blobs.parts(9, \(5_000 + random.below(90_000))) do n = n + 1 end",
      "for part in moon.blobs.parts(9, 300000) do break end",
      "moon.timeout(0.001, function() moon.blobs.parts(99, 300000) moon.sleep(9) end)",
      "self.dispatch('some', { text = ('x'):rep(\(random.below(900_000))) })",
      "self.dispatch_and_wait('some', { text = ('x'):rep(\(random.below(900_000))) })",
      "moon.timeout(0.001, function() moon.take 'm/some' end)",
      "moon.race { function() moon.blobs.get(500000) end, function() moon.sleep(0) end }",
      "error('as asked')",
    ]
    let tasks = (0..<60).map { _ in
      "moon.spawn(function() pcall(function() \(random.pick(works)) end) end)"
    }
    let bench = try await bench(
      """
      \(Self.look)
      some = function(payload) payload = nil moon.sleep(0.001) end,
      go = function(_, self)
        local n = 0
        \(tasks.joined(separator: "\n    "))
      end,
      """, memory: 4 << 20)
    for _ in 0..<3 { try await bench.dispatch("m/go") }
    if random.once(in: 2) { await cancelTasks(of: bench) }
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    try await expectNothingHeld(bench)
  }
}

extension Bench {
  /// Whether the task of `m/go` runs.
  fileprivate func isGoing() async -> Bool {
    await host.taskInfos(of: session).contains { $0.action.type == "m/go" }
  }
}
