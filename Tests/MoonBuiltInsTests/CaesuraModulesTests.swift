import MoonBuiltIns
import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// The modules that Caesura ships, row by row, and ours.
@Suite(.timeLimit(.minutes(2))) struct CaesuraModulesTests {
  enum Fate: String {
    /// Ours is the same.
    case same
    /// Ours differs, because the behaviour there is a defect.
    case mended
    /// Ours differs, for the stated reason.
    case other
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let row: String
    let fate: Fate
    /// The behaviour there, and the reason if ours differs.
    let says: String
    var with: [BuiltIn] = []
    let shows: @Sendable (BuiltInBench) async throws -> Void

    var testDescription: String { "\(row) (\(fate.rawValue)): \(says)" }
  }

  static let rows = [
    "StandardAction", "StandardActionStore", "Navigation as StandardAction",
    "ApplicationCompletionAction", "CrashDetector", "Recorder", "Reporter", "Retriever",
    "RetrieverAPI", "ActionBlocker", "ActionBlocklist", "AnimationBlocker", "Timeline",
    "TimelineControl", "Logger", "KickOff", ".debug()", "ReRxSwift", "Reverts",
  ]

  @Test func `every row has a case`() {
    #expect(Set(Self.cases.map(\.row)) == Set(Self.rows))
  }

  @Test(arguments: cases)
  func `what Caesura's module does is done here, or not for a reason`(one: Case) async throws {
    try await one.shows(try await BuiltInBench(one.with, Self.app))
  }

  static let app = [
    "a.lua": """
    local moon = require "moonwire"
    return { state = { n = 0, seen = "" },
      actions = { add = { by = "integer" }, ask = {}, asked = {} },
      reducers = {
        add = function(s, p) s.n = s.n + p.by end,
        asked = function(s) s.seen = s.seen .. "asked " end,
        ["app/started"] = function(s) s.seen = s.seen .. "started " end,
        ["crash/did"] = function(s) s.seen = s.seen .. "crashed " end,
      },
      middleware = { on = "nav/push", priority = "low", run = function(action)
        print("animated", action.payload.animated)
      end },
      routes = { ["/x"] = function() return { id = "x" } end },
      connect = { from = { "a", "b" }, props = function(from)
        return { sum = from.a.n + from.b.n }
      end },
    }
    """,
    "b.lua": "return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end } }",
  ]

  /// Writes a recording of actions, and returns its folder.
  private static func record(_ bench: BuiltInBench, _ actions: [(String, Value)]) async throws
    -> RecordingFolder
  {
    for (type, payload) in actions { try await bench.dispatch(type, payload) }
    return RecordingFolder(bench.directory + "/recordings")
  }

  private static func actions(in path: String) throws -> [Action] {
    var actions: [Action] = []
    try RecordedRun(path).read { _, entry in
      if case .commit(let commit) = entry { actions += commit.actions }
      return true
    }
    return actions
  }

  static let cases: [Case] = actions + blockers + timeline + views

  private static let actions: [Case] = [
    Case(
      row: "StandardAction", fate: .same,
      says: "an action is written as JSON and read again; a payload that doesn't fit is refused",
      with: [.recorder]
    ) { bench in
      let folder = try await record(bench, [("a/add", ["by": 2])])
      let read = try #require(try actions(in: folder.path(of: 1)).first { $0.type == "a/add" })
      #expect(read.payload == ["by": 2])
      guard case .invalidPayload? = await bench.failure(of: "a/add", [:]) else {
        Issue.record("an action without its payload was taken")
        return
      }
      guard case .unknownType? = await bench.failure(of: "a/unknown") else {
        Issue.record("an unknown action was taken")
        return
      }
    },
    Case(
      row: "StandardActionStore", fate: .other,
      says: "recordings are numbered; an action that isn't known is skipped with a printed line. "
        + "Here it is told as other messages are", with: [.recorder, .retriever]
    ) { bench in
      let folder = RecordingFolder(bench.directory + "/recordings")
      #expect(folder.numbers == [1])
      let second = try await BuiltInBench([.recorder, .retriever], in: bench.folder)
      #expect(folder.numbers == [1, 2])
      #expect(try await second.state("recorder.number") == 2)
      folder.erase(1)
      #expect(folder.numbers == [2])
      try await second.dispatch("retriever/play", ["recording": 1])
      try await second.wait(for: "retriever.playing", toBe: false)
      let rest = await second.host.waitForTasks(in: second.session, within: .seconds(60))
      #expect(rest.faults.count == 1)
    },
    Case(
      row: "Navigation as StandardAction", fate: .other,
      says: "only what a person does is recorded. Here all actions are, since modules' own come "
        + "from effects, which don't run again", with: [.recorder]
    ) { bench in
      let pushes: [(String, Value)] = ["p", "q"].map { ("nav/push", ["screen": ["id": $0]]) }
      let folder = try await record(bench, pushes)
      _ = try await bench.host.back(in: bench.session)
      let types = try actions(in: folder.path(of: 1)).map(\.type)
      #expect(types.contains("nav/push") && types.contains("nav/back"))
    },
    Case(
      row: "ApplicationCompletionAction", fate: .mended,
      says: "the app's notifications in a recording are skipped, since no one registers them",
      with: [.lifecycle, .recorder]
    ) { bench in
      #expect(try await bench.state("a.seen") == "started ")
      let folder = try await record(bench, [])
      try await bench.dispatch("app/suspended")
      #expect(try actions(in: folder.path(of: 1)).map(\.type).contains("app/suspended"))
    },
    Case(
      row: "CrashDetector", fate: .same,
      says: "after a crash, the app is told before it starts"
    ) { _ in
      let names = BuiltIn.order.map(\.name)
      let crash = try #require(names.firstIndex(of: BuiltIn.crashDetector.name))
      let start = try #require(names.firstIndex(of: BuiltIn.lifecycle.name))
      #expect(crash < start)
    },
    Case(
      row: "Recorder", fate: .mended,
      says: "actions are saved when the app is left; here, as they happen, so that a killed app "
        + "has them, too", with: [.recorder]
    ) { bench in
      let folder = try await record(bench, [("a/add", ["by": 1]), ("a/add", ["by": 2])])
      #expect(folder.numbers == [1])
      let payloads = try actions(in: folder.path(of: 1)).filter { $0.type == "a/add" }
      #expect(payloads.map(\.payload) == [["by": 1], ["by": 2]])
    },
    Case(
      row: "Reporter", fate: .mended, says: "the last n recordings are n + 1",
      with: [.recorder, .reporter]
    ) { bench in
      let last = try await BuiltInBench([.recorder, .reporter], in: bench.folder)
      let folder = RecordingFolder(bench.directory + "/recordings")
      try await last.dispatch("crash/did")
      try await last.wait(
        for: "reporter.files", toBe: .list(List([.string(Text(folder.path(of: 1)))])))
    },
    Case(
      row: "Retriever", fate: .same,
      says: "a recording is played action by action while other actions are dropped",
      with: [.recorder]
    ) { bench in
      _ = try await record(bench, [("a/add", ["by": 1]), ("a/add", ["by": 10])])
      let second = try await BuiltInBench([.recorder, .retriever], in: bench.folder)
      try await second.dispatch("retriever/play", ["interval": 0.01])
      try await second.dispatch("b/add")
      try await second.wait(for: "retriever.playing", toBe: false)
      #expect(try await second.state("a.n") == 11)
      #expect(try await second.state("b.n") == 0)
    },
    Case(
      row: "RetrieverAPI", fate: .same,
      says: "requests are off from the start of a playing to its end", with: [.recorder]
    ) { bench in
      _ = try await record(bench, [("a/add", ["by": 1])])
      let second = try await BuiltInBench([.recorder, .retriever], in: bench.folder)
      try await second.dispatch("retriever/play", ["interval": 0.01])
      try await second.wait(for: "retriever.playing", toBe: false)
      let types = await second.host.history(of: second.session).entries.map(\.action.type.string)
      let off = try #require(types.firstIndex(of: "api/disable"))
      let on = try #require(types.lastIndex(of: "api/enable"))
      let played = try #require(types.firstIndex(of: "a/add"))
      #expect(off < played && played < on)
    },
  ]

  private static let blockers: [Case] = [
    Case(
      row: "ActionBlocker", fate: .same,
      says: "only what is on the list passes, which has each as often as it was added",
      with: [.actionBlocker]
    ) { bench in
      for _ in 1...2 { try await bench.dispatch("action_blocker/add", ["actions": "b/add"]) }
      try await bench.dispatch("action_blocker/remove", ["actions": "b/add"])
      try await bench.dispatch("action_blocker/enable")
      try await bench.dispatch("a/add", ["by": 1])
      try await bench.dispatch("b/add")
      #expect(try await bench.state("a.n") == 0)
      #expect(try await bench.state("b.n") == 1)
    },
    Case(
      row: "ActionBlocklist", fate: .same, says: "what is on the list is dropped",
      with: [.actionBlocklist]
    ) { bench in
      try await bench.dispatch("action_blocklist/add", ["actions": "b/add"])
      try await bench.dispatch("action_blocklist/enable")
      try await bench.dispatch("a/add", ["by": 1])
      try await bench.dispatch("b/add")
      #expect(try await bench.state("a.n") == 1)
      #expect(try await bench.state("b.n") == 0)
    },
    Case(
      row: "AnimationBlocker", fate: .other,
      says: "it is consumed. Here its actions are actions as all others, so that its state is "
        + "recorded", with: [.animationBlocker]
    ) { bench in
      try await bench.dispatch("animation_blocker/enable")
      #expect(try await bench.state("animation_blocker.enabled") == true)
      try await bench.host.route("/x", in: bench.session)
      let pushed = await bench.host.history(of: bench.session).entries.last {
        $0.action.type == "nav/push" || $0.action.type == "nav/show"
      }
      if let pushed { #expect(pushed.action.scriptPayload["animated"] == false) }
      #expect(await bench.screens() == ["x"])
    },
  ]

  private static let timeline: [Case] = [
    Case(
      row: "Timeline", fate: .other,
      says: "a new action in the past cuts the future. Here it is refused until the future is cut, "
        + "so that nothing is lost by mistake", with: [.timeline]
    ) { bench in
      for by in 1...3 { try await bench.dispatch("a/add", ["by": .int(Int64(by))]) }
      try await bench.dispatch("timeline/back")
      #expect(
        await bench.failure(of: "a/add", ["by": 5]) == .paused(position: 2, count: 3))
      try await bench.dispatch("timeline/cut")
      try await bench.dispatch("a/add", ["by": 5])
      #expect(try await bench.numbers(of: "a") == [0, 1, 3, 8])
    },
    Case(
      row: "Timeline", fate: .other,
      says: "slices that were added later survive when an earlier state is set. Here that state is "
        + "shown as it was", with: [.timeline]
    ) { bench in
      try await bench.dispatch("nav/push", ["screen": ["id": "p"]])
      try await bench.dispatch("timeline/back")
      #expect(try await bench.state("navigation") == nil)
    },
    Case(
      row: "TimelineControl", fate: .other,
      says:
        "moving by k dispatches k actions, and closing stays in the past. Here one action moves "
        + "by k, and one closes the control at the latest state or goes on from here",
      with: [.timeline]
    ) { bench in
      for _ in 1...4 { try await bench.dispatch("a/add", ["by": 1]) }
      try await bench.dispatch("timeline/open")
      try await bench.dispatch("timeline/back", ["steps": 3])
      #expect(await bench.place == "1/4")
      try await bench.dispatch("timeline/close")
      #expect(await bench.place == "4/4")
    },
    Case(
      row: "Reverts", fate: .mended,
      says: "a flag that ignores the next completion swallows a later action if there is none. "
        + "Here completions say that they are the timeline's", with: [.timeline]
    ) { bench in
      let screens = ["p", "q", "r"].map { Screen(id: Text($0)) }
      let changes: [NavigationAction.Operation] = [
        .push(screens[0]), .push(screens[1]), .pop(), .present(NavigationNode(screens[1])),
        .dismiss(), .setNavigation(screens), .set(.tabs("bar", [])),
        .setTabs(screens.prefix(2).map { NavigationNode($0) }),
        .insertTab(NavigationNode(screens[2]), at: .first), .selectTab("q"), .removeTab("r"),
      ]
      var trees = [await bench.host.navigationTree(of: bench.session)]
      for change in changes {
        try await bench.host.navigate(NavigationAction(change), in: bench.session)
        trees.append(await bench.host.navigationTree(of: bench.session))
      }
      #expect(Set(zip(trees, trees.dropFirst()).map { $0 == $1 }) == [false])
      #expect(await bench.place == "\(changes.count)/\(changes.count)")
      for tree in trees.dropLast().reversed() {
        try await bench.dispatch("timeline/back")
        #expect(await bench.host.navigationTree(of: bench.session) == tree)
      }
      for tree in trees.dropFirst() {
        try await bench.dispatch("timeline/forward")
        #expect(await bench.host.navigationTree(of: bench.session) == tree)
      }
    },
  ]

  private static let views: [Case] = [
    Case(
      row: "Logger", fate: .other,
      says: "an action is printed before it is carried out. Here afterwards, with what it changed",
      with: [.logger]
    ) { bench in
      try await bench.dispatch("a/add", ["by": 2])
      #expect(bench.shown.all.last?.contains("a/add {\"by\":2}") == true)
      #expect(bench.shown.all.last?.contains("a.n: 0 → 2") == true)
    },
    Case(
      row: "KickOff", fate: .same, says: "a module does something when the app has started",
      with: [.lifecycle]
    ) { bench in
      let seen = try await bench.state("a.seen")
      #expect(seen == "started ")
    },
    Case(
      row: ".debug()", fate: .same,
      says: "the modules for debugging come in one group, in this order"
    ) { _ in
      #expect(
        BuiltIn.debug.prefix(5).map(\.name.text)
          == ["animation_blocker", "action_blocker", "action_blocklist", "retriever", "timeline"])
    },
    Case(
      row: "ReRxSwift", fate: .mended,
      says: "props follow from three modules at most. Here from any number"
    ) { bench in
      try await bench.host.route("/x", in: bench.session)
      try await bench.dispatch("b/add")
      try await bench.dispatch("a/add", ["by": 5])
      let screen = await bench.host.navigationTree(of: bench.session)?.topScreen
      #expect(screen?.props["sum"] == 6)
    },
  ]
}
