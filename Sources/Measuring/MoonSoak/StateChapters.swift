import Glibc
import Moonwire

/// A slice that grows by storing a part of itself again and again.
///
/// It stays within its quota, which counts its written form.
struct SharedDrafts: Chapter {
  static let name = "shared-drafts"
  static let files = [
    "m.lua": """
    return { state = { items = {} }, reducers = {
      share = function(s, p)
        s.one = s.one or { text = ("s"):rep(p.bytes), list = { 1, 2, 3 } }
        for i = 1, p.count do s.items[#s.items + 1] = s.one end
      end,
      double = function(s) s.items = { s.items, s.items } end,
      change = function(s) if s.one then s.one.text = s.one.text .. "x" end end,
      clear = function(s) s.items = {} s.one = nil end } }
    """
  ]
  private var refusalCount = 0

  mutating func round(
    _ bench: ChapterBench, _ random: inout Randomness
  ) async throws -> String? {
    for _ in 0..<30 {
      let before = await bench.host.state(of: bench.session)
      let type: Text = ["m/share", "m/share", "m/double", "m/change"][random.number(0..<4)]
      let payload: Value = [
        "bytes": .int(Int64(random.number(1..<20_000))),
        "count": .int(Int64(random.number(1..<400))),
      ]
      let result = await bench.dispatch(type, payload)
      guard let state = await bench.host.state(of: bench.session), let slice = state["m"] else {
        return "the state is gone"
      }
      guard slice.storageCost <= 1 << 20, slice.depth <= Value.depthMax else {
        return "\(type) left \(slice.storageCost) bytes, \(slice.depth) deep"
      }
      if case .failure = result {
        refusalCount += 1
        guard state == before else { return "\(type) was refused, and yet done" }
        guard case .success = await bench.dispatch("m/clear") else { return "m/clear is refused" }
        if let name = ModuleName("m") { await bench.host.resume(name) }
      }
    }
    guard let state = await bench.host.state(of: bench.session) else { return "no state" }
    let text = state.canonicalText
    guard text.utf8.count == state.canonicalByteCount else { return "the kept size is wrong" }
    guard (try? Value(parsing: text, limits: .state)) == state else { return "it isn't read again" }
    return refusalCount > 0 ? nil : "nothing was refused"
  }
}

/// Runs of the program with a state file, which end normally, by a signal or by being killed.
///
/// Each starts with the file that an earlier one left.
struct StateFiles: Chapter {
  static let name = "state-files"
  static let files = [
    "m.lua": """
    return { state = { n = 0, text = ("x"):rep(100000) },
      reducers = { add = function(s) s.n = s.n + 1 end } }
    """
  ]
  private var count: Int64 = 0

  /// The path of the program, beside this one.
  private static var program: String {
    let own = CommandLine.arguments[0]
    return own.contains("/")
      ? "\(own[..<(own.lastIndex(of: "/") ?? own.endIndex)])/moonwire" : "moonwire"
  }

  mutating func round(
    _ bench: ChapterBench, _ random: inout Randomness
  ) async throws -> String? {
    let file = "\(bench.root)/state.json"
    let lines = 1 + random.number(0..<20)
    guard
      let child = Child([
        Self.program, "run", bench.root, "--no-watch", "--restore-if-there", file, "--state", file,
      ])
    else { return "\(Self.program) can't be started" }
    child.write(String(repeating: "m/add\n", count: lines))
    switch random.number(0..<3) {
    case 0: break
    case 1: child.signal(SIGTERM, afterMicroseconds: random.number(0..<200_000))
    default: child.signal(SIGKILL, afterMicroseconds: random.number(0..<200_000))
    }
    let status = child.wait()
    let found = Self.count(in: file)
    // A killed run leaves the complete file of the run before.
    guard let found else { return "the file holds no state after \(status), \(lines) lines" }
    guard (count...(count + Int64(lines))).contains(found) else {
      return "m.n is \(found) after \(status), and was \(count) before \(lines) lines"
    }
    if status == 0, found != count + Int64(lines) { return "lines were lost: \(found)" }
    count = found
    return nil
  }

  /// Returns the count in a file; 0 if there is no file, nil if it isn't a state.
  private static func count(in path: String) -> Int64? {
    guard let stream = fopen(path, "r") else { return 0 }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, stream)
    bytes.removeLast(bytes.count - count)
    guard let state = try? Value(parsing: bytes, limits: .state) else { return nil }
    return state["m"]?["n"]?.intValue ?? (state.mapValue?.isEmpty == true ? 0 : nil)
  }
}

/// Long sequences of navigation, compared with a list of titles.
struct NavigationFlood: Chapter {
  static let name = "navigation-flood"
  static let files = [
    "m.lua": """
    return { routes = { ["/x/:n"] = function(r) return { title = r.params.n } end },
      views = { m = function(screen) return { screen.title } end } }
    """
  ]
  private var titles: [String] = []
  private var number = 0

  mutating func round(
    _ bench: ChapterBench, _ random: inout Randomness
  ) async throws -> String? {
    for _ in 0..<300 {
      if let problem = await step(bench, &random) { return problem }
    }
    let tree = await bench.host.navigationTree(of: bench.session)
    let found = tree?.screens.map(\.title.string) ?? []
    return found == titles
      ? nil
      : "the stack has \(found.count) screens, \(found.suffix(3)), and should have \(titles.count)"
  }

  private mutating func step(_ bench: ChapterBench, _ random: inout Randomness) async -> String? {
    switch random.number(0..<20) {
    case 0..<13:
      number += 1
      let result = await bench.dispatch("nav/push", ["screen": .string(Text("/x/\(number)"))])
      // The tree has nothing but the stack and its screens.
      if titles.count + 1 < NavigationTree.nodeCountMax {
        guard case .success = result else { return "a push is refused at \(titles.count)" }
        titles.append("\(number)")
      } else if case .success = result {
        return "\(titles.count + 1) screens are taken"
      }
    case 13..<17 where titles.count > 1:
      let count = random.number(1..<titles.count)
      guard case .success = await bench.dispatch("nav/pop", ["count": .int(Int64(min(count, 3)))])
      else { return "a pop is refused" }
      titles.removeLast(min(count, 3))
    case 17:
      let many = Value.list(List(repeatElement("/x/0", count: 40_000)))
      if case .success = await bench.dispatch("nav/set_navigation", ["screens": many]) {
        return "40,000 screens at once are taken"
      }
    case 18 where random.once(in: 100):
      guard case .success = await bench.dispatch("nav/set_navigation", ["screens": ["/x/base"]])
      else { return "one screen is refused" }
      titles = ["base"]
    default: _ = await bench.host.shownScreen(in: bench.session)
    }
    return nil
  }
}
