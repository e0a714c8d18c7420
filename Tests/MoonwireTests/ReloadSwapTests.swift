import MoonTestSupport
import Moonwire
import Testing

/// The effect of a reload on the state and on registrations.
@Suite(.timeLimit(.minutes(2))) struct ReloadSwapTests {
  /// Saves a module and reloads it explicitly.
  private func reload(_ bench: Bench, _ text: String, _ name: String = "a") async throws -> [String]
  {
    try bench.folder.save("\(name).lua", text)
    return await bench.host.reload(ModuleName(name)).map(\.summary)
  }

  private static let first = """
    return {
      version = 1,
      state = { n = 1, deep = { x = 1 } },
      reducers = { add = function(s, p) s.n = s.n + (p.by or 1) end },
    }
    """

  @Test func `a reload by hand is done also where nothing has changed`() async throws {
    let bench = try await Bench(["a.lua": Self.first, "b.lua": Self.first])
    #expect(
      await bench.host.reload(ModuleName("a")).map(\.summary) == ["reloaded a 1→2 kept"])
    #expect(
      await bench.host.reload().map(\.summary)
        == ["reloaded a 2→3 kept", "reloaded b 1→2 kept"])
    #expect(await bench.host.reload(ModuleName("nobody")).isEmpty)
  }

  @Test func `a reload by hand finds new, broken and deleted files`() async throws {
    let bench = try await Bench(["a.lua": Self.first, "b.lua": Self.first])
    try bench.folder.save("c.lua", Self.first)
    try bench.folder.save("b.lua", "return {")
    try bench.folder.remove("a.lua")
    try bench.folder.save("d-d.lua", "return {}")
    let events = await bench.host.reload().map(\.summary)
    #expect(
      events.map { $0.split(separator: ":")[0] } == [
        "failed - running none", "failed b running 1", "started c 1", "removed a",
      ])
  }

  @Test func `new entries of the default state are filled in at any depth`() async throws {
    let bench = try await Bench(["a.lua": Self.first])
    try await bench.dispatch("a/add", ["by": 4])
    let events = try await reload(
      bench,
      """
      return {
        version = 1,
        state = { n = 100, deep = { x = 100, y = { z = 3 } }, list = { 1 }, deeper = {} },
        reducers = { add = function(s, p) s.n = s.n + (p.by or 1) end },
      }
      """)
    #expect(events == ["reloaded a 1→2 filled deep.y,deeper,list"])
    #expect(
      try await bench.state("a")
        == ["n": 5, "deep": ["x": 1, "y": ["z": 3]], "list": [1], "deeper": .map(Map())])
  }

  @Test func `what stands in the state is kept where the default is of another kind`() async throws
  {
    let bench = try await Bench(["a.lua": "return { state = { n = 1, gone = 2, list = { 1 } } }"])
    #expect(
      try await reload(bench, "return { state = { n = { x = 1 }, list = { 7, 8 } } }")
        == ["reloaded a 1→2 kept"])
    #expect(try await bench.state("a") == ["n": 1, "gone": 2, "list": [1]])
  }

  @Test func `a higher version is made by migrate, with new defaults`() async throws {
    let bench = try await Bench(["a.lua": Self.first])
    try await bench.dispatch("a/add", ["by": 4])
    #expect(
      try await reload(
        bench,
        """
        return {
          version = 3,
          state = { count = 0, extra = true },
          migrate = function(old, from) return { count = old.n * 10 + from } end,
        }
        """) == ["reloaded a 1→2 migrated 1→3 -reducer a/add"])
    #expect(try await bench.state("a") == ["count": 51, "extra": true])
    #expect(try await bench.info("a")?.version == 3)
  }

  @Test func `a higher version without migrate starts over and says so`() async throws {
    let bench = try await Bench(["a.lua": Self.first])
    try await bench.dispatch("a/add", ["by": 4])
    #expect(
      try await reload(bench, "return { version = 2, state = { m = 1 } }")
        == ["reloaded a 1→2 put aside 1, new 2 -reducer a/add"])
    #expect(try await bench.state("a") == ["m": 1])
  }

  @Test func `a lower version starts over, whatever migrate could do`() async throws {
    let bench = try await Bench(["a.lua": Self.first.replacing("version = 1", with: "version = 2")])
    #expect(
      try await reload(
        bench,
        "return { version = 1, state = { m = 1 }, migrate = function(old) return old end }")
        == ["reloaded a 1→2 put aside 2, new 1 -reducer a/add"])
    #expect(try await bench.state("a") == ["m": 1])
  }

  @Test(arguments: [
    ("error('can not')", "a.lua:4 raised(\"can not\")"),
    ("return nil", "a.lua:3 raised(\"migrate returns the new state as a table\")"),
    ("return 5", "a.lua:3 raised(\"migrate returns the new state as a table\")"),
    ("old.f = print return old", "a.lua:3 raised("),
  ])
  func `a migrate that fails leaves the old generation in service`(
    body: String, problem: String
  ) async throws {
    let bench = try await Bench(["a.lua": Self.first, "b.lua": Self.first])
    let before = try #require(await bench.host.state(of: bench.session))
    let text = """
      return {
        version = 2,
        migrate = function(old)
          \(body)
        end,
      }
      """
    let events = try await reload(bench, text)
    #expect(events.count == 1)
    #expect(events[0].hasPrefix("failed a running 1: \(problem)"), "\(events)")
    #expect(try #require(await bench.host.state(of: bench.session)).isIdentical(to: before))
    #expect(try await bench.info("a")?.status == .stale)
    try await bench.dispatch("a/add")
    #expect(
      try await reload(bench, text.replacing(body, with: "return { n = old.n }"))
        == ["reloaded a 1→3 migrated 1→2 -reducer a/add"])
    #expect(try await bench.state("a") == ["n": 2])
  }

  @Test func `a failed migrate is recovered from when the old text returns`() async throws {
    let bench = try await Bench(["a.lua": Self.first], following: .yes)
    try bench.folder.save(
      "a.lua", "return { version = 2, migrate = function() error('no') end }")
    try await bench.events.upTo("failed a running 1")
    // A rescan doesn't retry a load that failed.
    try await bench.host.load()
    try bench.folder.save("b.lua", Self.first)
    #expect(try await bench.events.upTo("started b") == ["started b 1"])
    try bench.folder.save("a.lua", Self.first)
    try await bench.events.upTo("recovered a 1")
  }

  @Test func `every session's slice is brought up to date`() async throws {
    let bench = try await Bench(["a.lua": Self.first])
    let other = await bench.host.openSession()
    try await bench.dispatch("a/add", ["by": 4])
    try await bench.host.dispatch(Action("a/add", ["by": 8]), to: other)
    _ = try await reload(
      bench,
      "return { version = 2, migrate = function(old) return { m = old.n } end }")
    #expect(try await bench.state("a") == ["m": 5])
    #expect(await bench.host.state(of: other)?["a"] == ["m": 9])
  }

  @Test func `one session whose slice can't be migrated keeps all at the old generation`()
    async throws
  {
    let bench = try await Bench(["a.lua": Self.first])
    let other = await bench.host.openSession()
    try await bench.host.dispatch(Action("a/add", ["by": 8]), to: other)
    let events = try await reload(
      bench,
      """
      return { version = 2, migrate = function(old)
        if old.n > 5 then error("too many") end
        return { m = old.n }
      end }
      """)
    #expect(events == ["failed a running 1: a.lua:2 raised(\"too many\")"])
    #expect(try await bench.state("a.n") == 1)
    #expect(await bench.host.state(of: other)?["a"]?["n"] == 9)
  }

  @Test func `a module that comes back with a higher version is migrated`() async throws {
    let bench = try await Bench(["a.lua": Self.first])
    try await bench.dispatch("a/add", ["by": 4])
    try bench.folder.remove("a.lua")
    #expect(await bench.host.reload().map(\.summary) == ["removed a"])
    #expect(
      try await reload(
        bench, "return { version = 2, migrate = function(old) return { m = old.n } end }")
        == ["started a 2"])
    #expect(try await bench.state("a") == ["m": 5])
  }

  @Test func `a module that comes back and can't be migrated starts again and says so`()
    async throws
  {
    let bench = try await Bench(["a.lua": Self.first])
    try bench.folder.remove("a.lua")
    await bench.host.reload()
    _ = try await reload(
      bench, "return { version = 2, state = { m = 0 }, migrate = function() error('no') end }")
    #expect(try await bench.state("a") == ["m": 0])
    #expect(
      try await bench.events.upTo("fault").last
        == "fault session 1 a migrate migrate a.lua:1 raised(\"no\")")
  }

  @Test func `a slice of a module without default state is kept`() async throws {
    let text = "return { version = 3, reducers = { go = function(s) s.n = (s.n or 0) + 1 end } }"
    let bench = try await Bench(["a.lua": text])
    try await bench.dispatch("a/go")
    #expect(try await reload(bench, text + " -- again") == ["reloaded a 1→2 kept"])
    try await bench.dispatch("a/go")
    #expect(try await bench.state("a.n") == 2)
  }

  @Test func `a module that gets its first state has it, and one that never had any has none`()
    async throws
  {
    let bench = try await Bench(["a.lua": "return {}"])
    #expect(try await reload(bench, "return { description = 'x' }") == ["reloaded a 1→2 stateless"])
    #expect(try await reload(bench, "return { state = { n = 1 } }") == ["reloaded a 2→3 added"])
    #expect(try await bench.state("a") == ["n": 1])
    #expect(try await reload(bench, "return {}") == ["reloaded a 3→4 kept"])
    #expect(try await bench.state("a") == ["n": 1])
  }

  @Test func `what is no longer registered is gone, and nothing is there twice`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      ["a.lua": Self.first],
      adding: [
        {
          try Module("log") { log in
            log.reducers.append(
              Reducer(.exact("log/note")) { _, action in
                notes.add(action.payload["what"]?.stringValue ?? "")
              })
          }
        }
      ])
    let observing = """
      return {
        state = { n = 1 },
        reducers = { add = function(s) s.n = s.n + 1 end, ["log/note"] = function() end },
        observe = { ["a.n"] = function(_, _, self)
          self.dispatch("log/note", { what = "WHAT" })
        end },
      }
      """
    #expect(
      try await reload(bench, observing.replacing("WHAT", with: "one"))
        == ["reloaded a 1→2 kept +reducer log/note +observer a.n"])
    #expect(
      try await reload(bench, observing.replacing("WHAT", with: "two")) == ["reloaded a 2→3 kept"])
    try await bench.dispatch("a/add")
    #expect(notes.all == ["two"])
    #expect(
      try await reload(bench, Self.first)
        == ["reloaded a 3→4 kept -reducer log/note -observer a.n"])
    try await bench.dispatch("a/add")
    #expect(notes.all == ["two"])
    #expect(
      try await reload(bench, "return {}") == ["reloaded a 4→5 kept -reducer a/add"])
    #expect(await bench.failure(of: "a/add") == .unknownType("a/add", nearest: nil))
  }

  @Test func `observers are told of what a reload makes of the state`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      [
        "a.lua": Self.first,
        "b.lua": """
        return {
          state = { seen = moon },
          reducers = { note = function(s, p) s.seen = p.n end },
          observe = { ["a.n"] = function(n, _, self)
            self.dispatch("note", { n = n or "gone" })
          end },
        }
        """,
      ],
      adding: [
        {
          try Module("eye") { eye in
            eye.observers.append(
              Observer(Path([.key("a")])) { new, old, _ in
                notes.add("\(old?.canonicalText ?? "-") → \(new?.canonicalText ?? "-")")
              })
          }
        }
      ])
    _ = try await reload(bench, "return { state = { n = 5, deep = { x = 2 } } }")
    #expect(notes.all == [])
    _ = try await reload(bench, "return { version = 2, state = { n = 7 } }")
    #expect(notes.all == [#"{"deep":{"x":1},"n":1} → {"n":7}"#])
    #expect(try await bench.state("b.seen") == 7)
    try bench.folder.remove("a.lua")
    _ = await bench.host.reload()
    #expect(notes.all.last == #"{"n":7} → -"#)
    #expect(try await bench.state("b.seen") == "gone")
    notes.clear()
    _ = try await reload(bench, "return { version = 2, state = { n = 9 } }")
    #expect(notes.all == [])
  }

  @Test func `reloading doesn't start a module again, and tells those that listen`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      ["a.lua": Self.first],
      adding: [
        {
          try Module("log") { log in
            log.reducers.append(
              Reducer(.family(prefix: "host/")) { _, action in
                notes.add("\(action.type) \(action.payload.canonicalText)")
              })
          }
        }
      ])
    notes.clear()
    _ = try await reload(bench, Self.first.replacing("version", with: "on_start = print, version"))
    try bench.folder.save("a.lua", "return {\n  broken")
    _ = await bench.host.reload()
    try bench.folder.save("b.lua", Self.first)
    try bench.folder.remove("a.lua")
    _ = await bench.host.reload()
    #expect(
      notes.all == [
        #"host/reloaded {"actions":[],"module":"a","state":{"deep":{"x":1},"n":1},"version":1}"#,
        #"host/failed {"file":"a.lua","line":2,"module":"a"}"#,
        #"host/stopped {"module":"a"}"#,
        #"host/started {"actions":[],"module":"b","state":{"deep":{"x":1},"n":1},"version":1}"#,
      ])
  }

  @Test func `a session that opens later is told of what had failed before`() async throws {
    let bench = try await Bench([
      "a.lua": "return {\n  broken",
      "b.lua": """
      return { state = { seen = {} }, reducers = { ["host/failed"] = function(s, p)
        table.insert(s.seen, p)
      end } }
      """,
    ])
    #expect(try await bench.state("b.seen") == [["module": "a", "file": "a.lua", "line": 2]])
  }
}
