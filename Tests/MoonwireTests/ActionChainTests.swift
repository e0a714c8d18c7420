import MoonTestSupport
import Moonwire
import Testing

/// Why an action came, what it did, and what it led to.
struct ActionChainTests {
  private static let files = [
    "a.lua": """
    local calls = 0
    return {
      state = { n = 0 }, actions = { go = { by = "integer" } },
      reducers = { go = function(s, p) s.n = s.n + p.by end },
      middleware = { on = "a/go", run = function(action) return action end },
      effects = { go = function(_, self) self.dispatch("b/heard") end },
    }
    """,
    "b.lua": """
    return {
      state = { m = 0, heard = 0 },
      reducers = { ["a/go"] = function(s) s.m = s.m + 1 end,
        heard = function(s) s.heard = s.heard + 1 end },
      observe = { ["a.n"] = function(n, _, self) if n == 5 then self.dispatch("b/heard") end end },
    }
    """,
  ]

  private func chain(_ bench: Bench, _ id: Int64) async throws -> ActionChain {
    try await bench.host.perform { [session = bench.session] host in
      try ActionChain(of: id, in: session, on: host)
    }
  }

  private func responses(_ chain: ActionChain) -> [String] {
    chain.responses.map { "\($0.registration.kind.rawValue) of \($0.module)" }
  }

  private func texts(_ diff: Diff?) -> [String]? {
    diff?.changes.map {
      "\($0.path) \($0.before?.canonicalText ?? "-") → \($0.after?.canonicalText ?? "-")"
    }
  }

  @Test func `an action names its calls with their changes, and what they led to`() async throws {
    let bench = try await Bench(Self.files)
    try await bench.dispatch("a/go", ["by": 5])
    try await bench.dispatch("a/go", ["by": 1])
    let before = try await bench.state()
    let chain = try await chain(bench, 1)
    let calls = try #require(chain.calls)
    #expect(
      calls.map { "\($0.registration.kind.rawValue) \($0.module)" }
        == ["middleware a", "reducer a", "reducer b"])
    #expect(calls.map { texts($0.changes) } == [nil, ["a.n 0 → 5"], ["b.m 0 → 1"]])
    #expect(calls.allSatisfy { $0.time > .zero })
    #expect(texts(chain.changes) == ["a.n 0 → 5", "b.m 0 → 1"])
    #expect(chain.reduced?.map(\.type) == ["a/go"])
    #expect(responses(chain) == ["observer of b", "effect of a"])
    #expect(chain.following.map(\.action.type) == ["b/heard", "b/heard"])
    #expect(try await bench.state() == before, "asking changes nothing")
    let last = try #require(chain.following.last?.action.meta.id)
    let heard = try await self.chain(bench, last)
    #expect(heard.causes.map(\.meta.id) == [1])
    #expect(texts(heard.changes)?.count == 1 && heard.following.isEmpty)
  }

  @Test func `an action that middleware replaced tells what it became and who responded`()
    async throws
  {
    let bench = try await Bench([
      "a.lua": """
      return {
        state = { n = 0, m = 0 },
        reducers = { one = function(s) s.n = 1 end, two = function(s) s.m = 2 end,
          none = function() end, both = function() end },
        middleware = { on = "a/*", run = function(action)
          if action.type == "a/both" then return { { type = "a/one" }, { type = "a/two" } } end
          if action.type == "a/none" then return false end
        end },
        after_reduce = { on = "a/one", run = function() end },
        map_navigation = { two = function() end },
        effects = { one = function() end, two = function() end, both = function() end },
        observe = { ["a.m"] = function() end },
      }
      """
    ])
    try await bench.dispatch("a/both")
    try await bench.dispatch("a/none")
    let both = try await chain(bench, 1)
    #expect(both.reduced?.map(\.type) == ["a/one", "a/two"])
    #expect(texts(both.changes) == ["a.m 0 → 2", "a.n 0 → 1"])
    #expect(
      responses(both) == [
        "observer of a", "navigation mapper of a", "after-reduce middleware of a", "effect of a",
        "effect of a",
      ])
    #expect(both.responses.suffix(2).map(\.registration.name) == ["a/one", "a/two"])
    let second = try await chain(bench, 2)
    #expect(second.committedWith == 1 && second.entry.action.type == "a/two")
    #expect(second.reduced?.map(\.type) == ["a/two"] && second.calls == nil)
    #expect(responses(second) == ["navigation mapper of a", "effect of a"])
    let none = try await chain(bench, 3)
    #expect(none.reduced?.isEmpty == true && none.responses.isEmpty)
    #expect(none.calls?.map(\.registration.kind) == [.middleware])
  }

  @Test func `what a routing dispatches names the action that routed`() async throws {
    let bench = try await Bench([
      "a.lua": "return { routes = { ['/x'] = function() return { id = 'x' } end } }"
    ])
    try await bench.host.route("/x", in: bench.session)
    let routing = try await chain(bench, 1)
    #expect(routing.committedWith == nil && routing.calls != nil)
    #expect(routing.reduced?.map(\.type) == ["nav/show", "nav/route"])
    #expect(try await chain(bench, 2).committedWith == 1)
  }

  @Test func `what follows from one of several actions names that one`() async throws {
    let bench = try await Bench([
      "a.lua": """
      local moon = require "moonwire"
      local function name(word)
        return function() return { type = "a/heard", payload = { of = word } } end
      end
      return {
        actions = { map = {}, after = {}, plain = {}, drop = {}, heard = { of = "string" } },
        map_navigation = { map = function(_, _, self) self.dispatch("heard", { of = "map" }) end },
        after_reduce = { on = "a/after", run = name "after" },
        middleware = { on = "a/drop", run = function() return false end },
      }
      """
    ])
    try await bench.host.dispatch(
      ["map", "after", "drop", "plain"].map { Action(Text("a/\($0)")) }, to: bench.session)
    let entries = await bench.host.history(of: bench.session).entries
    #expect(Set(entries.prefix(4).map(\.action.meta.id)) == [1, 2, 3, 4])
    #expect(try await chain(bench, 1).following.map { $0.action.payload["of"] } == ["map"])
    #expect(try await chain(bench, 2).following.map { $0.action.payload["of"] } == ["after"])
    #expect(try await chain(bench, 4).following.isEmpty)
    #expect(try await chain(bench, 3).reduced?.isEmpty == true, "it was dropped")
  }

  @Test func `a failed action, and one whose states are gone, say what is known`() async throws {
    var options = Bench.quiet
    options.timeline = Timeline.Limits(countMax: 2)
    let bench = try await Bench(Self.files, options: options)
    for by in 1...3 { try await bench.dispatch("a/go", ["by": .int(Int64(by))]) }
    _ = await bench.failure(of: "a/go")
    let old = try await chain(bench, 1)
    #expect(old.calls == nil && old.changes == nil && old.following.count == 1)
    let failed = try #require(await bench.host.history(of: bench.session).entries.last?.action)
    #expect(try await chain(bench, failed.meta.id).calls == nil)
    await #expect(throws: TimelineError.noStep(99)) { try await self.chain(bench, 99) }
  }
}
