import Moonwire
import Testing

@Suite(.timeLimit(.minutes(2))) struct SessionTests {
  static let counter = """
    return {
      state = { count = 0 },
      actions = { add = { by = "integer?" } },
      reducers = {
        add = function(state, payload) state.count = state.count + (payload.by or 1) end,
      },
    }
    """

  @Test func `two sessions on the same modules don't see each other's state`() async throws {
    let bench = try await Bench(["counter.lua": Self.counter])
    let other = await bench.host.openSession()
    try await bench.dispatch("counter/add", ["by": 5])
    try await bench.host.dispatch(Action("counter/add"), to: other)
    #expect(try await bench.state() == ["counter": ["count": 5]])
    #expect(await bench.host.state(of: other) == ["counter": ["count": 1]])
    #expect(await bench.host.history(of: other).entries.map(\.action.meta.id) == [1])
  }

  @Test func `an observer acts in the session that it was told of`() async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter,
      "echo.lua": """
      return {
        state = { seen = 0 },
        reducers = { note = function(state, payload) state.seen = payload.count end },
        observe = { ["counter.count"] = function(count, _, self)
          self.dispatch("note", { count = self.state("counter.count") })
        end },
      }
      """,
    ])
    let other = await bench.host.openSession()
    try await bench.host.dispatch(Action("counter/add", ["by": 3]), to: other)
    #expect(try await bench.state("echo.seen") == 0)
    #expect(await bench.host.state(of: other)?["echo"] == ["seen": 3])
  }

  @Test func `a closed session takes no more and the other goes on`() async throws {
    let bench = try await Bench(["counter.lua": Self.counter])
    let other = await bench.host.openSession()
    await bench.host.closeSession(other)
    await bench.host.closeSession(other)
    await #expect(throws: DispatchError.noSession) {
      try await bench.host.dispatch(Action("counter/add"), to: other)
    }
    await #expect(throws: Fault.self) { try await bench.host.evaluate("1", in: other) }
    #expect(await bench.host.state(of: other) == nil)
    #expect(await bench.host.history(of: other).entries.isEmpty)
    try await bench.dispatch("counter/add")
    #expect(try await bench.state("counter.count") == 1)
  }

  @Test func `sessions are found among others that were closed`() async throws {
    let bench = try await Bench(["counter.lua": Self.counter])
    var open: [SessionID] = []
    for _ in 0..<12 { open.append(await bench.host.openSession()) }
    for closed in [open[0], open[5], open[6], open[11]] {
      await bench.host.closeSession(closed)
      open.removeAll { $0 == closed }
      #expect(await bench.host.state(of: closed) == nil)
      for session in open {
        _ = try await bench.host.dispatch(Action("counter/add"), to: session)
      }
    }
    for session in open {
      #expect(await bench.host.state(of: session)?["counter"]?["count"] == 4)
    }
  }

  @Test func `closing the host closes its sessions and ends its events`() async throws {
    let bench = try await Bench(["counter.lua": Self.counter])
    let stream = bench.host.events()
    await bench.host.close()
    for await _ in stream {}
    #expect(await bench.failure(of: "counter/add") == .noSession)
    #expect(await bench.host.state(of: bench.session) == nil)
  }

  @Test func `on_start and on_stop run in each session, in the order of names`() async throws {
    let hooks = """
      return {
        on_start = function(self) self.dispatch("log/note", { what = "NAME starts" }) end,
        on_stop = function(self) self.dispatch("log/note", { what = "NAME stops" }) end,
      }
      """
    let heard = Notes()
    let bench = try await Bench(
      ["b.lua": hooks.replacing("NAME", with: "b"), "a.lua": hooks.replacing("NAME", with: "a")],
      adding: [
        {
          try Module("log", state: ["notes": []]) { log in
            log.reducers.append(
              Reducer(.exact("log/note")) { state, action in
                heard.add(action.payload["what"]?.stringValue ?? "")
              })
          }
        }
      ])
    let other = await bench.host.openSession()
    #expect(heard.all == ["a starts", "b starts", "a starts", "b starts"])
    await bench.host.closeSession(other)
    #expect(heard.all.suffix(2) == ["a stops", "b stops"])
  }

  @Test
  func `a new session starts its window before anything else, and a restored one restores its own`()
    async throws
  {
    let bench = try await Bench([
      "watcher.lua": """
      return {
        state = { seen = {} },
        on_start = function(self) self.dispatch("note", { what = "start" }) end,
        reducers = {
          note = function(s, p) s.seen[#s.seen + 1] = p.what end,
          ["nav/did_start"] = function(s, p) s.seen[#s.seen + 1] = p.window.id .. " " .. p.origin end,
          ["nav/did_restore"] = function(s, p)
            s.seen[#s.seen + 1] = "again " .. p.window.id .. " " .. p.at .. " " .. p.origin
          end,
        },
      }
      """
    ])
    let host = bench.host
    #expect(try await bench.state("watcher.seen") == ["main code", "start"])
    try await host.navigate(
      NavigationAction(.start(window: "second"), origin: .user), in: bench.session)
    let saved = try #require(await host.savedState(of: bench.session))
    let restored = await host.openSession(restoring: saved)
    #expect(
      await host.state(of: restored)?["watcher"]?["seen"]
        == [
          "main code", "start", "second user", "again main 1 timeline", "again second 2 timeline",
        ])
  }

  @Test func `a session that has never navigated restores its first window`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local moon = require "moonwire"
      return {
        state = { starts = 0, restores = 0 },
        actions = { start = {} },
        reducers = {
          start = function(s) s.starts = s.starts + 1 end,
          ["nav/did_restore"] = function(s) s.restores = s.restores + 1 end,
        },
        map_modules = { ["nav/did_start"] = function() return moon.start "m" end },
      }
      """
    ])
    let saved = try #require(await bench.host.savedState(of: bench.session))
    let restored = await bench.host.openSession(restoring: saved)
    #expect(await bench.host.state(of: restored)?["m"] == ["starts": 1, "restores": 1])
  }

  @Test func `host actions tell of what started, to those that listen`() async throws {
    let bench = try await Bench([
      "watcher.lua": """
      return {
        state = { seen = {} },
        reducers = {
          ["host/*"] = function(state, payload, action)
            local cause = action.meta.cause
            table.insert(state.seen, action.type .. " " .. payload.module .. " " .. cause)
          end,
        },
      }
      """,
      "counter.lua": Self.counter,
    ])
    #expect(
      try await bench.state("watcher.seen")
        == ["host/started counter host", "host/started watcher host"])
  }

  @Test func `an on_start that fails is told and takes nothing with it`() async throws {
    let bench = try await Bench([
      "a.lua": "return { state = { n = 1 }, on_start = function() error('no luck') end }",
      "counter.lua": Self.counter,
    ])
    #expect(
      try await bench.events.upTo("fault").last
        == "fault session 1 a on_start on_start a.lua:1 raised(\"no luck\")")
    #expect(try await bench.state() == ["a": ["n": 1], "counter": ["count": 0]])
    try await bench.dispatch("counter/add")
  }

  @Test func `the history names what was done, its cause and its parent`() async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter,
      "echo.lua": """
      return {
        reducers = { heard = function() end },
        observe = { ["counter.count"] = function(_, _, self) self.dispatch("heard") end },
      }
      """,
    ])
    let outcome = try await bench.host.dispatch(
      Action("counter/add"), to: bench.session, cause: .commandLine)
    #expect(outcome.id == 1)
    #expect(outcome.followingCount == 1)
    #expect(outcome.summary == ["counter.count 0 → 1"])
    let entries = await bench.host.history(of: bench.session).entries
    #expect(entries.map(\.action.type) == ["counter/add", "echo/heard"])
    #expect(entries.map(\.action.meta.id) == [1, 2])
    #expect(entries.map(\.action.meta.parent) == [nil, 1])
    #expect(entries.map(\.action.meta.cause) == [.commandLine, .module("echo", .observer)])
    #expect(entries.map(\.action.meta.time) == [1000.25, 1000.25])
    #expect(await bench.history() == ["counter/add ok", "echo/heard same"])
  }

  @Test func `the history keeps the last actions up to its limit`() async throws {
    let bench = try await Bench(["counter.lua": Self.counter])
    try await bench.host.perform { host in
      for _ in 0..<(History.countMax + 5) {
        _ = try host.dispatch(Action("counter/add"), to: bench.session)
      }
    }
    let entries = await bench.host.history(of: bench.session).entries
    #expect(entries.count == History.countMax)
    #expect(entries.first?.action.meta.id == 6)
  }
}
