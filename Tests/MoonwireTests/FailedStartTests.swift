import MoonTestSupport
import Moonwire
import Testing

/// Modules that couldn't start, and what the next generation does about it.
struct FailedStartTests {
  private static func module(_ start: String, hook: String = "on_start") -> String {
    """
    return {
      state = { n = 0 },
      actions = { add = {} },
      reducers = { add = function(state) state.n = state.n + 1 end },
      \(hook) = function(self) \(start) end,
    }
    """
  }

  /// Bodies that fail: by an error, by an action that can't be queued, and by one that fails later.
  static let failing = [
    "error('no')", "self.dispatch('ad')", "self.route('/nowhere')",
    "self.dispatch('nav/select_tab', { id = 'x' })",
  ]

  @Test(arguments: failing)
  func `a start that failed is tried again with the next generation, until it succeeds`(
    body: String
  ) async throws {
    let bench = try await Bench(["a.lua": Self.module(body)])
    let generations = [(body, true), ("self.dispatch('add')", true), ("error('no')", false)]
    for (index, (text, startsAgain)) in generations.enumerated() {
      try bench.folder.save("a.lua", Self.module(text) + " -- \(index)")
      let events = await bench.host.reload()
      guard case .reloaded(let reload) = events.first else {
        Issue.record("no reload: \(events.map(\.summary))")
        return
      }
      #expect(reload.startsAgain == startsAgain, "\(text)")
    }
    #expect(try await bench.state("a.n") == 1)
  }

  @Test func `a module that left and came back starts as any other`() async throws {
    let bench = try await Bench(["a.lua": Self.module("error('no')")])
    try bench.folder.remove("a.lua")
    await bench.host.reload()
    try bench.folder.save("a.lua", Self.module("self.dispatch('add')"))
    await bench.host.reload()
    #expect(try await bench.state("a.n") == 1)
  }

  @Test func `a start that failed is tried again in another run`() async throws {
    let bench = try await Bench(["a.lua": Self.module("error('no')")])
    let saved = try #require(await bench.host.savedState(of: bench.session)).value
    #expect(saved["$moonwire"]?["unstarted"] == ["a"])
    let later = try await Bench(["a.lua": Self.module("self.dispatch('add')")])
    let session = try await later.host.openSession(restoring: saved)
    #expect(await later.host.state(of: session)?["a"] == ["n": 1])
    let done = try #require(await later.host.savedState(of: session)).value
    #expect(done["$moonwire"]?["unstarted"] == nil)
  }

  @Test func `a restoring that failed is tried again, and isn't a start`() async throws {
    let bench = try await Bench(["a.lua": Self.module("error('no')", hook: "on_restore")])
    let saved = try #require(await bench.host.savedState(of: bench.session)).value
    let session = try await bench.host.openSession(restoring: saved)
    #expect(await bench.host.savedState(of: session)?.value["$moonwire"]?["unstarted"] == nil)
    try bench.folder.save("a.lua", Self.module("self.dispatch('add')", hook: "on_restore"))
    await bench.host.reload()
    #expect(await bench.host.state(of: session)?["a"] == ["n": 1])
    #expect(try await bench.state("a.n") == 0)
  }
}
