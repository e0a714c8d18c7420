import Logging
import MoonTestSupport
import Moonwire
import Testing

/// What the lines of a log say about where they come from.
@Suite(.timeLimit(.minutes(2))) struct LogMetadataTests {
  private static let module = """
    local moon = require "moonwire"
    moon.log.info("loading")
    return moon.module {
      state = { n = 0 },
      actions = { go = {}, note = {}, fail = {} },
      reducers = { note = function() print("noted") end },
      observe = { ["m.n"] = function() error("broken") end },
      effects = {
        go = function(_, self)
          moon.log.warning("before")
          moon.sleep(0)
          moon.log.error("after")
          self.dispatch("fail")
        end,
        fail = function() error("failed") end,
        deny = function() moon.refuse("no") end,
      },
      on_start = function() print("started") end,
    }
    """

  private static func host(_ notes: Notes, adding features: [any Feature] = []) async throws -> (
    ScriptFolder, Host
  ) {
    let folder = try ScriptFolder(["m.lua": module])
    var options = Bench.quiet
    options.logger = Logger(label: "test") { _ in NotingHandler(notes: notes, form: .metadata) }
    let host = try await Host(
      folder.root, features: features, options: options, isWatching: false)
    return (folder, host)
  }

  @Test func `a module's lines have the session and the action`() async throws {
    let notes = Notes()
    let (_, host) = try await Self.host(notes)
    let first = try await host.session()
    let second = try await host.session()
    try await second.dispatch(Action("m/note"))
    try await first.dispatch(Action("m/go"))
    _ = await first.waitForEffects(within: .seconds(10))
    _ = try? await second.dispatch(Action("m/deny"), awaitingEffects: true)
    #expect(
      notes.all == [
        "module=m loading", "module=m session=1 started", "module=m session=2 started",
        "action=1 module=m session=2 noted", "action=1 module=m session=1 before",
        "action=1 module=m session=1 after",
        "action=2 module=m session=1 failed",
        "action=2 module=m session=2 no",
      ])
    await host.close()
  }

  @Test func `problems have the module, and faults the action`() async throws {
    struct Broken: Feature {
      struct State: FeatureState { var n = 0 }
      struct Add: TypedAction {}
      struct Oops: Error {}
      var body: some Registrations {
        Reducer { (state: inout State, _: Add) in state.n += 1 }
        Observer(\State.n) { _, _, _ in throw Oops() }
      }
    }
    let notes = Notes()
    let (folder, host) = try await Self.host(notes, adding: [Broken()])
    let session = try await host.session()
    try await session.dispatch(Broken.Add())
    try folder.save("m.lua", "return { state = 7 }")
    await host.reload()
    let problems = notes.all.filter { !$0.hasSuffix("loading") && !$0.hasSuffix("started") }
    #expect(problems.count == 2)
    #expect(problems.first?.hasPrefix("action=1 module=broken session=1 ") == true)
    #expect(problems.last?.hasPrefix("module=m ") == true)
    await host.close()
  }
}
