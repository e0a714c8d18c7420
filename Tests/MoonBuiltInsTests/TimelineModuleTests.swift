import MoonBuiltIns
import MoonTestSupport
import Moonwire
import Testing

/// The module `timeline`.
@Suite(.timeLimit(.minutes(2))) struct TimelineModuleTests {
  private static let app = [
    "a.lua": """
    return { state = { n = 0, popped = "" }, needs = { "control:timeline" },
      reducers = {
        inc = function(s) s.n = s.n + 1 end,
        ["nav/did_set_navigation"] = function(s, p) s.popped = s.popped .. p.origin end,
      },
      routes = { ["/x"] = function() return { id = "x", title = "X" } end },
      effects = { rewind = function(_, self) self.dispatch("timeline/back", { steps = 2 }) end },
      middleware = { on = "a/batch", run = function()
        return { { type = "a/inc" }, { type = "timeline/back" } } end },
      actions = { inc = {}, rewind = {}, batch = {} } }
    """
  ]

  private func bench(_ actions: [String] = []) async throws -> BuiltInBench {
    let bench = try await BuiltInBench([.timeline], Self.app)
    for action in actions { try await bench.dispatch(action) }
    return bench
  }

  @Test func `the trace of Caesura's timeline`() async throws {
    // A module that doesn't listen to completions, so that a push is one step as there.
    let bench = try await BuiltInBench(
      [.timeline],
      [
        "a.lua":
          "return { state = { n = 0 }, reducers = { inc = function(s) s.n = s.n + 1 end } }"
      ])
    func expect(_ n: Value, _ place: String, _ screens: [Text], _ step: String) async throws {
      #expect(try await bench.state("a.n") == n, "\(step)")
      #expect(await bench.place == place, "\(step)")
      #expect(await bench.screens() == screens, "\(step)")
    }
    try await bench.dispatch("a/inc")
    try await expect(1, "1/1", [], "inc")
    #expect(try await bench.numbers(of: "a") == [0, 1])
    try await bench.dispatch("nav/push", ["screen": ["id": "X"]])
    try await expect(1, "2/2", ["X"], "push")
    #expect(try await bench.numbers(of: "a") == [0, 1, 1])
    try await bench.dispatch("a/inc")
    try await expect(2, "3/3", ["X"], "inc")
    #expect(try await bench.numbers(of: "a") == [0, 1, 1, 2])
    try await bench.dispatch("timeline/back")
    try await expect(1, "2/3", ["X"], "back")
    try await bench.dispatch("timeline/back")
    try await expect(1, "1/3", [], "back over the push")
    try await bench.dispatch("timeline/back")
    try await expect(0, "0/3", [], "back")
    try await bench.dispatch("timeline/back")
    try await expect(0, "0/3", [], "back at the beginning")
    try await bench.dispatch("timeline/forward")
    try await expect(1, "1/3", [], "forward")
    // There, a new action cuts the future; here, it needs an action of its own to do so.
    #expect(await bench.failure(of: "a/inc") == .paused(position: 1, count: 3))
    try await bench.dispatch("timeline/cut")
    try await bench.dispatch("a/inc")
    try await expect(2, "2/2", [], "a new action")
    #expect(try await bench.numbers(of: "a") == [0, 1, 2])
  }

  @Test func `what comes back with the time is announced once, with the origin timeline`()
    async throws
  {
    let bench = try await bench()
    try await bench.host.route("/x", in: bench.session)
    #expect(try await bench.state("a.popped") == "code")
    try await bench.dispatch("timeline/goto", ["position": 0])
    #expect(await bench.screens() == [])
    try await bench.dispatch("timeline/forward", ["steps": 100])
    #expect(try await bench.state("a.popped") == "code")
    try await bench.dispatch("timeline/goto", ["position": 0])
    try await bench.dispatch("timeline/go_on")
    #expect(try await bench.state("a.popped") == "timeline")
    #expect(await bench.screens() == [])
  }

  @Test func `the control shows where the session is, over whatever state is shown`() async throws {
    let bench = try await bench(["a/inc", "a/inc"])
    try await bench.dispatch("timeline/open")
    try await check(bench, "2/2", "#2 a/inc", n: 2)
    for (button, place, step, n): (String, String, String, Value) in [
      ("Back", "1/2", "#1 a/inc", 1), ("Back", "0/2", "the beginning", 0),
      ("Forward", "1/2", "#1 a/inc", 1), ("Present", "2/2", "#2 a/inc", 2),
      ("Beginning", "0/2", "the beginning", 0), ("Forward", "1/2", "#1 a/inc", 1),
      ("Skip", "1/2", "#1 a/inc (left out)", 0), ("Present", "2/2", "#2 a/inc", 1),
      ("Back", "1/2", "#1 a/inc (left out)", 0), ("Take in", "1/2", "#1 a/inc", 1),
    ] {
      try await bench.host.use(.name(button), in: bench.session)
      try await check(bench, place, step, n: n)
    }
    try await bench.host.use(.name("Close"), in: bench.session)
    #expect(await bench.host.navigationTree(of: bench.session)?.windows.count == 1)
    #expect(try await bench.state("a.n") == 2)
    try await bench.dispatch("a/inc")
    #expect(await bench.place == "3/3")
  }

  @Test func `a URL opens the control`() async throws {
    let bench = try await bench(["a/inc"])
    try await bench.host.route("/timeline", in: bench.session)
    let shown = try #require(await bench.host.shownScreen(in: bench.session))
    #expect(shown.screen.title == "Timeline")
    #expect(await bench.failure(of: "a/inc") == .timelineLocked)
  }

  private func check(
    _ bench: BuiltInBench, _ place: String, _ step: String, n: Value,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let shown = try #require(await bench.host.shownScreen(in: bench.session))
    let texts = try #require(shown.card).lines(width: 80).map(\.text).filter { !$0.isEmpty }
    #expect(shown.screen.title == "Timeline", sourceLocation: sourceLocation)
    #expect(texts.prefix(2) == [place, step], sourceLocation: sourceLocation)
    #expect(try await bench.state("a.n") == n, sourceLocation: sourceLocation)
  }

  @Test func `one goes on from an earlier state with a button`() async throws {
    let bench = try await bench(["a/inc", "a/inc", "timeline/open", "timeline/back"])
    try await bench.host.use(.name("Go on from here"), in: bench.session)
    #expect(await bench.host.navigationTree(of: bench.session)?.windows.count == 1)
    #expect(await bench.place == "1/1")
    try await bench.dispatch("a/inc")
    #expect(try await bench.numbers(of: "a") == [0, 1, 2])
  }

  @Test func `while the control is open, other actions are refused and nothing is lost`()
    async throws
  {
    let bench = try await bench(["a/inc", "timeline/open"])
    #expect(await bench.failure(of: "a/inc") == .timelineLocked)
    try await bench.dispatch("timeline/open")
    try await bench.dispatch("timeline/back")
    #expect(await bench.failure(of: "a/inc") == .paused(position: 0, count: 1))
    let saved = try #require(await bench.host.savedState(of: bench.session))
    #expect(saved.slices["a"]?["n"] == 1)
    #expect(saved.slices["navigation"] == nil)
    try await bench.dispatch("timeline/close")
    try await bench.dispatch("timeline/close")
    #expect(await bench.place == "1/1")
    try await bench.dispatch("a/inc")
  }

  @Test func `a reload keeps the control open, at the same place`() async throws {
    let bench = try await bench(["a/inc", "a/inc", "timeline/open", "timeline/back"])
    await bench.host.reload()
    try await check(bench, "1/2", "#1 a/inc", n: 1)
    try await bench.dispatch("timeline/close")
    #expect(try await bench.state("a.n") == 2)
    #expect(await bench.host.navigationTree(of: bench.session)?.windows.count == 1)
  }

  @Test(arguments: [("a/rewind", "0/2", 0), ("a/batch", "1/2", 1)] as [(String, String, Value)])
  func `what modules dispatch to the timeline is done when the session is idle`(
    type: String, place: String, n: Value
  ) async throws {
    let bench = try await bench(["a/inc", type])
    if type == "a/rewind" {
      // The effect has run, since it doesn't wait.
      #expect(await bench.place == place)
    } else {
      #expect(await bench.place == place)
    }
    #expect(try await bench.state("a.n") == n)
  }

  @Test func `its actions are neither steps nor in the history`() async throws {
    let bench = try await bench(["a/inc", "timeline/back", "timeline/present", "a/inc"])
    #expect(
      await bench.host.history(of: bench.session).entries.map(\.action.type) == ["a/inc", "a/inc"])
  }

  @Test(
    arguments: [
      ("timeline/goto", ["action": 99], TimelineError.noStep(99)),
      ("timeline/goto", ["position": 7], .atEnd), ("timeline/goto", ["position": -1], .atBeginning),
      ("timeline/skip", ["action": 99], .noStep(99)),
    ] as [(String, Value, TimelineError)])
  func `what the timeline can't do is refused, and changes nothing`(
    type: String, payload: Value, error: TimelineError
  ) async throws {
    let bench = try await bench(["a/inc"])
    #expect(await bench.failure(of: type, payload) == .timeline(error))
    #expect(await bench.place == "1/1")
  }

  @Test func `going nowhere is refused`() async throws {
    let bench = try await bench(["a/inc"])
    guard case .fault(let fault)? = await bench.failure(of: "timeline/goto") else {
      Issue.record("it was taken")
      return
    }
    #expect("\(fault)".contains("timeline/goto needs a position, or the id of an action"))
    #expect(await bench.place == "1/1")
  }

  @Test func `a payload of the wrong type is refused`() async throws {
    let bench = try await bench(["a/inc"])
    guard case .invalidPayload? = await bench.failure(of: "timeline/back", ["steps": "x"]) else {
      Issue.record("it was taken")
      return
    }
  }

  @Test func `every action of the timeline can be dispatched`() async throws {
    let bench = try await bench()
    for info in await bench.host.actionInfos(of: BuiltIn.timeline.name)
    where info.type != "timeline/undo" {
      let bench = try await self.bench(["a/inc", "a/inc", "a/inc", "timeline/back"])
      let payload: Value =
        switch info.type {
        case "timeline/goto": ["position": 1]
        case "timeline/move": ["action": 1]
        default: nil
        }
      try await bench.dispatch(info.type, payload)
      try await bench.dispatch("timeline/close")
      try await bench.dispatch("a/inc")
    }
    try await bench.dispatch("a/inc")
    try await bench.dispatch("timeline/undo")
    #expect(await bench.place == "0/0")
  }
}
