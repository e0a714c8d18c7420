import MoonBuiltIns
import MoonTestSupport
import Moonwire
import Testing

/// The module `retriever` with files that somebody names.
@Suite(.timeLimit(.minutes(2))) struct PlayedListTests {
  private static let app = [
    "a.lua": """
    local moon = require "moonwire"
    return moon.module {
      state = { n = 0, first = 0 },
      actions = { add = { by = "integer?" }, first = {}, twice = {} },
      reducers = {
        add = function(s, p) s.n = s.n + (p.by or 1) end,
        first = function(s) s.first = s.first + 1 end,
      },
      map_modules = { first = function() return moon.start "s" end },
      effects = { twice = function(_, self) self.dispatch("add", { by = 10 }) end },
    }
    """,
    "s.lua": """
    return { state = { n = 0 }, actions = { start = {} },
      reducers = { start = function(s) s.n = s.n + 1 end } }
    """,
  ]

  private func played(_ list: String) async throws -> (BuiltInBench, [Fault]) {
    let folder = try ScriptFolder(Self.app)
    try folder.save("../list.json", list)
    let bench = try await BuiltInBench([.retriever], in: folder)
    try await bench.dispatch(
      "retriever/play", ["file": .string(Text(folder.path("../list.json"))), "interval": 0])
    try await bench.wait(for: "retriever.playing", toBe: false)
    let rest = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    return (bench, rest.faults)
  }

  @Test func `what follows from a list happens, and other actions are dropped`() async throws {
    let (bench, faults) = try await played(
      #"[{"name": "a/first"}, {"name": "a/twice"}, {"type": "a/add", "payload": {"by": 1}}]"#)
    #expect(faults.isEmpty)
    #expect(try await bench.state("a") == ["n": 11, "first": 1])
    #expect(try await bench.state("s.n") == 1)
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 12)
    #expect(try await bench.state("retriever.follows") == nil)
  }

  @Test(arguments: [
    ("[{\"name\": \"a/add\"},\n{\"nme\": \"a/add\"}]", "line 2: an action has no nme", 0),
    (
      "{\"name\": \"a/add\"}\n{\"name\": \"a/ad\"}\n{\"name\": \"a/add\"}",
      "line 2: a/ad was refused", 2
    ), ("nonsense", "that isn", 0),
  ])
  func `a play that fails is a fault of its action`(
    list: String, reason: String, count: Int64
  ) async throws {
    let (bench, faults) = try await played(list)
    #expect(faults.count == 1)
    let told = "\(faults.first?.reason, default: "none")"
    #expect(told.contains(reason), "\(told)")
    #expect(try await bench.state("a.n") == .int(count))
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == .int(count + 1))
  }
}
