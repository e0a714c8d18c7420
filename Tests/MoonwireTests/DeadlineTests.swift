import MoonTestSupport
import Moonwire
import Testing

/// The deadlines of many tasks, and those of tasks whose session is closed.
@Suite(.timeLimit(.minutes(2))) struct DeadlineTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `tasks resume in the order of their deadlines, then in that of their waits`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let bench = try await TaskBench(effect: "moon.sleep(payload.time) tell(payload.name)")
    var begun: [(time: Int, name: String)] = []
    for number in 0..<150 {
      let time = Int.random(in: 1...40, using: &random)
      begun.append((time, "\(number)"))
      try await bench.go(["time": .int(Int64(time)), "name": .string(Text("\(number)"))])
    }
    // In several turns, so that some deadlines are removed while others are left.
    for seconds in [7, 1, 13, 19] { await bench.pass(Double(seconds)) }
    let sorted = begun.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    #expect(try await bench.told() == sorted.map(\.element.name))
  }

  @Test func `deadlines of a closed session pass without effect`() async throws {
    let bench = try await TaskBench(effect: "moon.sleep(1) tell('woken')")
    let other = await bench.host.openSession()
    try await bench.go()
    try await bench.host.dispatch(Action("m/go"), to: other)
    await bench.host.closeSession(other)
    await bench.pass(1)
    #expect(try await bench.told() == ["woken"])
    #expect(await bench.host.taskInfos(of: other).isEmpty)
  }

  @Test func `tasks of several modules are counted for each`() async throws {
    var options = Bench.quiet
    options.tasks.countMax = 2
    let names = ["a", "b", "c"]
    let module = """
      return { effects = { go = function() require("moonwire").sleep(1) end } }
      """
    let bench = try await TaskBench(
      Dictionary(uniqueKeysWithValues: names.map { ("\($0).lua", module) }), options: options)
    for _ in 0..<3 {
      for round in 0..<3 {
        for name in names {
          let outcome = try await bench.dispatch("\(name)/go")
          #expect(outcome.faults.isEmpty == (round < 2), "\(name) \(round)")
        }
      }
      #expect(await bench.waits().count == 6)
      await bench.pass(1)
      #expect(await bench.waits().isEmpty)
    }
  }
}
