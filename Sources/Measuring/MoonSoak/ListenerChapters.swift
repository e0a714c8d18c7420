import Moonwire

/// A module that dispatches far more than the queue holds.
///
/// All of another module's few actions are carried out.
struct QueueFlood: Chapter {
  static let name = "queue-flood"
  static let files = [
    "flood.lua": """
    return { state = { n = 0, ticks = 0 },
      reducers = {
        go = function(s) s.n = s.n + 1 end, tick = function(s) s.ticks = s.ticks + 1 end,
      },
      observe = { ["calm.n"] = function(_, _, self)
        for i = 1, 30000 do pcall(self.dispatch, "tick") end
      end } }
    """,
    "calm.lua": """
    return { state = { n = 0, ticks = 0, late = 0 },
      reducers = {
        go = function(s) s.n = s.n + 1 end, tick = function(s) s.ticks = s.ticks + 1 end,
        late = function(s) s.late = s.late + 1 end,
      },
      observe = {
        ["calm.n"] = function(_, _, self) for i = 1, 5 do self.dispatch("tick") end end,
        ["calm.ticks"] = function(_, _, self) self.dispatch("late") end,
      } }
    """,
  ]
  private var count: Int64 = 0

  mutating func round(
    _ bench: ChapterBench, _ random: inout Randomness
  ) async throws -> String? {
    count += 1
    guard case .success(let outcome) = await bench.dispatch("calm/go") else {
      return "calm/go is refused"
    }
    if let fault = outcome.faults.first(where: { $0.module == "calm" }) {
      return "the calm module is blamed: \(fault)"
    }
    if let failure = outcome.failures.first(where: { $0.action.type.hasPrefix("calm/") }) {
      return "an action of the calm module failed: \(failure.error)"
    }
    if let name = ModuleName("flood") { await bench.host.resume(name) }
    if let problem = await bench.difference("calm", "ticks", from: 5 * count) { return problem }
    return await bench.difference("calm", "late", from: 5 * count)
  }
}

/// Reducers and observers that often fail on another module's actions.
///
/// Those actions are carried out, and another listener receives all of them.
struct FailingListeners: Chapter {
  static let name = "failing-listeners"
  static let files = [
    "shop.lua": """
    return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end } }
    """,
    "bad.lua": """
    return { state = { n = 0 },
      reducers = { ["shop/add"] = function(s, p)
        s.n = s.n + 1
        if p.bad then error("as asked") end
      end },
      observe = { ["shop.n"] = function(n) if n % 3 == 0 then error("as usual") end end },
      map_navigation = { ["shop/add"] = function(a) if a.payload.bad then error("too") end end } }
    """,
    "log.lua": """
    return { state = { n = 0 }, reducers = { ["shop/add"] = function(s) s.n = s.n + 1 end } }
    """,
  ]
  private var count: Int64 = 0
  private var goodCount: Int64 = 0

  mutating func round(
    _ bench: ChapterBench, _ random: inout Randomness
  ) async throws -> String? {
    guard let name = ModuleName("bad") else { return "bad is no name" }
    for _ in 0..<50 {
      let isBad = !random.once(in: 10)
      let isServing =
        await bench.host.moduleInfos().first { $0.name == name }?.status == .running
      guard case .success(let outcome) = await bench.dispatch("shop/add", ["bad": .bool(isBad)])
      else { return "a listener's failure fails the action" }
      count += 1
      if !isBad, isServing { goodCount += 1 }
      if let other = outcome.faults.first(where: { $0.module != "bad" }) {
        return "\(other.module) is blamed: \(other)"
      }
    }
    await bench.host.resume(name)
    if let problem = await bench.difference("shop", "n", from: count) { return problem }
    if let problem = await bench.difference("log", "n", from: count) { return problem }
    return await bench.difference("bad", "n", from: goodCount)
  }
}

/// Calls that never end, between calls that do.
struct SlowCalls: Chapter {
  static let name = "slow-calls"
  static let files = [
    "slow.lua": """
    return { state = { n = 0 }, reducers = {
      spin = function(s) s.n = -1 while true do end end,
      fill = function(s) local t = {} while true do t[#t + 1] = { s.n } end end,
      find = function(s) s.n = -1 return ("a"):rep(200000):find((".-"):rep(200) .. "b") end,
      add = function(s) s.n = s.n + 1 end } }
    """,
    "calm.lua": "return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end } }",
  ]
  private var count: Int64 = 0
  private var calmCount: Int64 = 0

  mutating func round(
    _ bench: ChapterBench, _ random: inout Randomness
  ) async throws -> String? {
    let type: Text = ["slow/spin", "slow/fill", "slow/find"][random.number(0..<3)]
    if case .success = await bench.dispatch(type) { return "\(type) ends well" }
    if let name = ModuleName("slow") { await bench.host.resume(name) }
    for _ in 0..<5 {
      guard case .success = await bench.dispatch("slow/add") else { return "slow/add is refused" }
      guard case .success = await bench.dispatch("calm/add") else { return "calm/add is refused" }
      count += 1
      calmCount += 1
    }
    if let problem = await bench.difference("slow", "n", from: count) { return problem }
    return await bench.difference("calm", "n", from: calmCount)
  }
}
