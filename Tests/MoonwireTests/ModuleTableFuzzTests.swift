import Foundation
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonScripts

/// Random module tables, saved into a running app one after another.
///
/// The host continues whatever they contain, and so does the module beside them.
struct ModuleTableFuzzTests {
  /// The time in which a large table must be read and reported, on a busy machine, in a debug
  /// build.
  static let caseSecondsMax = 30.0
  /// The permitted growth of memory in the second half of a long run.
  static let growthMax = 48 << 20

  static let actions = ["m/go", "m/add", "m/told", "m/load", "m/kept", "healthy/go"]
  static let commands = ["m/ask", "m/sum"]
  static let urls = ["/m/1", "/m/list/x", "/h/1", "/g", "/nowhere", "app:/m/a/b"]

  private static var options: HostOptions {
    var options = Bench.quiet
    options.memoryQuota = 24 << 20
    options.stateQuota = 8 << 20
    options.followingBudget = .seconds(2)
    options.faultsMax = 0
    // Nothing that an effect waits for holds a case up.
    options.tasks.lifeMax = .milliseconds(10)
    options.tasks.countMax = 200
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
    // The largest cases come in the first half of the run.
    let middle = sizes[(sizes.count * 2 / 5)..<(sizes.count * 3 / 5)].max() ?? 0
    let late = sizes[(sizes.count * 4 / 5)...].min() ?? 0
    #expect(late - middle < Self.growthMax, "grows: \(sizes)")
  }

  @Test func `every key of a module's table is among the random ones`() {
    #expect(Set(RandomModuleTable.shapes.map(\.key)) == Set(ModuleKeys.readers.map(\.key)))
  }

  /// Loads and uses what was saved; returns what is then wrong with the host.
  private static func problem(in bench: Bench) async throws -> String? {
    await bench.host.reload(ModuleName("m"))
    for action in actions {
      _ = try? await bench.host.dispatch(Action(Text(action), ["by": 1]), to: bench.session)
    }
    for url in urls { _ = try? await bench.host.route(Text(url), in: bench.session) }
    for command in commands {
      _ = try? await bench.host.call(Text(command), ["n": 1], in: bench.session)
    }
    _ = await bench.host.waitForTasks(in: bench.session, within: .milliseconds(10))
    _ = await bench.host.shownScreen(in: bench.session)
    guard let state = await bench.host.state(of: bench.session) else { return "there is no state" }
    let text = state.canonicalText
    guard let again = try? Value(parsing: text), again.canonicalText == text else {
      return "the state reads as something else: \(text.prefix(400))"
    }
    // Without the random module, the healthy one works and the queue is empty.
    try bench.folder.save("m.lua", "return {}")
    await bench.host.reload(ModuleName("m"))
    let tasks = await bench.host.taskInfos(of: bench.session)
    // Timers outlast a reload.
    let left = tasks.filter { task in
      !["its next run", "its run"].contains { task.wait?.hasPrefix($0) == true }
    }
    guard left.isEmpty else { return "tasks are left: \(left.map { $0.wait ?? "its turn" })" }
    for task in tasks { await bench.host.cancelTask(task.id, in: bench.session) }
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
