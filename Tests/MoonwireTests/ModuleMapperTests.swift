import Moonwire
import Testing

/// Starting and stopping modules, and replacing actions.
///
/// Invariant 15: so are chains of mappers.
struct ModuleMapperTests {
  /// Returns the actions that reducers saw, in order.
  private static func spy(_ patterns: [String], _ notes: Notes) throws -> Module {
    try Module("zspy", state: [:]) { module in
      module.reducers = patterns.compactMap { ActionPattern($0, owner: "zspy") }.map {
        Reducer($0) { _, action in
          let payload = action.payload == .null ? "" : " \(action.payload.canonicalText)"
          notes.add("\(action.type)\(payload)")
        }
      }
    }
  }

  private static func bench(
    _ mappers: String, others: [String: String] = [:], _ notes: Notes
  ) async throws -> Bench {
    var files = others
    files["m.lua"] = """
      local moon = require "moonwire"
      return {
        actions = { go = "Goes", go2 = "Goes, too", come = "Comes" },
        map_modules = \(mappers),
      }
      """
    for name in ["first", "second", "third"] where files["\(name).lua"] == nil {
      files["\(name).lua"] = "return {}"
    }
    return try await Bench(
      files,
      adding: [
        { try Self.spy(["first/*", "second/*", "third/*", "m/*"], notes) }
      ])
  }

