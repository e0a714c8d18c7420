import MoonTestSupport
import Moonwire
import Testing

/// Only the host makes `host/…` and `nav/did_…`, so listeners can rely on these announcements.
struct HostActionTests {
  static let types = ["host/started", "host/nothing", "nav/did_push", "nav/did_nothing"]

  private static let listener = """
    return {
      state = { heard = {} },
      actions = { note = "Notes" },
      reducers = {
        ["host/*"] = function(s, p, a) s.heard[#s.heard + 1] = a.type end,
        ["host/nothing"] = function() end,
        ["nav/did_push"] = function(s, p, a) s.heard[#s.heard + 1] = a.type end,
        ["nav/did_set_navigation"] = function(s, p, a) s.heard[#s.heard + 1] = a.type end,
        ["nav/did_nothing"] = function() end,
      },
      routes = { ["/x"] = function() return { title = "x" } end },
    }
    """

  private static func sentence(_ type: String) -> String {
    "\(type) can't be dispatched: only the host makes host/… and nav/did_… actions; dispatch an"
      + " action of the module's own"
  }

  @Test(arguments: types)
  func `nobody else can dispatch one`(type: String) async throws {
    let bench = try await Bench(
      ["listener.lua": Self.listener],
      adding: [
        {
          try Module("s", state: ["x": 0]) { module in
            module.reducers.append(Reducer(.exact("s/go")) { state, _ in state = ["x": 1] })
            module.observers.append(
              Observer(Path([.key("s")])) { _, _, context in
                try context.dispatch(
                  Action(Text(type), meta: Action.Meta(cause: .host)))
              })
          }
        }
      ])
    for cause in [Cause.native, .prompt, .commandLine, .screen("x")] {
      await #expect(throws: DispatchError.reservedForHost(type)) {
        try await bench.host.dispatch(Action(Text(type)), to: bench.session, cause: cause)
      }
    }
    let outcome = try await bench.dispatch("s/go")
    #expect(outcome.faults.map(\.reason) == [.raised(Self.sentence(type))])
    #expect(!(try await Self.heard(bench)).contains(type))
    await #expect(throws: Fault.self) {
      try await bench.host.evaluate("dispatch('\(type)')", in: bench.session)
    }
  }

  private static func heard(_ bench: Bench) async throws -> [String] {
    let list = try await bench.state("listener.heard")?.listValue
    // The messages from the start of the modules don't matter here.
    return (list ?? List()).compactMap(\.stringValue).filter { $0 != "host/started" }
  }

  @Test(arguments: types)
  func `a module's dispatch of one is refused with the line and the reason`(
    type: String
  ) async throws {
    let bench = try await Bench([
      "listener.lua": Self.listener,
      "m.lua": """
      return {
        state = { n = 0 },
        reducers = { go = function(s) s.n = s.n + 1 end },
        observe = { ["m.n"] = function(_, _, self)
          self.dispatch("\(type)", {})
        end },
      }
      """,
    ])
    let outcome = try await bench.dispatch("m/go")
    let fault = try #require(outcome.faults.first)
    #expect(fault.reason == .raised(Self.sentence(type)))
    #expect(fault.place == SourcePlace(file: "m.lua", line: 5))
    #expect(try await Self.heard(bench) == [])
  }

  @Test(arguments: ["middleware", "map_modules"], types)
  func `nobody can put one in the place of another action`(key: String, type: String) async throws {
    let value =
      key == "middleware"
      ? "{ on = 'listener/note', run = function() return { type = '\(type)', payload = {} } end }"
      : "{ ['listener/note'] = function() return moon.replace { type = '\(type)' } end }"
    let bench = try await Bench([
      "listener.lua": Self.listener,
      "m.lua": "local moon = require 'moonwire'\nreturn { \(key) = \(value) }",
    ])
    let error = await bench.failure(of: "listener/note")
    if key == "middleware", case .fault(let fault) = error {
      #expect(fault.module == "m")
      #expect(fault.reason == .raised(DispatchError.reservedForHost(type).description))
    } else {
      #expect(error == .reservedForHost(type))
    }
    #expect(try await Self.heard(bench) == [])
  }

  @Test(arguments: [
    ("function() return { type = 'host/reloaded', payload = { module = 'other' } } end", false),
    ("function(a) return { a, a } end", true), ("function() return true end", true),
    ("function() return false end", false),
  ])
  func `middleware passes and drops those of the host, and changes none`(
    middleware: String, hasListeners: Bool
  ) async throws {
    let bench = try await Bench([
      "listener.lua": Self.listener,
      "m.lua": "return { middleware = { on = 'host/reloaded', run = \(middleware) } }",
    ])
    try bench.folder.save("listener.lua", Self.listener + "\n")
    await bench.host.reload()
    let heard = try await Self.heard(bench)
    #expect(Set(heard) == (hasListeners ? ["host/reloaded"] : []))
  }

  @Test func `a module that comes between two navigations hears the second`() async throws {
    let bench = try await Bench([
      "m.lua": "return { routes = { ['/y'] = function() return { title = 'y' } end } }"
    ])
    try await bench.host.route("/y", in: bench.session)
    try bench.folder.save("listener.lua", Self.listener)
    await bench.host.reload()
    try await bench.host.route("/y", in: bench.session)
    #expect(try await Self.heard(bench).filter { $0.hasPrefix("nav/") } == ["nav/did_push"])
  }

  @Test func `those of the host are heard, and navigation is anybody's`() async throws {
    let bench = try await Bench([
      "listener.lua": Self.listener,
      "m.lua": """
      return { on_start = function(self) self.dispatch("nav/push", { screen = "/x" }) end }
      """,
    ])
    #expect(try await Self.heard(bench) == ["nav/did_set_navigation"])
    try await bench.dispatch("nav/push", ["screen": "/x"])
    #expect(try await Self.heard(bench) == ["nav/did_set_navigation", "nav/did_push"])
  }
}
