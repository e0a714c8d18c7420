import MoonJournal
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// What modules' functions do before a commit, with clocks and random numbers, and a replay of it.
struct RepeatedCallTests {
  /// What differs from run to run.
  private static let chance =
    "{ r = moon.random(1 << 40), m = math.random(), t = os.time(), d = os.date('!%F %T') }"

  /// A module in which one function takes in what differs from run to run.
  private static func app(_ part: String) -> [String: String] {
    [
      "app.lua": """
      local moon = require "moonwire"
      local function chance() return \(chance) end
      local function title() return chance().r .. " " .. os.time() end
      return moon.module {
        state = { n = 0, taken = {} },
        actions = { go = { props = "map?", r = "any?" }, other = { props = "map?" } },
        reducers = {
          go = function(s, p) s.n = s.n + 1 s.taken[s.n] = p.props or false end,
          other = function(s, p) s.n = s.n + 1 s.taken[s.n] = p.props or true end,
          ["nav/push"] = function(s) s.n = s.n + 1 s.taken[s.n] = moon.random(1 << 40) end,
          ["nav/show"] = function(s, _, a) s.n = s.n + 1 s.taken[s.n] = a.meta end,
        },
        \(part)
      }
      """
    ]
  }

  @Test(arguments: [
    "middleware = { on = 'app/go', run = function(a) a.payload.props = chance() return a end }",
    "middleware = { on = 'app/go', run = function() return { { type = 'other', payload = { props = "
      + "chance() } }, { type = 'other', payload = { props = chance() } } } end }",
    "map_modules = { go = function() return moon.replace { type = 'other', payload = { props = "
      + "chance() } } end }",
    "routes = { ['/x'] = function() return { id = 'x', props = chance() } end }",
    "handlers = { ['/x'] = function() return { { type = 'nav/push', payload = { screen = "
      + "{ title = title() } } } } end }",
    "routes = { ['/x'] = { screen = function() return { id = 'even' } end, when = function() "
      + "return math.random(2) == 1 end }, ['/:id'] = function() return { id = 'odd' } end }",
    "routes = { ['/x'] = function() return { id = 'x' } end }, "
      + "presenters = { run = function(screen) screen.props = chance() end }",
    "routes = { ['/x'] = function() return { id = 'x', props = {} } end }, "
      + "connect = { from = { 'app' }, props = function() return chance() end }",
    "routes = { ['/x'] = function() return { id = 'x' } end }, routing_options = { run = "
      + "function() return math.random(2) == 1 and moon.push() or moon.modal() end }",
    "routes = { ['/x'] = function() return { id = 'x' } end, ['/y/:r'] = function(r) return { id = "
      + "'y', title = r.params.r } end }, routing_observers = { will = function(route) "
      + "if route.url == '/x' then return moon.redirect('/y/' .. title()) end end }",
    "unmatched = function() return { { type = 'app/other', payload = { props = chance() } } } end",
    "routes = { ['/x'] = function() return { id = 'x' } end }, on_back = function() if "
      + "math.random(2) == 1 then return false end end",
  ])
  func `whatever a function before the commit takes in, a replay has the same state`(
    part: String
  ) async throws {
    let bench = try JournalBench(Self.app(part))
    let file = try JournalFile(bench.path, for: .beginning)
    let state = try await bench.run(on: file) { host, session in
      #expect(await host.moduleInfos().map(\.status) == [.running])
      for _ in 1...4 {
        _ = try? await host.dispatch(Action("app/go"), to: session)
        _ = try? await host.route("/x", in: session)
        _ = try? await host.dispatch(Action("nav/back"), to: session)
      }
      return await host.state(of: session)
    }
    file.close()
    let (replayed, difference) = try await bench.replay()
    #expect(difference == nil)
    #expect(replayed?.canonicalText == state?.canonicalText)
  }

  @Test func `calls get numbers of their own, other ones in each run`() async throws {
    let bench = try JournalBench(
      Self.app(
        "middleware = { on = 'app/go', run = function(a) a.payload.props = chance() return a end }")
    )
    func run() async throws -> [Int64] {
      let host = try await bench.host()
      let session = await host.openSession()
      for _ in 1...3 { try await host.dispatch(Action("app/go"), to: session) }
      let taken = await host.state(of: session)?["app"]?["taken"]?.listValue ?? List()
      return taken.compactMap { $0["r"]?.intValue }
    }
    let numbers = try await run()
    #expect(Set(numbers).count == 3)
    // Sessions that begin a moment later differ, since the time of an action counts.
    var others = try await run()
    for _ in 1...100 where others == numbers { others = try await run() }
    #expect(others != numbers)
  }

