import MoonBuiltIns
import MoonTestSupport
import Moonwire
import Testing

@Suite(.timeLimit(.minutes(2))) struct ActionFilterTests {
  /// The list after each step, and whether an action of `a` and one of `b` then pass.
  typealias Step = (type: String, actions: Value, passes: String)

  private func check(_ builtIn: BuiltIn, _ steps: [Step]) async throws {
    let bench = try await BuiltInBench([builtIn])
    for (number, step) in steps.enumerated() {
      try await bench.dispatch(
        "\(builtIn.name)/\(step.type)", step.actions == .null ? nil : ["actions": step.actions])
      var passing = ""
      for name in ["a", "b"] {
        let before = try await bench.state("\(name).n")
        try await bench.dispatch("\(name)/add")
        if try await bench.state("\(name).n") != before { passing += name }
      }
      #expect(passing == step.passes, "step \(number): \(step)")
    }
  }

  @Test func `the blocker passes what is on its list while it is enabled`() async throws {
    try await check(
      .actionBlocker,
      [
        ("add", "a/add", "ab"), ("enable", nil, "a"), ("remove", "a/add", ""),
        ("add", ["b/*", "a/other"], "b"), ("add", "*", "ab"), ("remove", "*", "b"),
        ("disable", nil, "ab"),
      ])
  }

  @Test func `the blocklist drops what is on its list while it is enabled`() async throws {
    try await check(
      .actionBlocklist,
      [
        ("add", "a/add", "ab"), ("enable", nil, "b"), ("add", ["b/*"], ""),
        ("remove", ["a/add", "b/other"], "a"), ("disable", nil, "ab"),
      ])
  }

  @Test func `a pattern that was added twice is on the list until it is removed twice`()
    async throws
  {
    try await check(
      .actionBlocklist,
      [
        ("enable", nil, "ab"), ("add", "a/*", "b"), ("add", "a/*", "b"), ("remove", "a/*", "b"),
        ("remove", "a/*", "ab"),
      ])
  }

  @Test(arguments: ["add", "a b/c", "a/", "*/a", ""])
  func `what isn't a pattern is refused, and the list stays`(text: String) async throws {
    let bench = try await BuiltInBench([.actionBlocker])
    await #expect(throws: DispatchError.self) {
      try await bench.dispatch(
        "action_blocker/add", ["actions": ["a/add", .string(Text(text))]])
    }
    #expect(try await bench.state("action_blocker.actions") == .list(List()))
  }

  @Test func `the list has a limit`() async throws {
    let bench = try await BuiltInBench([.actionBlocker])
    let patterns = Value.list(List((0..<1_000).map { .string(Text("a/a\($0)")) }))
    try await bench.dispatch("action_blocker/add", ["actions": patterns])
    do {
      try await bench.dispatch("action_blocker/add", ["actions": "a/more"])
      Issue.record("it has no limit")
    } catch {
      #expect("\(error)".contains("the list can hold 1000 patterns at most"))
    }
    #expect(try await bench.state("action_blocker.actions") == patterns)
  }

  @Test func `what has happened is told even while all is blocked`() async throws {
    let bench = try await BuiltInBench(
      [.actionBlocker],
      [
        "a.lua": """
        return { state = { windows = 0 }, reducers = {
          ["nav/did_start"] = function(s) s.windows = s.windows + 1 end } }
        """
      ])
    try await bench.dispatch("action_blocker/enable")
    try await bench.dispatch("nav/start", ["id": "second"])
    #expect(try await bench.state("a.windows") == 1)
    try await bench.dispatch("action_blocker/add", ["actions": "nav/start"])
    try await bench.dispatch("nav/start", ["id": "second"])
    #expect(try await bench.state("a.windows") == 2)
  }

  @Test func `an action of the navigation that passes takes its parts with it`() async throws {
    let bench = try await BuiltInBench(
      [.actionBlocker, .actionBlocklist],
      [
        "a.lua": """
        local moon = require "moonwire"
        return { routes = { ["/a"] = function() return { title = "A" } end }, effects = {
          ["nav/did_push"] = function(_, self) self.dispatch("nav/pop") end } }
        """
      ])
    func screens() async throws -> Int {
      await bench.host.navigationTree(of: bench.session)?.screens.count ?? 0
    }
    try await bench.dispatch("action_blocker/enable")
    try await bench.dispatch("nav/route", ["url": "/a"])
    #expect(try await screens() == 0)
    try await bench.dispatch("action_blocker/add", ["actions": "nav/route"])
    for count in 1...2 {
      try await bench.dispatch("nav/route", ["url": "/a"])
      #expect(try await screens() == count)
    }
    try await bench.dispatch("nav/pop")
    #expect(try await screens() == 2)
    try await bench.dispatch("action_blocker/disable")
    try await bench.dispatch("action_blocklist/enable")
    try await bench.dispatch("action_blocklist/add", ["actions": "nav/show"])
    try await bench.dispatch("nav/route", ["url": "/a"])
    #expect(try await screens() == 2)
  }

  @Test(arguments: 0..<20)
  func `random steps do what a plain model does`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let patterns = ["a/add", "b/add", "a/*", "b/*", "*", "c/x"]
    for builtIn in [BuiltIn.actionBlocker, .actionBlocklist] {
      let bench = try await BuiltInBench([builtIn])
      var (isEnabled, list) = (false, [String]())
      var counts = ["a": 0, "b": 0]
      for _ in 0..<60 {
        let pattern = patterns[Int.random(in: 0..<patterns.count, using: &random)]
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          isEnabled = true
          try await bench.dispatch("\(builtIn.name)/enable")
        case 1:
          isEnabled = false
          try await bench.dispatch("\(builtIn.name)/disable")
        case 2, 3:
          list.append(pattern)
          try await bench.dispatch("\(builtIn.name)/add", ["actions": .string(Text(pattern))])
        case 4, 5:
          list.firstIndex(of: pattern).map { _ = list.remove(at: $0) }
          try await bench.dispatch("\(builtIn.name)/remove", ["actions": .string(Text(pattern))])
        default:
          let name = Bool.random(using: &random) ? "a" : "b"
          let isListed = list.contains { $0 == "*" || $0 == "\(name)/*" || $0 == "\(name)/add" }
          if !isEnabled || isListed == (builtIn.name == BuiltIn.actionBlocker.name) {
            counts[name, default: 0] += 1
          }
          try await bench.dispatch("\(name)/add")
        }
      }
      for (name, count) in counts {
        #expect(try await bench.state("\(name).n") == .int(Int64(count)))
      }
    }
  }
}
