import Logging
import MoonBuiltIns
import MoonTestSupport
import Moonwire
import Testing

/// The grants of modules for actions that control the session.
struct ControlGrantTests {
  private static func source(needs: String) -> String {
    """
    local moon = require "moonwire"
    return moon.module { state = { error = "" }, needs = { \(needs) },
      actions = { go = { type = "string", payload = "table?" }, failed = { error = "string" } },
      reducers = { failed = function(s, p) s.error = p.error end },
      effects = { go = function(p, self)
        local done, problem = pcall(self.dispatch, p.type, p.payload)
        if not done then self.dispatch("m/failed", { error = tostring(problem) }) end
      end },
      middleware = { on = "m/replaced", run = function() return { type = "timeline/lock" } end },
      map_modules = { ["m/mapped"] = function() return moon.replace("timeline/lock") end },
      routes = { ["/s"] = function() return { title = "S", body = { moon.ui.actions {
        moon.ui.button("Next", "timeline/lock") } } } end } }
    """
  }

  /// Opens a session with all built-in modules, and `m`, which is granted what it needs.
  private static func session(
    needs: String = "", beside others: [String: String] = [:]
  ) async throws -> (Host, SessionID, ScriptFolder) {
    let folder = try ScriptFolder(others.merging(["m.lua": source(needs: needs)]) { $1 })
    var options = HostOptions()
    options.logger.logLevel = .critical
    options.grants.allowsAll = true
    options.timeline = Timeline.Limits()
    let host = try Host(directory: folder.root, options: options)
    for builtIn in [
      BuiltIn.timeline, .actionBlocker, .actionBlocklist, .retriever, .recorder, .crashDetector,
    ] {
      try await host.add(builtIn.module())
    }
    try await host.load()
    return (host, await host.openSession(), folder)
  }

  static let controls = [
    "timeline/reset", "timeline/lock", "action_blocker/enable", "action_blocklist/enable",
    "retriever/play", "retriever/stop", "crash/did", "api/disable", "api/enable",
  ]

  @Test(arguments: controls)
  func `a module without a grant can't control the session`(type: String) async throws {
    let (host, session, folder) = try await Self.session()
    try await host.dispatch(Action("m/go", ["type": .string(Text(type))]), to: session)
    let error = await host.state(of: session)?["m"]?["error"]?.stringValue ?? ""
    let scope = "control:\(type.prefix { $0 != "/" })"
    #expect(error.contains("module m may not dispatch \(type)"))
    #expect(error.contains("needs = { \"\(scope)\" }"))
    _ = folder
  }

  @Test(arguments: controls)
  func `the scope of each can be written`(type: String) throws {
    let owner = type.prefix { $0 != "/" }
    #expect(try Scope(parsing: "control:\(owner)").covers(try Scope(parsing: "control:\(owner)")))
    #expect(throws: ScopeError.self) { try Scope(parsing: "control:\(type)") }
  }

  @Test func `a grant lets it`() async throws {
    let (host, session, folder) = try await Self.session(needs: "\"control:timeline\"")
    try await host.dispatch(Action("m/go", ["type": "timeline/lock"]), to: session)
    #expect(await host.timeline(of: session)?.isLocked == true)
    _ = folder
  }

  @Test(arguments: ["m/replaced", "m/mapped"])
  func `nor by putting such an action in the place of another`(type: String) async throws {
    let (host, session, folder) = try await Self.session()
    do {
      try await host.dispatch(Action(Text(type)), to: session)
      Issue.record("it was carried out")
    } catch {
      #expect("\(error)".contains("module m may not dispatch timeline/lock"))
    }
    _ = folder
  }

  @Test func `its own requests are a module's to switch`() async throws {
    let (host, session, folder) = try await Self.session()
    for fields: Value in [["module": "m"], ["module": "m", "holder": .null]] {
      try await host.dispatch(
        Action("m/go", ["type": "api/disable", "payload": fields]), to: session)
      #expect(await host.state(of: session)?["m"]?["error"] == "")
    }
    for fields: Value in [["module": "timeline"], ["module": "m", "holder": "m"]] {
      try await host.dispatch(
        Action("m/go", ["type": "api/disable", "payload": fields]), to: session)
      #expect(await host.state(of: session)?["m"]?["error"] != "")
    }
    _ = folder
  }

  @Test func `the URL and a control on a screen are no ways around it`() async throws {
    let (host, session, folder) = try await Self.session()
    try await host.dispatch(
      Action("m/go", ["type": "nav/route", "payload": ["url": "/timeline"]]), to: session)
    #expect(await host.timeline(of: session)?.isPast == false)
    try await host.dispatch(.route("/s"), to: session)
    await #expect(throws: ScreenError.self) {
      try await host.use(.number(1), in: session)
    }
    _ = folder
  }

  @Test func `what a module adds to another's screen has no more rights than the module`()
    async throws
  {
    let (host, session, folder) = try await Self.session(beside: [
      "own.lua": """
      local moon = require "moonwire"
      return moon.module { needs = { "control:timeline" },
        routes = { ["/own"] = function() return { kind = "own", title = "Own" } end },
        views = { own = function(screen)
          local given = screen.props.actions or {}
          return { moon.ui.button("Own", "timeline/lock"), moon.ui.slot "x",
            given.go and moon.ui.button("Given", given.go) }
        end } }
      """,
      "guest.lua": """
      local moon = require "moonwire"
      return moon.module {
        extends = { ["own/own#x"] = function() return moon.ui.button("Added", "timeline/lock") end },
        connect = { on = "own/*", from = { "own" },
          actions = function() return { go = "timeline/lock" } end } }
      """,
    ])
    try await host.dispatch(.route("/own"), to: session)
    for name in ["Added", "Given"] {
      await #expect(throws: ScreenError.self) { try await host.use(.name(name), in: session) }
    }
    #expect(await host.timeline(of: session)?.isLocked == false)
    try await host.use(.name("Own"), in: session)
    #expect(await host.timeline(of: session)?.isLocked == true)
    _ = folder
  }

  @Test func `people and the program may`() async throws {
    let (host, session, folder) = try await Self.session()
    try await host.dispatch(Action("action_blocker/enable"), to: session)
    #expect(await host.state(of: session)?["action_blocker"]?["enabled"] == true)
    try await host.dispatch(Action("timeline/lock"), to: session)
    #expect(await host.timeline(of: session)?.isLocked == true)
    _ = folder
  }
}
