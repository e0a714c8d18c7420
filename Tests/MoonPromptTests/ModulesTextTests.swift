import MoonTerminal
import Testing

@testable import MoonPrompt
@testable import Moonwire

/// The usage of modules in the output of `:modules`.
struct ModulesTextTests {
  private func info(
    _ name: String, usage: ModuleUsage? = nil, faults: Int = 0, recent: Int = 0
  ) throws -> ModuleInfo {
    ModuleInfo(
      name: try #require(ModuleName(name)), description: nil, file: "\(name).lua", generation: 1,
      version: 1, needs: [], status: .running, registrations: [], usage: usage, faults: faults,
      recentFaults: recent, problems: [])
  }

  @Test func `what modules use stands one below the other, without what is nothing`() throws {
    let modules = [
      try info(
        "counter",
        usage: ModuleUsage(
          memory: 1_258_291, memoryPeak: 3_565_158, time: .microseconds(12_400), calls: 3_400),
        faults: 2),
      try info("native", faults: 30, recent: 3),
      try info(
        "todo",
        usage: ModuleUsage(
          memory: 102_400, memoryPeak: 102_500, time: .microseconds(700), calls: 1)),
      try info("quiet"),
    ]
    func lines(_ clock: TextLayout.ClockTimes) -> [String] {
      ModulesCommand.Answer(modules: modules, strays: [])
        .lines(TextLayout(style: .plain, columns: 80, clock: clock))
        .flatMap { $0.split(separator: "\n").map(String.init) }
    }
    #expect(
      lines(.shown) == [
        "counter  running  generation 1  counter.lua",
        "                  1.2 MB (peak 3.4 MB)  12 ms in 3,400 calls  2 faults",
        "native   running  generation 1  native.lua",
        "                                                              30 faults (3 in the last 50 calls)",
        "todo     running  generation 1  todo.lua",
        "                  100 KB                0.7 ms in 1 call",
        "quiet    running  generation 1  quiet.lua",
      ])
    // A script prints the same output in each run.
    #expect(
      lines(.hidden).filter { $0.hasPrefix(" ") } == [
        "                  2 faults",
        "                  30 faults (3 in the last 50 calls)",
      ])
  }

  @Test(arguments: [
    (0, "0 B"), (1_023, "1023 B"), (1_024, "1 KB"), (1_048_575, "1023 KB"), (1 << 20, "1 MB"),
    (1_258_291, "1.2 MB"), (64 << 20, "64 MB"), (734_003_200, "700 MB"),
  ])
  func `sizes are short`(bytes: Int, expected: String) {
    #expect(Wording.size(bytes) == expected)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345_678, "12,345,678")])
  func `large counts are grouped`(count: Int, expected: String) {
    #expect(Wording.grouped(count) == expected)
  }
}