  @Test func `actions that take the place of one get numbers of their own`() async throws {
    let bench = try JournalBench([
      "dice.lua": """
      local moon = require "moonwire"
      return moon.module {
        state = { thrown = {} },
        reducers = { one = function(s) s.thrown[#s.thrown + 1] = moon.random(1 << 40) end },
        middleware = { on = "dice/two", run = function() return { { type = "one" },
          { type = "one" } } end },
        actions = { two = {} },
      }
      """
    ])
    let file = try JournalFile(bench.path, for: .beginning)
    let state = try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("dice/two"), to: session)
      #expect(
        await host.history(of: session).entries.map { "\($0.action.meta.id) \($0.action.type)" }
          == ["1 dice/two", "1 dice/one", "2 dice/one"])
      return await host.state(of: session)
    }
    file.close()
    let thrown = try #require(state?["dice"]?["thrown"]?.listValue)
    #expect(thrown.count == 2 && thrown[0] != thrown[1])
    let (replayed, difference) = try await bench.replay()
    #expect(difference == nil)
    #expect(replayed == state)
  }

  @Test func `what people had entered when they went back is as it was`() async throws {
    let bench = try JournalBench([
      "diary.lua": """
      local moon = require "moonwire"
      return { redact = { "diary.secret" },
        routes = { ["/a"] = function() return { id = "a" } end, ["/b"] = function()
          return { id = "b", body = { moon.ui.input { id = "text" }, moon.ui.input { id = "secret" } } }
        end, ["/leave"] = function() return { id = "leave" } end },
        on_back = function(screen) if screen.inputs.text then return "/leave" end end,
      }
      """
    ])
    let file = try JournalFile(bench.path, for: .beginning)
    let state = try await bench.run(on: file) { host, session in
      for url in ["/a", "/b"] { try await host.route(Text(url), in: session) }
      try await host.fill([("text", "Rain")], in: session)
      try await host.fill([("secret", "hush")], in: session)
      try await host.dispatch(Action("nav/back"), to: session)
      return await host.state(of: session)
    }
    file.close()
    #expect(state?.canonicalText.contains("leave") == true)
    let (replayed, difference) = try await bench.replay()
    #expect(difference == nil)
    #expect(replayed == state)
    let recorded = try RecordedRun(bench.path)
    var redaction = Redaction()
    try redaction.noteAll(in: recorded)
    var inputs: [Value] = []
    try recorded.read { [redaction] _, entry in
      if case .commit = entry, let found = (try? redaction.redacted(entry))?.value["inputs"] {
        inputs.append(found)
      }
      return true
    }
    #expect(inputs == [[["secret": "(redacted)", "text": "Rain"]]])
  }

  @Test func `a module that was suspended is so in a replay, until it was resumed`() async throws {
    let bench = try JournalBench([
      "m.lua": """
      return { state = { heard = 0 }, actions = { work = {} },
        reducers = { ["o/hit"] = function(s) s.heard = s.heard + 1 end },
        effects = { work = function() error "no" end } }
      """,
      "o.lua": "return { state = { n = 0 }, reducers = { hit = function(s) s.n = s.n + 1 end } }",
    ])
    let file = try JournalFile(bench.path, for: .beginning)
    let state = try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("o/hit"), to: session)
      for _ in 1...20 { _ = try? await host.dispatch(Action("m/work"), to: session) }
      for _ in 1...3 { try await host.dispatch(Action("o/hit"), to: session) }
      #expect(await host.moduleInfos().first?.status == .suspended)
      let module = try #require(ModuleName("m"))
      _ = await host.perform { $0.resume(module) }
      try await host.dispatch(Action("o/hit"), to: session)
      return await host.state(of: session)
    }
    file.close()
    #expect(state?["m"]?["heard"] == 2 && state?["o"]?["n"] == 5)
    let (replayed, difference) = try await bench.replay()
    #expect(difference == nil)
    #expect(replayed == state)
  }

  @Test func `settings are as recorded, also those that changed in between`() async throws {
    let city = Mutex("Oslo")
    var bench = try JournalBench([
      "w.lua": """
      return { settings = { city = { "string", default = "Rome" } }, state = { seen = "" },
        reducers = { look = function(s, p) s.seen = s.seen .. p.city end },
        middleware = { on = "w/look", run = function(a, _, self)
          a.payload.city = self.settings.city return a end } }
      """
    ])
    bench.settings = SettingSource { _, _ in
      .init(.text(city.withLock { $0 }), from: "the test")
    }
    let file = try JournalFile(bench.path, for: .beginning)
    let state = try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("w/look"), to: session)
      city.withLock { $0 = "Bonn" }
      #expect(await host.perform { $0.updateSettings() }.isEmpty)
      try await host.dispatch(Action("w/look"), to: session)
      return await host.state(of: session)
    }
    file.close()
    #expect(state?["w"]?["seen"] == "OsloBonn")
    bench.settings = .none
    let (replayed, difference) = try await bench.replay()
    #expect(difference == nil)
    #expect(replayed == state)
  }

  @Test func `a resumed session gives no action an id that one had before`() async throws {
    let bench = try JournalBench(
      Self.app("routes = { ['/x'] = function() return { id = 'x' } end }"))
    let file = try JournalFile(bench.path, for: .beginning)
    let ids = try await bench.run(on: file) { host, session in
      try await host.route("/x", in: session)
      return await host.history(of: session).entries.map(\.action.meta.id)
    }
    file.close()
    let resumed = try JournalFile(bench.path, for: .resuming)
    let later = try await bench.run(on: resumed, resumed: true) { host, session in
      try await host.dispatch(Action("app/go"), to: session)
      return await host.history(of: session).entries.map(\.action.meta.id)
    }
    resumed.close()
    #expect(ids.count == 2 && Set(ids).isDisjoint(with: later), "\(ids) \(later)")
  }
}
