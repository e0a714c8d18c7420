import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Random durable flows beside a model of them, killed and reloaded at random questions.
@Suite(.timeLimit(.minutes(2))) struct DurableFlowTests {
  @Test(arguments: 1...20)
  func `any flow does each of its steps once and in order, however often it is killed`(
    seed: UInt64
  ) async throws {
    var flow = RandomFlow(seed: seed)
    let bench = try DurableBench(DurableEffectTests.module(flow.code))
    var killCount = 0
    var isOver = false
    while !isOver, killCount < 40 {
      bench.shop.answer(Int.random(in: 0...3, using: &flow.random))
      let isReloaded = Bool.random(using: &flow.random)
      isOver = try await bench.run(resumed: killCount > 0) { host, session in
        if killCount == 0 { try await host.dispatch(Action("orders/place"), to: session) }
        if isReloaded {
          // The code that began the task does all of it.
          let other = DurableEffectTests.module("note('other \(killCount)')")
          for (path, text) in other { try bench.folder.save(path, text) }
          await host.reload()
        }
        while !bench.shop.isHolding {
          let work = await host.waitForTasks(in: session, within: .milliseconds(5))
          if work.running.isEmpty { return true }
        }
        return false
      }
      killCount += 1
    }
    bench.shop.answer(.max)
    let steps = try await bench.steps()
    #expect(flow.whole.allows(steps), "\(flow.code)\n\(steps)")
    for name in flow.whole.names {
      #expect(Set(bench.shop.keys(of: name)).count == 1, "\(name)")
      #expect(bench.shop.keys(of: name).count <= killCount + 1)
    }
  }

  @Test(arguments: [
    (["a", "b", "c"], true), (["b", "a", "c"], true), (["a", "c", "b"], false),
    (["a", "b"], false), (["a", "b", "c", "c"], false), (["c", "a", "b"], false), ([], false),
  ])
  func `the model refuses what isn't done once and in order`(steps: [String], isAllowed: Bool) {
    let flow = FlowModel.sequence([.beside([.step("a"), .step("b")]), .step("c")])
    #expect(flow.allows(steps) == isAllowed)
  }
}

/// What a flow does: the names of its steps, and which of them come after each other.
private enum FlowModel {
  case step(String)
  case sequence([FlowModel])
  /// Parts that are done side by side.
  case beside([FlowModel])

  /// The names of all steps.
  var names: [String] {
    switch self {
    case .step(let name): [name]
    case .sequence(let parts), .beside(let parts): parts.flatMap(\.names)
    }
  }

  /// Returns whether the flow may do exactly these steps in this order.
  func allows(_ steps: [String]) -> Bool {
    steps.sorted() == names.sorted() && isInOrder(steps)
  }

  private func isInOrder(_ steps: [String]) -> Bool {
    switch self {
    case .step: true
    case .beside(let parts): parts.allSatisfy { $0.isInOrder(steps) }
    case .sequence(let parts):
      parts.allSatisfy { $0.isInOrder(steps) }
        && zip(parts, parts.dropFirst()).allSatisfy { first, second in
          let last = steps.lastIndex { first.names.contains($0) }
          let next = steps.firstIndex { second.names.contains($0) }
          return last.flatMap { last in next.map { last < $0 } } ?? true
        }
    }
  }
}

/// A random flow of waits, in Lua and as a model.
private struct RandomFlow {
  private var count = 0
  var random: SplitMix64
  private(set) var code = ""
  private(set) var whole = FlowModel.sequence([])

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let parts = (0..<4).map { _ in part(depth: 0) }
    code = parts.map(\.code).joined(separator: "\n")
    whole = .sequence(parts.map(\.model))
  }

  private typealias Part = (code: String, model: FlowModel)

  private mutating func part(depth: Int) -> Part {
    switch Int.random(in: 0..<(depth < 2 ? 8 : 4), using: &random) {
    case 0, 1: return step()
    case 2: return within("moon.sleep(0.001) ", step(), "")
    case 3: return within("if moon.random(2) > 0 then ", step(), " end")
    case 4:
      let parts = (0..<2).map { _ in part(depth: depth + 1) }
      let functions = parts.map { "function() \($0.code) end" }.joined(separator: ", ")
      return ("moon.all { \(functions) }", .beside(parts.map(\.model)))
    case 5:
      return within(
        "moon.race { function() ", part(depth: depth + 1),
        " end, function() moon.take('never') end }")
    case 6:
      let (first, second) = (part(depth: depth + 1), part(depth: depth + 1))
      return (
        "do local t = moon.spawn(function() \(first.code) end) \(second.code) t:await() end",
        .beside([first.model, second.model])
      )
    default:
      return within(
        "do local ok, e = pcall(ask, 'bad') if e.code == 'sold_out' then ",
        part(depth: depth + 1), " end end")
    }
  }

  private func within(_ head: String, _ part: Part, _ tail: String) -> Part {
    (head + part.code + tail, part.model)
  }

  private mutating func step() -> Part {
    count += 1
    return ("ask('s\(count)') note('s\(count)')", .step("s\(count)"))
  }
}