  @Test func `start, stop and replace are done, the replaced one isn't`() async throws {
    let notes = Notes()
    let bench = try await Self.bench(
      """
      { go = function(action)
        return moon.start("first", { a = 1 }), nil
      end,
      come = function(action)
        return {
          moon.start("first", { a = 1 }), { { moon.stop "second" } },
          moon.replace("go2", { b = 2 }),
        }
      end }
      """, notes)
    try await bench.dispatch("m/come")
    // Conformance 58.
    #expect(notes.all == ["first/start {\"a\":1}", "second/stop", "m/go2 {\"b\":2}"])
    notes.clear()
    try await bench.dispatch("m/go")
    #expect(notes.all == ["m/go", "first/start {\"a\":1}"], "mapping swallows nothing")
    let entries = await bench.host.history(of: bench.session).entries
    #expect(
      entries.map { "\($0.action.type) \($0.action.meta.cause) \($0.action.meta.parent ?? 0)" } == [
        "m/come native 0", "first/start m module mapper 1", "second/stop m module mapper 1",
        "m/go2 m module mapper 1", "m/go native 0", "first/start m module mapper 5",
      ])
  }

  @Test(
    arguments: [
      (
        "moon.stop 'first', moon.replace 'go2', moon.start 'second'",
        "first/stop m/go2 second/start"
      ),
      ("moon.replace 'go2', moon.start 'first', moon.replace 'come'", "m/go2 first/start m/come"),
      ("moon.replace 'go2', moon.replace 'come'", "m/go2 m/come"),
      ("moon.start 'first', moon.stop 'first'", "m/start first/start first/stop"),
      ("moon.start 'm', moon.start 'first'", "m/start first/start"),
      ("moon.stop 'first', moon.start 'm'", "first/stop m/start"),
      ("moon.start('m', { n = 1 }), moon.start 'first'", "m/start {\"n\":1} first/start"),
      ("moon.stop 'first', moon.start('m', { n = 1 })", "first/stop m/start {\"n\":1}"),
    ])
  func `one answer is carried out in its order`(answer: String, order: String) async throws {
    let notes = Notes()
    let bench = try await Self.bench(
      "{ start = function() return { \(answer) } end }", notes)
    try await bench.dispatch("m/start")
    #expect(notes.all.joined(separator: " ") == order)
  }

  @Test func `a replacement that was recorded as carried out at once is so in a replay`()
    async throws
  {
    let bench = try await Bench([
      "m.lua": """
      local moon = require "moonwire"
      return {
        state = { n = 0 },
        actions = { go = {}, add = {}, stop = {} },
        reducers = { add = function(s) s.n = s.n + 1 end },
        map_modules = { go = function() return { moon.stop "m", moon.replace "add" } end },
      }
      """
    ])
    for (isQueued, count) in [(false, 1), (true, 0)] {
      let replay = await Replay(on: bench.host)
      var notes = CommitNotes()
      notes.queuesReplacement = isQueued
      let diff = try await replay.changes(by: [Action("m/go")], noting: notes, on: bench.host)
      #expect(diff.changes.count == count)
    }
  }

  @Test func `each action of nested mappers has the one that it follows from as its parent`()
    async throws
  {
    func mapping(_ name: String, _ answer: String) -> String {
      """
      local moon = require "moonwire"
      return { map_modules = { ["\(name)"] = function() return \(answer) end } }
      """
    }
    let bench = try await Bench([
      "p.lua": "return { actions = { go = {}, other = {} } }",
      "x.lua": "return { actions = { start = {}, stop = {} } }",
      "y.lua": "return { actions = { start = {} } }",
      "z.lua": "return { actions = { start = {} } }",
      "a.lua": mapping("p/go", "moon.start 'x'"),
      "b.lua": mapping("x/start", "{ moon.start 'y', moon.stop 'x' }"),
      "c.lua": mapping("y/start", "moon.start 'z'"),
      "d.lua": mapping("x/stop", "{ moon.start 'z', moon.replace 'p/other' }"),
    ])
    try await bench.dispatch("p/go")
    let actions = await bench.host.history(of: bench.session).entries.map(\.action)
    let types = Dictionary(uniqueKeysWithValues: actions.map { ($0.meta.id, $0.type.string) })
    #expect(
      actions.map { "\($0.type) < \($0.meta.parent.flatMap { types[$0] } ?? "-")" } == [
        "p/go < -", "x/start < p/go", "y/start < x/start", "z/start < y/start",
        // The one that was replaced isn't there.
        "z/start < x/start", "p/other < x/start",
      ])
  }

  @Test func `in Swift the same is done`() async throws {
    let notes = Notes()
    let bench = try await Bench(adding: [
      { try Self.spy(["first/*", "m/*"], notes) },
      { try Module("first") { _ in } },
      {
        let first = try #require(ModuleName("first"))
        return try Module("m") { module in
          module.actions = [ActionDeclaration("go"), ActionDeclaration("other")]
          module.moduleMappers = [
            ModuleMapper(.exact("m/go")) { _, _ in
              [.stop(first, nil), .replace(Action("m/other", ["x": 1])), .start(first, ["a": 1])]
            }
          ]
        }
      },
    ])
    try await bench.dispatch("m/go")
    #expect(notes.all == ["first/stop", "m/other {\"x\":1}", "first/start {\"a\":1}"])
  }

  @Test func `an action that starts what it starts is there once`() async throws {
    // Conformance 59.
    let notes = Notes()
    let bench = try await Self.bench(
      "{ [\"third/start\"] = function() return moon.start \"third\" end }", notes)
    try await bench.dispatch("third/start")
    #expect(notes.all == ["third/start"])
  }

  @Test func `a tree of mappers is followed, causes before what follows from them`() async throws {
    // Conformance 60, except that the mapped action continues.
    let notes = Notes()
    let bench = try await Self.bench(
      "{ [\"first/start\"] = function() return moon.start \"second\" end }",
      others: [
        "second.lua": """
        local moon = require "moonwire"
        return { map_modules = { start = function()
          return { moon.start "second", moon.start "third" }
        end } }
        """,
        "third.lua": """
        local moon = require "moonwire"
        return { map_modules = { start = function() return moon.stop "third" end } }
        """,
      ], notes)
    try await bench.dispatch("first/start")
    #expect(notes.all == ["first/start", "second/start", "third/start", "third/stop"])
  }

  @Test func `no mapper, and a mapper without an answer, change nothing`() async throws {
    // Conformance 62.
    let notes = Notes()
    let bench = try await Self.bench("function() return {} end", notes)
    try await bench.dispatch("m/go")
    try await bench.dispatch("m/come")
    #expect(notes.all == ["m/go", "m/come"])
  }

  @Test func `an unknown module is a fault that names it, and nothing has changed`() async throws {
    let notes = Notes()
    let bench = try await Self.bench(
      "{ go = function() return { moon.start \"first\", moon.start \"frist\" } end }", notes)
    let before = await bench.canonicalState()
    #expect(
      await bench.failure(of: "m/go")?.summary
        == "m module mapper m/go m.lua:4 raised(\"there is no module 'frist'; "
        + "did you mean 'first'?\")"
    )
    #expect(await bench.canonicalState() == before)
    #expect(notes.all == [])
    try await bench.dispatch("m/come")
    #expect(notes.all == ["m/come"], "what was named before the unknown one isn't left over")
  }

  @Test func `what one of several can't take leaves none of them behind`() async throws {
    let notes = Notes()
    let bench = try await Self.bench(
      "{ go = function() return { moon.start \"first\", moon.start(\"second\", { at = 1 }) } end }",
      others: ["second.lua": "return { actions = { start = { at = \"string\" } } }"], notes)
    guard case .invalidPayload(let type, _, _) = await bench.failure(of: "m/go") else {
      Issue.record("the payload doesn't fit")
      return
    }
    #expect(type == "second/start")
    #expect(notes.all.contains("first/start") == false)
    notes.clear()
    try await bench.dispatch("m/come")
    #expect(notes.all == ["m/come"])
  }

  @Test func `mappers that start each other in a circle are stopped with the chain`() async throws {
    let notes = Notes()
    let bench = try await Self.bench(
      "{ go = function() return moon.start \"first\" end }",
      others: [
        "first.lua": """
        local moon = require "moonwire"
        return { map_modules = { start = function() return moon.start "second" end } }
        """,
        "second.lua": """
        local moon = require "moonwire"
        return { map_modules = { start = function() return moon.start "first" end } }
        """,
      ], notes)
    let before = await bench.canonicalState()
    guard case .tooManyMappings(let chain, 16) = await bench.failure(of: "m/go") else {
      Issue.record("a circle has no end")
      return
    }
    #expect(chain.count == 17)
    #expect(
      chain.prefix(3) == [
        "m/go (module mapper m/go of m)", "first/start (module mapper first/start of first)",
        "second/start (module mapper second/start of second)",
      ])
    #expect(chain.last == "second/start")
    #expect(await bench.canonicalState() == before)
    #expect(notes.all == [])
  }

  @Test func `mappers that multiply what they map are stopped`() async throws {
    let notes = Notes()
    let double = """
      function() return { moon.replace("go"), moon.replace("go") } end
      """
    let bench = try await Self.bench(
      "{ go = \(double), [\"m/*\"] = \(double) }", notes)
    guard case .tooManyMappings = await bench.failure(of: "m/go") else {
      Issue.record("it multiplies")
      return
    }
    #expect(notes.all == [])
  }

  @Test func `wrong answers are faults`() async throws {
    let notes = Notes()
    for answer in ["1", "\"first\"", "{ start = \"no name\" }", "{ replace = 5 }", "{ { 7 } }"] {
      let bench = try await Self.bench("{ go = function() return \(answer) end }", notes)
      #expect(
        await bench.failure(of: "m/go")?.summary.contains(
          "a module mapper returns nothing, moon.start(module)") == true, "\(answer)")
    }
    #expect(notes.all == [])
  }

  @Test func `a mapper for all leaves out what the host does`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "m.lua": """
        return {
          routes = { ["/x"] = function() return {} end },
          actions = { go = "Goes" },
          map_modules = function(action) print("modules " .. action.type) end,
          map_navigation = function(action) print("navigation " .. action.type) end,
          reducers = { ["nav/did_set_navigation"] = function() print("completion") end,
            ["nav/route"] = function() print("route") end,
            ["host/started"] = function() print("started") end },
        }
        """
      ])
    try await bench.route("/x")
    #expect(notes.all == ["started", "route", "completion"])
    notes.clear()
    try await bench.dispatch("m/go")
    #expect(notes.all == ["modules m/go", "navigation m/go"])
  }

  @Test func `mappers see the slice and may replace navigation by name`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local moon = require "moonwire"
      return {
        state = { locked = true },
        reducers = { unlock = function(s) s.locked = false end },
        routes = {
          ["/x"] = function() return { title = "X" } end,
          ["/locked"] = function() return { title = "locked" } end,
        },
        map_modules = { ["nav/route"] = function(action, slice)
          if slice.locked and action.payload.url == "/x" then
            return moon.replace(moon.route("/locked"))
          end
        end },
      }
      """
    ])
    try await bench.route("/x")
    try await bench.dispatch("m/unlock")
    try await bench.route("/x")
    #expect(await bench.titles() == ["locked", "X"])
  }
}
