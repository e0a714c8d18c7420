import Moonwire

/// Effects that wait in every way, many at a time, while their module is reloaded.
///
/// Effects that no reload cancels run to their end, once. Of effects with the policy `latest`, only
/// the last does. No task is left.
struct EffectStorm: Chapter {
  static let name = "effect-storm"
  static let files = ["storm.lua": text(0)]
  /// The number of effects that are begun together.
  private static let count: Int64 = 40
  private var ended: Int64 = 0
  private var edits = 0

  private static func text(_ edit: Int) -> String {
    """
    -- edit \(edit)
    local moon = require "moonwire"
    return moon.module { state = { ended = 0, closed = 0, last = 0, woken = 0 },
      reducers = {
        ended = function(s) s.ended = s.ended + 1 end,
        closed = function(s) s.closed = s.closed + 1 end,
        last = function(s, p) s.last = p.n end,
        wake = function(s) s.woken = s.woken + 1 end,
      },
      effects = {
        go = function(payload, self)
          local held <close> = setmetatable({}, {
            __close = function() self.dispatch "closed" end,
          })
          moon.all { function() moon.sleep(0) end, function() moon.sleep(0.001) end }
          moon.race { function() moon.sleep(0) end, function() moon.sleep(60) end }
          pcall(moon.timeout, 0.001, function() moon.sleep(60) end)
          pcall(function() moon.spawn(function() error "lost" end):await() end)
          coroutine.wrap(function() moon.sleep(0.001) end)()
          self.dispatch "ended"
        end,
        latest = { policy = "latest", run = function(payload, self)
          moon.sleep(0.002)
          self.dispatch("last", payload)
        end },
        forever = function() while true do moon.take "storm/wake" end end,
      } }
    """
  }

  mutating func round(
    _ bench: ChapterBench, _ random: inout Randomness
  ) async throws -> String? {
    if let problem = await begin(bench) { return problem }
    // Ends all of them, wherever they are.
    edits += 1
    guard bench.save("storm.lua", Self.text(edits)) else { return "storm.lua can't be written" }
    await bench.host.reload()
    let before = await bench.integer("storm", "ended") ?? -1
    if let problem = await begin(bench) { return problem }
    for number in 1...Self.count {
      _ = await bench.dispatch("storm/latest", ["n": .int(number)])
    }
    let results = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    if let fault = results.faults.first { return "the module is blamed: \(fault)" }
    ended = before + Self.count
    if let problem = await bench.difference("storm", "ended", from: ended) { return problem }
    if let problem = await bench.difference("storm", "last", from: Self.count) { return problem }
    if let name = ModuleName("storm") { await bench.host.resume(name) }
    return nil
  }

  private func begin(_ bench: ChapterBench) async -> String? {
    for _ in 0..<Self.count {
      if case .failure(let error) = await bench.dispatch("storm/go") {
        let faults = await bench.host.waitForTasks(in: bench.session, within: .zero).faults
        return "storm/go is refused: \(error); faults: \(faults.map(\.description))"
      }
    }
    _ = await bench.dispatch("storm/forever")
    _ = await bench.dispatch("storm/wake")
    return nil
  }
}
