import Moonwire
import Testing

/// Continuing an earlier run in another.
struct RestoreTests {
  private static let files = [
    "app.lua": """
    local lifecycle = {}
    for _, stage in ipairs { "load", "did_load", "will_appear", "did_appear", "will_disappear",
        "did_disappear", "will_route", "did_route" } do
      lifecycle[stage] = function(screen) print(stage .. " " .. screen.title) end
    end
    return {
      state = { n = 1 },
      reducers = { go = function(s) s.n = s.n + 1 end },
      routes = {
        ["/x/:n"] = { option = "push", screen = function(r, slice)
          return { title = r.params.n .. "/" .. slice.n }
        end },
        ["/m"] = { option = "modal", screen = function() return { title = "m" } end },
      },
      lifecycle = lifecycle,
    }
    """,
    "other.lua": "return { state = { list = { 1, 2 } } }",
  ]

  private static func used() async throws -> Value {
    let bench = try await Bench(files)
    try await bench.dispatch("app/go")
    try await bench.route("/x/1")
    try await bench.route("/x/2")
    try await bench.route("/m")
    return try #require(await bench.host.state(of: bench.session))
  }

  @Test func `a state goes on byte for byte, its screens appear and live`() async throws {
    let state = try await Self.used()
    let notes = Notes()
    let bench = try await Bench.noting(notes, Self.files)
    notes.clear()
    let session = try await bench.host.openSession(restoring: state)
    #expect(await bench.host.state(of: session)?.canonicalText == state.canonicalText)
    #expect(
      Set(notes.all) == [
        "load 1/2", "did_load 1/2", "load 2/2", "did_load 2/2", "load m", "did_load m",
        "will_appear m", "did_appear m",
      ])
    #expect(notes.all.suffix(2) == ["will_appear m", "did_appear m"])
    try await bench.host.back(in: session)
    try await bench.host.back(in: session)
    #expect(await bench.host.navigationTree(of: session)?.screens.map(\.title) == ["1/2"])
    #expect(try await bench.state("navigation") == nil, "the other session is left alone")
  }

  @Test func `screens are made by the modules that are there`() async throws {
    let state = try await Self.used()
    var files = Self.files
    files["app.lua"] = """
      return {
        state = { n = 5, fresh = true },
        routes = { ["/x/:n"] = function(r, slice)
          return { title = "new " .. r.params.n .. "/" .. slice.n }
        end },
      }
      """
    let bench = try await Bench(files)
    let session = try await bench.host.openSession(restoring: state)
    let screens = await bench.host.navigationTree(of: session)?.screens ?? []
    #expect(screens.map(\.title) == ["new 1/2", "new 2/2", "m"])
    #expect(screens.map(\.isPlaceholder) == [false, false, true])
    #expect(
      await bench.host.state(of: session)?.value(at: try Path(parsing: "app")) == [
        "n": 2, "fresh": true,
      ])
  }

  @Test func `what is dispatched meanwhile goes to the session that is restored`() async throws {
    let state = try await Self.used()
    var files = Self.files
    files["app.lua"] = """
      return {
        state = { n = 1 },
        reducers = { went = function(s) s.n = s.n + 1 end },
        routes = { ["/x/:n"] = function(r) return {} end, ["/m"] = function() return {} end },
        lifecycle = { did_appear = function(screen, event, slice, self) self.dispatch("went") end },
      }
      """
    let bench = try await Bench(files)
    try await bench.dispatch("app/went")
    let session = try await bench.host.openSession(restoring: state)
    #expect(try await bench.state("app.n") == 2)
    #expect(await bench.host.state(of: session)?["app"]?["n"] == 3)
    // The previous session is closed when the next one is restored.
    await bench.host.closeSession(session)
    let next = try await bench.host.openSession(restoring: state)
    #expect(await bench.host.state(of: next)?["app"]?["n"] == 3)
  }

  static let wrong: [(Value, RestoreError?)] = [
    (5, .notAState),
    (["no name": [:]], .unknownSlice("no name")),
    (["host": [:]], .unknownSlice("host")),
    (["nav": [:]], .unknownSlice("nav")),
    (["app": 5], .notASlice("app")),
    (["navigation": 5], nil),
    (["navigation": ["windows": [["id": "w", "root": ["id": "w"]]]]], nil),
    (["navigation": ["windows": [["id": "w", "root": ["id": "a"]]], "key": "v"]], nil),
    (["navigation": ["windows": [], "loaded": ["a"]]], nil),
  ]

  @Test(arguments: wrong)
  func `what is no state is refused, and no session is opened`(
    state: Value, error: RestoreError?
  ) async throws {
    let bench = try await Bench(Self.files)
    do throws(RestoreError) {
      _ = try await bench.host.openSession(restoring: state)
      Issue.record("\(state.canonicalText) is no state")
    } catch let found {
      if let error {
        #expect(found == error)
      } else if case .navigation = found {
      } else {
        Issue.record("\(found)")
      }
    }
    let next = await bench.host.openSession()
    #expect("\(next)" == "session 2")
  }

  @Test func `slices of modules that aren't there wait for them`() async throws {
    let host = try Host(directory: nil, options: Bench.quiet)
    let session = try await host.openSession(restoring: ["later": ["n": 7]])
    #expect(await host.state(of: session)?.canonicalText == "{}")
    try await host.add(try Module("later", state: ["n": 0, "m": 1]) { _ in })
    #expect(await host.state(of: session)?.canonicalText == "{\"later\":{\"m\":1,\"n\":7}}")
  }

  @Test func `an empty state is a new session`() async throws {
    let bench = try await Bench(Self.files)
    let session = try await bench.host.openSession(restoring: [:])
    #expect(await bench.host.state(of: session)?.canonicalText == bench.canonicalState())
  }
}
