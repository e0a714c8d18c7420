import Foundation
import MoonBuiltIns
import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// The modules `recorder`, `reporter` and `retriever`.
@Suite(.timeLimit(.minutes(2))) struct RecorderTests {
  private static let app = [
    "a.lua": """
    return { state = { n = 0 },
      reducers = { add = function(s, p) s.n = s.n + (p.by or 1) end },
      effects = { twice = function(_, self) self.dispatch("add", { by = 10 }) end },
      actions = { add = { by = "integer?" }, twice = {} } }
    """
  ]

  /// Runs a session with actions in a folder.
  private func run(
    _ builtIns: [BuiltIn] = [.recorder], in folder: ScriptFolder, _ types: [String]
  ) async throws -> BuiltInBench {
    let bench = try await BuiltInBench(builtIns, in: folder)
    for type in types { try await bench.dispatch(type) }
    return bench
  }

  private func types(in path: String) throws -> [Text] {
    var types: [Text] = []
    try RecordedRun(path).read { _, entry in
      if case .commit(let commit) = entry { types += commit.actions.map(\.type) }
      return true
    }
    return types
  }

  @Test func `each session has a recording of its own, as it happens`() async throws {
    let folder = try ScriptFolder(Self.app)
    let first = try await run(in: folder, ["a/add"])
    let second = try await run(in: folder, ["a/add", "a/add"])
    let recordings = RecordingFolder(folder.path("../kept/recordings"))
    #expect(recordings.numbers == [1, 2])
    #expect(try await first.state("recorder.number") == 1)
    #expect(
      try await second.state("recorder.file") == .string(Text(recordings.path(of: 2))))
    // Neither session has ended.
    #expect(try types(in: recordings.path(of: 1)) == ["a/add"])
    #expect(try types(in: recordings.path(of: 2)) == ["a/add", "a/add"])
  }

  @Test func `the oldest recordings make room, and numbers only grow`() throws {
    let folder = try ScriptFolder()
    let recordings = RecordingFolder(folder.path("../kept"))
    for file in ["recording-7.jsonl", "recording-x.jsonl", "recording-07.jsonl", "other"] {
      try folder.save("../kept/\(file)", "")
    }
    #expect(recordings.numbers == [7])
    for _ in 1...RecordingFolder.countMax { try recordings.begin().file.close() }
    #expect(recordings.numbers == Array(8...(7 + RecordingFolder.countMax)))
    recordings.erase(57)
    recordings.erase(1)
    #expect(try recordings.begin().number == 57)
  }

  @Test(arguments: [(nil, [3]), (2, [2, 3]), (3, [1, 2, 3]), (9, [1, 2, 3]), (0, [])])
  func `a crash collects exactly the last so many recordings, before this session's`(
    count: Int?, expected: [Int]
  ) async throws {
    let folder = try ScriptFolder(Self.app)
    for _ in 1...3 { _ = try await run(in: folder, ["a/add"]) }
    let recordings = RecordingFolder(folder.path("../kept/recordings"))
    let bench = try await BuiltInBench([.recorder, .reporter, .crashDetector], in: folder)
    if let count {
      try await bench.dispatch("reporter/keep_last", ["count": .int(Int64(count))])
    }
    try await bench.dispatch("crash/did")
    let paths = Value.list(List(expected.map { .string(Text(recordings.path(of: $0))) }))
    if !expected.isEmpty { try await bench.wait(for: "reporter.files", toBe: paths) }
    #expect(try await bench.state("reporter.files") == paths)
    await bench.host.close()
  }

  @Test func `a negative number of recordings to collect is refused`() async throws {
    let bench = try await BuiltInBench([.reporter], Self.app)
    guard case .fault? = await bench.failure(of: "reporter/keep_last", ["count": -1]) else {
      Issue.record("it was taken")
      return
    }
    #expect(try await bench.state("reporter.count") == 1)
  }

  @Test func `all recordings are collected on demand, without those that can't be read`()
    async throws
  {
    let folder = try ScriptFolder(Self.app)
    for _ in 1...3 { _ = try await run(in: folder, ["a/add"]) }
    try folder.save("../kept/recordings/recording-2.jsonl", "nonsense")
    let bench = try await BuiltInBench([.reporter], in: folder)
    try await bench.dispatch("reporter/collect")
    let recordings = RecordingFolder(folder.path("../kept/recordings"))
    try await bench.wait(
      for: "reporter.files",
      toBe: .list(List([1, 3].map { .string(Text(recordings.path(of: $0))) })))
    #expect(bench.shown.all.contains { $0.contains("recording-3.jsonl") })
  }

  @Test func `a recording is played, and other actions are dropped meanwhile`() async throws {
    let folder = try ScriptFolder(Self.app)
    let recorded = try await run(in: folder, ["a/add", "a/twice", "a/add"])
    try await recorded.wait(for: "a.n", toBe: 12)
    let bench = try await BuiltInBench([.retriever, .recorder], in: folder)
    try await bench.dispatch("retriever/play", ["interval": 0.05])
    try await bench.dispatch("a/add", ["by": 1_000])
    try await bench.wait(for: "retriever.playing", toBe: false)
    #expect(try await bench.state("a.n") == 12)
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 13)
    #expect(bench.shown.all == [])
  }

  @Test func `routings are played with all that they made, and screens keep their modules`()
    async throws
  {
    let folder = try ScriptFolder([
      "a.lua": """
      return { actions = { show = {} },
        routes = { ["/x"] = function() return { id = "x" } end },
        effects = { show = function(_, self)
          self.dispatch("nav/present", { node = { id = "y", kind = "p" } }) end } }
      """
    ])
    let recorded = try await BuiltInBench([.recorder], in: folder)
    try await recorded.host.route("/x", in: recorded.session)
    try await recorded.dispatch("a/show")
    _ = await recorded.host.waitForTasks(in: recorded.session, within: .seconds(60))
    let expected = try await recorded.state("navigation")
    #expect(expected?.canonicalText.contains("\"y\"") == true)
    let bench = try await BuiltInBench([.retriever], in: folder)
    try await bench.dispatch("retriever/play", ["interval": 0])
    try await bench.wait(for: "retriever.playing", toBe: false)
    #expect(try await bench.state("navigation") == expected)
  }

  @Test func `what a played effect dispatches after the playing is dropped as well`() async throws {
    let folder = try ScriptFolder([
      "a.lua": """
      return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end },
        effects = { go = function(_, self)
          require "moonwire".take "a/more"
          self.dispatch "add"
        end },
        actions = { go = {}, more = {} } }
      """
    ])
    let first = try await run(in: folder, ["a/go", "a/more"])
    try await first.wait(for: "a.n", toBe: 1)
    // The effect waits longer than in the recording, in which the end of its wait isn't.
    let recording = folder.path("../kept/recordings/recording-1.jsonl")
    let lines = try String(contentsOfFile: recording, encoding: .utf8).split(separator: "\n")
    let left = lines.filter { !$0.contains("\"a/more\"") || $0.contains("\"moonwire\"") }
    #expect(left.count == lines.count - 1)
    try folder.save("../kept/recordings/recording-1.jsonl", left.joined(separator: "\n") + "\n")
    let bench = try await BuiltInBench([.retriever], in: folder)
    try await bench.dispatch("retriever/play", ["interval": 0])
    try await bench.wait(for: "retriever.playing", toBe: false)
    try await bench.dispatch("a/more")
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(try await bench.state("a.n") == 1)
    // An effect that a person starts now isn't a played one.
    try await bench.dispatch("a/go")
    try await bench.dispatch("a/more")
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(try await bench.state("a.n") == 2)
  }

  @Test(arguments: [("speed", 0), ("speed", -1), ("interval", -1)] as [(Key, Value)])
  func `a speed or an interval that can't be is told`(field: Key, number: Value) async throws {
    let folder = try ScriptFolder(Self.app)
    _ = try await run(in: folder, ["a/add"])
    let bench = try await BuiltInBench([.retriever], in: folder)
    try await bench.dispatch("retriever/play", .map([field: number]))
    try await bench.wait(for: "retriever.playing", toBe: false)
    let rest = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(rest.faults.map { "\($0.reason)".contains("\(field) must be") } == [true])
    #expect(try await bench.state("a.n") == 0)
  }

  /// A module that makes a request, and counts those that were made.
  private static let asking = [
    "a.lua": """
    local made = 0
    return { state = { made = 0, code = "" },
      reducers = { tell = function(s) s.made = made end, loaded = function(s) s.code = "loaded" end,
        failed = function(s, p) s.code = p.code end },
      api = { load = { request = function() made = made + 1 end, success = "loaded",
        failure = "failed" } } }
    """
  ]

  @Test func `nothing is requested while a recording is played`() async throws {
    let folder = try ScriptFolder(Self.asking)
    let first = try await run(in: folder, ["a/load"])
    try await first.wait(for: "a.code", toBe: "loaded")
    let bench = try await BuiltInBench([.retriever], in: folder)
    try await bench.dispatch("retriever/play", ["interval": 0])
    try await bench.wait(for: "retriever.playing", toBe: false)
    try await bench.dispatch("a/tell")
    #expect(try await bench.state("a.made") == 0)
    try await bench.dispatch("a/load")
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(try await bench.state("a.code") == "loaded")
  }

  @Test func `requests stay off while a recording is played, whatever a module switches on`()
    async throws
  {
    let effects =
      "needs = { 'control:api' }, "
      + "effects = { first = function(_, self) self.dispatch 'api/enable' end },"
    let folder = try ScriptFolder(
      Self.asking.mapValues { $0.replacing("api =", with: effects + " api =") })
    let recorded = try await run(in: folder, ["a/first", "a/load"])
    try await recorded.wait(for: "a.code", toBe: "loaded")
    let bench = try await BuiltInBench([.retriever], in: folder)
    try await bench.dispatch("retriever/play", ["interval": 0])
    try await bench.wait(for: "retriever.playing", toBe: false)
    try await bench.dispatch("a/tell")
    #expect(try await bench.state("a.made") == 0)
  }

  @Test(arguments: ["retriever/stop", nil])
  func `what was switched off before a recording was played stays off after it`(
    end: String?
  ) async throws {
    let folder = try ScriptFolder(Self.asking)
    _ = try await run(in: folder, ["a/tell"])
    let bench = try await BuiltInBench([.retriever], in: folder)
    try await bench.dispatch("api/disable", ["module": "a"])
    try await bench.dispatch("retriever/play", ["interval": end == nil ? 0 : 3_000])
    if let end { try await bench.dispatch(end) }
    try await bench.wait(for: "retriever.playing", toBe: false)
    try await bench.dispatch("a/load")
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(try await bench.state("a.code") == "switched_off")
  }

  @Test func `playing can be ended`() async throws {
    let folder = try ScriptFolder(Self.app)
    _ = try await run(in: folder, ["a/add", "a/add"])
    let bench = try await BuiltInBench([.retriever], in: folder)
    try await bench.dispatch("retriever/play", ["interval": 3_000])
    try await bench.dispatch("retriever/stop")
    #expect(try await bench.state("retriever.playing") == false)
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(await bench.host.taskInfos(of: bench.session).isEmpty)
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 1)
  }

  @Test(arguments: [nil, 9, -1, 2] as [Int64?])
  func `what can't be played is told, and nothing stays blocked`(number: Int64?) async throws {
    let folder = try ScriptFolder(Self.app)
    try folder.save("../kept/recordings/recording-2.jsonl", "{}")
    if number == nil { try folder.remove("../kept/recordings/recording-2.jsonl") }
    let bench = try await BuiltInBench([.retriever], in: folder)
    var payload: Map = Map()
    payload["recording"] = number.map { .int($0) }
    try await bench.dispatch("retriever/play", .map(payload))
    try await bench.wait(for: "retriever.playing", toBe: false)
    let rest = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(rest.faults.map(\.registration.description) == ["effect retriever/play"])
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 1)
  }
}
