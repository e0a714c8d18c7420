import Foundation
import Glibc
import MoonLua
import MoonTestSupport
import Testing

@testable import Moonwire

/// A complete run of an app in which one allocation of a module's machine fails.
struct HostAllocationFaultTests {
  /// A number above the allocations of the longest scenario.
  ///
  /// A later failure has no effect.
  static let numberMax: UInt64 = 4000
  /// The distance between the numbers tried, so that the test takes seconds.
  static let stride = 23
  /// The bytes that the allocator may keep, far fewer than a hundred machines hold.
  static let keptMax = 24 << 20

  static func faulty(_ version: Int) -> String {
    """
    local moon = require "moonwire"
    return moon.module {
      version = \(version),
      migrate = function(old, from)
        local log = {}
        for i, line in ipairs(old.log) do log[i] = line .. from end
        return { n = old.n, log = log, seen = old.seen }
      end,
      state = { n = 0, log = moon.list(), seen = 0 },
      actions = { add = { "Adds", by = "integer" } },
      reducers = {
        add = function(state, payload, action)
          state.n = state.n + payload.by
          table.insert(state.log, ("line "):rep(20) .. state.n)
          if #state.log > 5 then table.remove(state.log, 1) end
        end,
        ["healthy/go"] = function(state) state.seen = state.seen + 1 end,
        saw = function(state) end,
      },
      observe = {
        ["faulty.n"] = function(new, old, self) self.dispatch("saw", { new = new, old = old }) end,
        healthy = function(new) return tostring(new.n) end,
      },
      on_start = function(self) print(tostring(self.state("healthy"))) end,
      on_stop = function(self) self.dispatch("saw", {}) end,
    }
    """
  }

  static let healthy = """
    return {
      state = { n = 0 },
      reducers = { go = function(s) s.n = s.n + 1 end, alone = function(s) s.n = s.n + 1 end },
    }
    """

  /// The number of failures in the scenario.
  private struct Result: Equatable {
    var hasLoaded = false
    var refusals = 0
    var hasMigrated = false
  }

  /// Runs the scenario, and checks what must hold wherever memory ran out.
  private func play(_ fault: AllocationFault?) async throws -> Result {
    var options = Bench.quiet
    options.trial.allocationFault = { $0.text == "faulty" ? fault : nil }
    let bench = try await Bench(
      ["faulty.lua": Self.faulty(1), "healthy.lua": Self.healthy], options: options)
    var result = Result()
    result.hasLoaded = try await bench.info("faulty")?.status == .running
    var healthyCount: Int64 = 0
    for step in 0..<14 {
      switch step {
      case 5:
        try bench.folder.save("faulty.lua", Self.faulty(2))
        let before = try await bench.state("faulty")
        let events = await bench.host.reload(ModuleName("faulty"))
        let after = try await bench.state("faulty")
        result.hasMigrated = events.contains { if case .reloaded = $0 { true } else { false } }
        // The new generation and the slice that it made come together or not at all.
        if !result.hasMigrated, result.hasLoaded { #expect(after == before) }
        #expect(after?["n"] == before?["n"] || !result.hasLoaded)
      case 9:
        try bench.folder.save("faulty.lua", "return { half")
        let before = try await bench.state()
        await bench.host.reload()
        #expect(try await bench.state() == before)
      default: break
      }
      let before = try await bench.state()
      do throws(DispatchError) {
        let outcome = try await bench.host.dispatch(
          Action("faulty/add", ["by": 1]), to: bench.session)
        let old = before?["faulty"]?["n"]?.intValue ?? 0
        #expect(outcome.after["faulty"]?["n"] == .int(old + 1))
      } catch {
        result.refusals += 1
        #expect(try await bench.state() == before, "a refused action has changed something")
      }
      // The healthy module always succeeds; a listener that fails loses its own changes.
      try await bench.dispatch("healthy/alone")
      let seen = try await bench.state("faulty.seen")?.intValue
      let outcome = try await bench.dispatch("healthy/go")
      healthyCount += 2
      let now = try await bench.state("faulty.seen")?.intValue
      // All of its changes or none, and none only with a report.
      #expect(now == seen || now == seen.map { $0 + 1 })
      let isInService = try await bench.info("faulty")?.status == .running
      if isInService, now == seen, seen != nil { #expect(!outcome.faults.isEmpty) }
      #expect(try await bench.state("healthy.n") == .int(healthyCount))
    }
    await bench.host.close()
    return result
  }

  // In a process of its own, so that memory of concurrent tests doesn't count.
  @Test(arguments: [false, true])
  func `whichever allocation of a module fails, the host and the others go on`(
    isLasting: Bool
  ) async throws {
    await #expect(processExitsWith: .success) { [isLasting] in
      try await Self().playAll(isLasting: isLasting)
    }
  }

  private func playAll(isLasting: Bool) async throws {
    let whole = try await play(nil)
    #expect(whole == Result(hasLoaded: true, refusals: 0, hasMigrated: true))
    var random = SplitMix64(seed: isLasting ? 2 : 1)
    var notLoaded = 0
    var refused = 0
    var resident = 0
    for first in Swift.stride(from: 1, to: Int(Self.numberMax), by: Self.stride) {
      let number = UInt64(first + random.below(Self.stride))
      let result = try await play(AllocationFault(number: number, isLasting: isLasting))
      if !result.hasLoaded { notLoaded += 1 }
      if result.hasLoaded, result.refusals > 0 { refused += 1 }
      if first > Int(Self.numberMax) / 4, resident == 0 { resident = TestProcess.residentBytes }
    }
    if isLasting {
      #expect(notLoaded > 3)
      #expect(refused > 3)
    }
    let last = AllocationFault(number: Self.numberMax * 100, isLasting: isLasting)
    #expect(try await play(last) == whole)
    #expect(TestProcess.residentBytes < resident + Self.keptMax)
  }
}
