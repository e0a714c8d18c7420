import MoonTestKit
import MoonTestSupport
import Synchronization
import Testing

private struct Bell: Feature {
  struct State: FeatureState { var rings = 0 }
  struct Ring: TypedAction {}
  struct RingTwice: TypedAction {}
  struct RingLater: TypedAction {}

  var body: some Registrations {
    Reducer { (state: inout State, _: Ring) in state.rings += 1 }
    Effect { (_: RingTwice, context) in
      try await context.dispatch(Ring())
      try await context.dispatch(Ring())
    }
    Effect { (_: RingLater, context) in
      try await context.sleep(for: .seconds(60))
      try await context.dispatch(Ring())
    }
  }
}

/// What a test is told of modules in Lua, and of what is left when it ends early.
struct TestStoreProblemTests {
  private static let observing = """
    return {
      observe = {
        ["bell.rings"] = function(rings)
          return rings.count
        end,
      },
    }
    """

  /// Runs a test, and returns its issues with their lines.
  private func issues(
    in test: () async throws -> Void
  ) async throws -> [(text: String, line: Int)] {
    let issues = Mutex<[(text: String, line: Int)]>([])
    try await withKnownIssue {
      try await test()
    } matching: { issue in
      let text = issue.comments.map { $0.rawValue }.joined()
      issues.withLock { $0.append((text, issue.sourceLocation?.line ?? 0)) }
      return true
    }
    return issues.withLock { $0 }
  }

  @Test func `a script that doesn't load is an issue`() async throws {
    let folder = try ScriptFolder(["torn.lua": "return {\n", "no module.lua": "return {}"])
    let line = #line + 2
    let issues = try await issues {
      let store = try await TestStore(Bell(), scripts: folder.root)
      await store.send(Bell.Ring()) { $0.rings = 1 }
      await store.finish()
    }
    #expect(issues.map(\.line) == [line, line])
    #expect(
      issues.map { $0.text.prefix { $0 != ":" } }.sorted() == ["no module.lua", "torn.lua"])
    #expect(issues.contains { $0.text.hasPrefix("torn.lua:2: module torn has a syntax error: ") })
  }

  @Test func `a fault of a script has its place`() async throws {
    let folder = try ScriptFolder(["observing.lua": Self.observing])
    let line = #line + 3
    let issues = try await issues {
      let store = try await TestStore(Bell(), scripts: folder.root)
      await store.send(Bell.Ring()) { $0.rings = 1 }
      await store.finish()
    }
    #expect(issues.map(\.line) == [line])
    let beginning = "observing.lua:4: observer bell.rings of module observing failed: attempt to"
    #expect(issues.first?.text.hasPrefix(beginning) == true)
  }

  @Test func `what is left is an issue without the call that ends a test`() async throws {
    let line = #line + 2
    let issues = try await issues {
      let store = try await TestStore(Bell())
      await store.send(Bell.RingLater())
      await store.send(Bell.RingTwice())
    }
    #expect(issues.map(\.line) == [line, line])
    #expect(
      issues.map(\.text) == [
        "bell/ring, bell/ring were dispatched, but the test didn't receive them",
        "at the end, bell effect bell/ring_later still runs",
      ])
  }

  @Test func `a test that leaves nothing needs no call that ends it`() async throws {
    let store = try await TestStore(Bell())
    await store.send(Bell.RingLater())
    await store.advance(by: .seconds(60))
    await store.receive(Bell.Ring()) { $0.rings = 1 }
    let other = try await TestStore(Bell(), isExhaustive: false)
    await other.send(Bell.RingTwice())
    await other.send(Bell.RingLater())
  }
}
