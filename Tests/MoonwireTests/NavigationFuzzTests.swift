import MoonTestSupport
import Moonwire
import Testing

/// Random sequences of navigation.
///
/// The state always holds a valid tree, and the host continues.
struct NavigationFuzzTests {
  /// The time for a sequence of thousands of screens, on a busy machine, in a debug build.
  static let caseSecondsMax = 30.0
  /// The permitted growth of memory.
  ///
  /// A sequence's data is dropped with its session.
  static let growthMax = 48 << 20

  private static let module = """
    return {
      state = { n = 0 },
      reducers = { go = function(s) s.n = s.n + 1 end },
      routes = {
        ["/x/:n"] = function(r) return { title = r.params.n, props = { n = r.params.n } } end,
        ["/none"] = function() return false end,
        ["/bad"] = function() error("no") end,
      },
      views = { m = function(screen) return { screen.title } end },
      map_navigation = { ["nav/did_pop"] = function() return "/x/popped" end },
    }
    """

  private static let types = NavigationAction.types + ["nav/route", "nav/nothing"]
  private static let fields = [
    "id", "screen", "node", "root", "on", "count", "screens", "tabs", "tab", "at", "index", "url",
    "window", "animated", "origin", "params", "option",
  ]
  private static let scalars: [Value] = [
    "a", "b", "c", "main", "stack", "screen", "/x/1", "/x/2", "/none", "/bad", "/nowhere", "", "%",
    "first", "last", "user", "modal", "push", 0, 1, 2, -1, .int(.max), .int(.min), 1.5,
    .double(.infinity), true, false, .null, .string(Text(String(repeating: "i", count: 3000))),
  ]

  private static func node(_ random: inout SplitMix64, depth: Int) -> Value {
    var map: Map = ["id": random.once(in: 8) ? random.pick(scalars) : .string(id(&random))]
    switch random.below(depth > 0 ? 7 : 3) {
    case 0: return random.pick(scalars)
    case 1: return ["route": random.pick(scalars), "params": ["n": random.pick(scalars)]]
    case 2: map["props"] = random.pick(scalars)
    case 3, 4: map["stack"] = nodes(&random, depth: depth - 1)
    case 5:
      map["tabs"] = nodes(&random, depth: depth - 1)
      map["selected"] = random.pick(scalars)
    default: map["presented"] = node(&random, depth: depth - 1)
    }
    if random.once(in: 12) { map["nonsense"] = 1 }
    return .map(map)
  }

  private static func nodes(_ random: inout SplitMix64, depth: Int) -> Value {
    let count = random.once(in: 40) ? 1200 : random.below(4)
    return .list(List((0..<count).map { _ in node(&random, depth: min(depth, 1)) }))
  }

  private static func id(_ random: inout SplitMix64) -> Text { Text("n\(random.below(30))") }

  private static func line(_ random: inout SplitMix64) -> String {
    var payload = Map()
    for _ in 0..<random.below(4) {
      let field = random.pick(fields)
      payload[.string(Text(field))] =
        switch field {
        case "screen", "node", "root", "tab": node(&random, depth: 3)
        case "screens", "tabs": nodes(&random, depth: 2)
        case "id", "on",
          "window" where random.once(in: 2):
          .string(id(&random))
        default: random.pick(scalars)
        }
    }
    return Value.list(List([.string(random.pick(types)), .map(payload)])).canonicalText
  }

  @Test func `whatever is navigated, the tree is one, and the host goes on`() async throws {
    var options = HostOptions()
    // A route of the module fails whenever it is asked for.
    options.faultsMax = 0
    let bench = try await Bench(["m.lua": Self.module], options: options)
    var sizes: [Int] = []
    var count = 0
    let failure = try await Fuzzing("navigation", cases: 60, caseSecondsMax: Self.caseSecondsMax)
      .firstFailure(
        make: { random in
          let lines = (0..<1 + random.below(24)).map { _ in Self.line(&random) }
          return Array(lines.joined(separator: "\n").utf8)
        },
        check: { bytes in
          count += 1
          if count % 250 == 0 { sizes.append(TestProcess.residentBytes) }
          let session = await bench.host.openSession()
          let problem = try await Self.problem(of: bytes, on: bench.host, session)
          await bench.host.closeSession(session)
          return problem
        })
    #expect(failure == nil, "\(failure ?? "")")
    guard sizes.count >= 20 else { return }
    let middle = sizes[(sizes.count * 2 / 5)..<(sizes.count * 3 / 5)].max() ?? 0
    let late = sizes[(sizes.count * 4 / 5)...].min() ?? 0
    #expect(late - middle < Self.growthMax, "grows: \(sizes)")
  }

  /// Runs a sequence; returns what is then wrong with the session.
  private static func problem(
    of bytes: [UInt8], on host: Host, _ session: SessionID
  ) async throws -> String? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let action = try Value(parsing: Array(line)).listValue,
        let type = action[0].textValue
      else { return "the program isn't one" }
      let before = await host.state(of: session)
      do throws(DispatchError) {
        try await host.dispatch(Action(type, action[1]), to: session)
      } catch {
        // An action that is refused changes nothing.
        guard await host.state(of: session) == before else {
          return "refused, and yet done: \(line)"
        }
      }
      _ = await host.shownScreen(in: session)
    }
    guard let state = await host.state(of: session) else { return "there is no state" }
    let text = state.canonicalText
    guard try Value(parsing: text, limits: .state).canonicalText == text else {
      return "the state reads as something else"
    }
    if let slice = state["navigation"] {
      do { _ = try NavigationTree(slice) } catch { return "the slice is no tree: \(error)" }
    }
    let outcome = try await host.dispatch(Action("m/go"), to: session)
    return outcome.faults.isEmpty && outcome.changes.changes.count == 1 ? nil : "an action was lost"
  }
}
