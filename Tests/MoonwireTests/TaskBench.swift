import Testing

@testable import MoonSession
@testable import Moonwire

/// A bench whose tasks sleep on a clock that only the test advances.
struct TaskBench {
  let bench: Bench
  private let time: StillClock

  var host: Host { bench.host }
  var session: SessionID { bench.session }

  init(
    _ files: [String: String] = [:], options: HostOptions = Bench.quiet,
    adding modules: [@Sendable () throws -> Module] = []
  ) async throws {
    let time = StillClock()
    var options = options
    options.clock = Clock(timer: time.clock.timer) { 1000.25 }
    self.time = time
    bench = try await Bench(files, options: options, adding: modules)
  }

  /// Makes a bench with a module `m` that records its actions and has an effect `m/go`.
  init(effect: String, more: String = "", options: HostOptions = Bench.quiet) async throws {
    try await self.init(["m.lua": Self.module(effect: effect, more: more)], options: options)
  }

  static func module(effect: String, more: String = "") -> String {
    """
    local moon = require "moonwire"
    return moon.module {
      state = { n = 0, told = moon.list() },
      reducers = {
        tell = function(s, p) s.told[#s.told + 1] = p.text end,
        set = function(s, p) s.n = p.n end,
      },
      effects = { go = function(payload, self, action)
        local function tell(...) self.dispatch("tell", { text = table.concat({ ... }, " ") }) end
        \(effect)
      end, \(more) },
    }
    """
  }

  @discardableResult
  func go(_ payload: Value = nil) async throws -> Outcome { try await dispatch("m/go", payload) }

  @discardableResult
  func dispatch(_ type: String, _ payload: Value = nil) async throws -> Outcome {
    let outcome = try await bench.dispatch(type, payload)
    await settle()
    return outcome
  }

  /// Lets the host take the turns that it has postponed, as it does on a slow machine.
  ///
  /// Some tests have tasks that never come to rest, so this ends in any case.
  private func settle() async {
    for _ in 0..<20 where await host.hasReadyTasks(in: session) { await Task.yield() }
  }

  /// Advances the clock and resumes the tasks whose deadlines have passed.
  func pass(_ seconds: Double) async {
    time.set(time.now + .seconds(seconds))
    await host.wake()
    await settle()
  }

  /// Returns the recorded texts, in order.
  func told() async throws -> [String] {
    (try await bench.state("m.told")?.listValue ?? List()).map { $0.stringValue ?? "-" }
  }

  /// Returns the waits of the tasks, in the order in which the tasks began.
  func waits() async -> [String] {
    await host.taskInfos(of: session).map { $0.wait ?? "its turn" }
  }

  /// Returns the faults of tasks that no dispatch returned.
  func faults() async -> [Fault] {
    await host.waitForTasks(in: session, within: .zero).faults
  }
}

extension Host {
  /// Whether tasks of a session wait for their turns.
  fileprivate func hasReadyTasks(in id: SessionID) -> Bool {
    session(id).map { $0.taskState.areReady || $0.taskState.isBehind } ?? false
  }

  /// Whether nothing goes on in a session, nor will by itself.
  func isAtRest(in id: SessionID) -> Bool {
    !hasReadyTasks(in: id) && taskInfos(of: id).isEmpty
  }
}
