import MoonTestSupport
import Moonwire
import Testing

/// Properties of timelines after random actions.
@Suite(.timeLimit(.minutes(5))) struct TimelinePropertyTests {
  private static let module = """
    return {
      state = { n = 0, list = {}, map = {} },
      actions = { add = { by = "integer" }, push = { value = "any" }, set = { key = "string",
        value = "any" }, pop = {}, twice = {} },
      reducers = {
        add = function(s, p) s.n = s.n + p.by end,
        push = function(s, p) s.list[#s.list + 1] = p.value end,
        set = function(s, p) s.map[p.key] = p.value end,
        pop = function(s) s.list[#s.list] = nil end,
        twice = function(s) s.n = s.n * 2 end,
      },
      routes = { ["/a"] = { screen = function() return { title = "A" } end },
        ["/b/:n"] = { screen = function(p) return { title = "B " .. p.n } end } },
    }
    """

  /// Returns random actions, which follow from nothing.
  private func storm(_ random: inout SplitMix64, count: Int) -> [Action] {
    (0..<count).map { _ in
      let number = Value.int(Int64(random.below(100)))
      switch random.below(7) {
      case 0: return Action("m/add", ["by": number])
      case 1: return Action("m/push", ["value": [number, "x"]])
      case 2:
        return Action("m/set", ["key": .string(Text("k\(random.below(20))")), "value": number])
      case 3: return Action("m/pop")
      case 4: return Action("m/twice")
      case 5: return .route(random.once(in: 2) ? "/a" : Text("/b/\(random.below(5))"))
      default: return Action("nav/back")
      }
    }
  }

  private func texts(_ bench: Bench) async -> String {
    await bench.host.state(of: bench.session)?.canonicalText ?? ""
  }

  /// Dispatches actions; those that are refused, such as going back from nothing, change nothing.
  private func run(_ actions: [Action], on bench: Bench) async -> [String] {
    var states = [await texts(bench)]
    for action in actions {
      guard (try? await bench.host.dispatch(action, to: bench.session)) != nil else { continue }
      states.append(await texts(bench))
    }
    #expect(states.count > actions.count / 2, "most actions are carried out")
    return states
  }

  @Test(arguments: UInt64(1)...8)
  func `any state is shown as it was, and the way back and forth changes none`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let bench = try await Bench(["m.lua": Self.module])
    let states = await run(storm(&random, count: 60), on: bench)
    #expect(await bench.host.timeline(of: bench.session)?.count == states.count - 1)
    for _ in 0..<40 {
      let position = random.below(states.count)
      try await bench.host.travel(to: .position(position), in: bench.session)
      #expect(await texts(bench) == states[position])
    }
    try await bench.host.travel(to: .present, in: bench.session)
    #expect(await texts(bench) == states.last)
  }

  @Test(arguments: UInt64(1)...8)
  func `without an action the state is that of a run without it, and with it as before`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let bench = try await Bench(["m.lua": Self.module])
    let states = await run(storm(&random, count: 40), on: bench)
    let steps = try #require(await bench.host.timeline(of: bench.session)?.steps)
    for _ in 0..<4 {
      let left = random.pick(steps)
      try await bench.host.carryOut(.toggle(left.id), in: bench.session)
      let other = try await Bench(["m.lua": Self.module])
      let run = await run(steps.filter { $0.id != left.id }.map(\.action.bare), on: other)
      #expect(await texts(bench) == run.last)
      try await bench.host.carryOut(.toggle(left.id), in: bench.session)
      #expect(await texts(bench) == states.last)
    }
  }

  @Test(arguments: UInt64(1)...4)
  func `carried out again with the same modules, all states are the same`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let bench = try await Bench(["m.lua": Self.module])
    let states = await run(storm(&random, count: 40), on: bench)
    try await bench.host.carryOut(.recompute, in: bench.session)
    let timeline = try #require(await bench.host.timeline(of: bench.session))
    #expect(timeline.steps.map(\.state.canonicalText) == Array(states.dropFirst()))
  }
}

extension Action {
  /// The action without the host's notes.
  fileprivate var bare: Action { Action(type, payload) }
}
