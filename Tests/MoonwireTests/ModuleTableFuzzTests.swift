import Foundation
import MoonTestSupport
import Moonwire
import Testing

/// Module tables at random, saved into a running app one after the other: whatever one is like, the
/// host goes on, and so does the module beside it.
struct ModuleTableFuzzTests {
  /// A large table is read and told in this time, on a busy machine, in a debug build.
  static let caseSecondsMax = 30.0
  /// How much the process may grow in the second half of a long run.
  static let growthMax = 48 << 20

  static let actions = ["m/go", "m/add", "m/told", "healthy/go"]
  static let urls = ["/m/1", "/m/list/x", "/h/1", "/g", "/nowhere", "app:/m/a/b"]

  private static var options: HostOptions {
    var options = Bench.quiet
    options.memoryQuota = 24 << 20
    options.stateQuota = 8 << 20
    options.followingBudget = .seconds(2)
    options.faultsMax = 0
    if let name = ModuleName("m") {
      var limits = ModuleLimits()
      limits.budgets[.load] = .seconds(1)
      for kind in CallKind.allCases where kind != .load {
        limits.budgets[kind] = .milliseconds(200)
      }
      options.limits[name] = limits
    }
    return options
  }

  private static func bench() async throws -> Bench {
    try await Bench(
      [
        "m.lua": "return {}",
        "healthy.lua": """
        return { state = { n = 0 }, reducers = { go = function(s) s.n = s.n + 1 end } }
        """,
      ], options: options)
  }

  @Test func `whatever a module's table is like, the host and its other modules go on`()
    async throws
  {
    var bench = try await Self.bench()
    var count = 0
    var sizes: [Int] = []
    let failure = try await Fuzzing(
      "module-tables", cases: 150, caseSecondsMax: Self.caseSecondsMax
    ).firstFailure(
      make: { random in
        var table = RandomModuleTable(random: random)
        return Array(table.text().utf8)
      },
      check: { bytes in
        count += 1
        if count % 250 == 0 {
          await bench.host.close()
          bench = try await Self.bench()
          sizes.append(Self.residentBytes())
        }
        try bench.folder.save("m.lua", String(decoding: bytes, as: UTF8.self))
        return try await Self.problem(in: bench)
      })
    #expect(failure == nil, "\(failure ?? "")")
    await bench.host.close()
    guard sizes.count >= 20 else { return }
    // The largest cases have come by the middle of the run.
    let middle = sizes[(sizes.count * 2 / 5)..<(sizes.count * 3 / 5)].max() ?? 0
    let late = sizes[(sizes.count * 4 / 5)...].min() ?? 0
    #expect(late - middle < Self.growthMax, "grows: \(sizes)")
  }

  /// Loads what was saved, uses it, and says what is wrong with the host then.
  private static func problem(in bench: Bench) async throws -> String? {
    await bench.host.reload(ModuleName("m"))
    for action in actions {
      _ = try? await bench.host.dispatch(Action(Text(action), ["by": 1]), to: bench.session)
    }
    for url in urls { _ = try? await bench.host.route(Text(url), in: bench.session) }
    _ = await bench.host.shownScreen(in: bench.session)
    guard let state = await bench.host.state(of: bench.session) else { return "there is no state" }
    let text = state.canonicalText
    guard let again = try? Value(parsing: text), again.canonicalText == text else {
      return "the state reads as something else: \(text.prefix(400))"
    }
    // Without the other, the healthy module works, and nothing waits in the queue.
    try bench.folder.save("m.lua", "return {}")
    await bench.host.reload(ModuleName("m"))
    let before = try await bench.state("healthy.n")
    let outcome = try await bench.host.dispatch(Action("healthy/go"), to: bench.session)
    guard outcome.faults.isEmpty, let count = before?.intValue else {
      return "the healthy module isn't: \(outcome.faults)"
    }
    return try await bench.state("healthy.n") == .int(count + 1) ? nil : "an action was lost"
  }

  private static func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 } ?? 0
  }
}
