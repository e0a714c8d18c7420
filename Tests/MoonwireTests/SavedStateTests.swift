import MoonTestSupport
import Moonwire
import Testing

/// The metadata of a saved state, and its effect in another run.
struct SavedStateTests {
  private static let versioned = """
    return {
      version = 2, state = { items = {} },
      migrate = function(old, from)
        for i, text in ipairs(old.items) do old.items[i] = { text = text, from = from } end
        return old
      end,
    }
    """

  private func restored(
    _ saved: Value, _ files: [String: String]
  ) async throws -> (bench: Bench, session: SessionID) {
    let bench = try await Bench(files)
    return (bench, try await bench.host.openSession(restoring: saved))
  }

  @Test func `a slice of an older version is migrated, and one of this version isn't`()
    async throws
  {
    for (header, expected) in [
      (["format": 2, "versions": ["a": 1]], ["items": [["text": "x", "from": 1]]]),
      (["format": 2, "versions": ["a": 2]], ["items": ["x"]]),
      (["format": 2, "versions": [:]], ["items": [["text": "x", "from": 1]]]),
    ] as [(Value, Value)] {
      let (bench, session) = try await restored(
        ["$moonwire": header, "a": ["items": ["x"]]], ["a.lua": Self.versioned])
      #expect(await bench.host.state(of: session)?["a"] == expected)
    }
  }

  @Test func `a slice without a way to the version is put aside, told, and saved again`()
    async throws
  {
    let saved: Value = ["$moonwire": ["format": 2, "versions": ["a": 3]], "a": ["items": [1]]]
    let (bench, session) = try await restored(saved, ["a.lua": Self.versioned])
    #expect(await bench.host.state(of: session)?["a"] == ["items": [:]])
    let value = await bench.host.savedState(of: session)?.value
    #expect(value?["a@3"] == ["items": [1]])
    #expect(value?["$moonwire"]?["versions"] == ["a": 2])
    let lines = try await bench.events.upTo("slice of a")
    #expect(lines.last == "slice of a put aside 3, new 2")
  }

  @Test func `slices of modules that aren't there are saved again`() async throws {
    let (bench, session) = try await restored(
      ["later": ["n": 7], "a@1": ["m": 1], "a@1#2": ["m": 2], "a@-4": [:]], [:])
    let saved = try #require(await bench.host.savedState(of: session))
    #expect(
      saved.value == [
        "$moonwire": ["format": 2, "versions": [:]], "later@1": ["n": 7], "a@1": ["m": 1],
        "a@1#2": ["m": 2], "a@-4": [:],
      ])
    #expect(try SavedState(saved.value) == saved)
  }

  @Test func `what was saved and restored again is the same`() async throws {
    let bench = try await Bench(["a.lua": Self.versioned, "b.lua": "return { state = { n = 1 } }"])
    try bench.folder.save("b.lua", "return { version = 5, state = { n = 2 } }")
    await bench.host.reload()
    let saved = try #require(await bench.host.savedState(of: bench.session))
    #expect(saved.keptSlices.map(\.version) == [1])
    let session = try await bench.host.openSession(restoring: saved.value)
    #expect(await bench.host.savedState(of: session) == saved)
  }

  static let hooks = """
    return {
      state = { started = 0, restored = 0 },
      reducers = {
        started = function(state) state.started = state.started + 1 end,
        restored = function(state) state.restored = state.restored + 1 end,
      },
      on_start = function(self) self.dispatch("started") end,
      on_restore = function(self) self.dispatch("restored") end,
    }
    """

  @Test func `a module is started once, and restored after that`() async throws {
    let bench = try await Bench(["a.lua": Self.hooks])
    let saved = try #require(await bench.host.savedState(of: bench.session))
    try bench.folder.save("fresh.lua", Self.hooks)
    await bench.host.reload()
    let session = await bench.host.openSession(restoring: saved)
    #expect(await bench.host.state(of: session)?["a"] == ["started": 1, "restored": 1])
    #expect(await bench.host.state(of: session)?["fresh"] == ["started": 1, "restored": 0])
  }

  @Test func `a start that routes leaves restored screens alone`() async throws {
    let app = """
      return {
        routes = {
          ["/start"] = { option = "root", screen = function() return { title = "start" } end },
          ["/deep"] = { option = "push", screen = function() return { title = "deep" } end },
        },
        on_start = function(self) self.route("/start") end,
      }
      """
    let bench = try await Bench(["app.lua": app])
    try await bench.host.route("/deep", in: bench.session)
    let saved = try #require(await bench.host.savedState(of: bench.session))
    let flat = try #require(await bench.host.state(of: bench.session))
    for state in [saved.value, flat] {
      let session = try await bench.host.openSession(restoring: state)
      let titles = await bench.host.navigationTree(of: session)?.screens.map(\.title)
      #expect(titles == ["start", "deep"])
    }
  }

  static let wrong: [(Value, RestoreError)] = [
    (["$moonwire": 5], .malformedHeader("$moonwire.format")),
    (["$moonwire": ["format": 0]], .malformedHeader("$moonwire.format")),
    (["$moonwire": ["format": 3]], .laterFormat(3)),
    (["$moonwire": ["format": 2]], .malformedHeader("$moonwire.versions")),
    (
      ["$moonwire": ["format": 2, "versions": ["a": "x"]]],
      .malformedHeader("$moonwire.versions.a")
    ),
    (["a@": [:]], .unknownSlice("a@")), (["a@x": [:]], .unknownSlice("a@x")),
    (["a@1#x": [:]], .unknownSlice("a@1#x")), (["@1": [:]], .unknownSlice("@1")),
    (["a@1": 5], .notASlice("a@1")),
    (["a@99999999999999999999": [:]], .unknownSlice("a@99999999999999999999")),
  ]

  @Test(arguments: wrong)
  func `what makes no sense is refused`(state: Value, error: RestoreError) {
    #expect(throws: error) { try SavedState(state) }
  }
}
