import MoonTestSupport
import Moonwire
import Testing

/// A session's state, followed from Swift.
@Suite(.timeLimit(.minutes(2))) struct HostStatesTests {
  private static let m = """
    return {
      state = { n = 0, other = 0 },
      reducers = {
        set = function(s, p) s.n = p.to end, touch = function(s) s.other = s.other + 1 end,
      },
    }
    """

  private func set(_ bench: Bench, _ numbers: [Int64]) async throws {
    for number in numbers { try await bench.dispatch("m/set", ["to": .int(number)]) }
  }

  private func all<Element: Sendable>(_ stream: AsyncStream<Element>) async -> [Element] {
    var all: [Element] = []
    for await element in stream { all.append(element) }
    return all
  }

  @Test func `the whole state comes as it is, and then after each commit`() async throws {
    let bench = try await Bench(["m.lua": Self.m])
    let states = await bench.host.states(of: bench.session, buffering: .newest(10))
    try await set(bench, [1, 1, 2])
    await bench.host.closeSession(bench.session)
    #expect(await all(states).map { $0["m"]?["n"] ?? .null } == [0, 1, 2])
  }

  @Test func `a slice and a part come whenever they have changed`() async throws {
    let bench = try await Bench(["m.lua": Self.m])
    let session = HostSession(bench.session, on: bench.host)
    let slices = try await session.values(at: "m", buffering: .newest(10))
    let parts = try await session.values(at: "m.n", buffering: .newest(10))
    let nothing = try await session.values(at: "zip", buffering: .newest(10))
    try await bench.dispatch("m/touch")
    try await set(bench, [4])
    await bench.host.closeSession(bench.session)
    #expect(await all(slices).count == 3)
    #expect(await all(parts) == [0, 4])
    #expect(await all(nothing) == [nil])
  }

  @Test func `what a function selects comes when it differs from the last time`() async throws {
    let bench = try await Bench(["m.lua": Self.m])
    let tens = await bench.host.states(of: bench.session, buffering: .newest(10)) {
      ($0["m"]?["n"]?.intValue ?? 0) / 10
    }
    try await set(bench, [1, 9, 10, 19, 25, 3])
    await bench.host.closeSession(bench.session)
    #expect(await all(tens) == [0, 1, 2, 0])
  }

  @Test(arguments: [
    (StateBuffering.latest, [5]), (.newest(1), [5]), (.newest(0), [5]), (.newest(2), [4, 5]),
    (.oldest(2), [0, 1]), (.newest(.max), [0, 1, 2, 3, 4, 5]), (.oldest(.min), [0]),
  ])
  func `a rule says what a slow reader misses`(
    buffering: StateBuffering, expected: [Int64]
  ) async throws {
    let bench = try await Bench(["m.lua": Self.m])
    let session = HostSession(bench.session, on: bench.host)
    let states = try await session.values(at: "m.n", buffering: buffering)
    try await set(bench, [1, 2, 3, 4, 5])
    await bench.host.closeSession(bench.session)
    #expect(await all(states).map { $0?.intValue ?? -1 } == expected)
  }

  @Test func `a reload, a new module and what stopping changes come, too`() async throws {
    let bench = try await Bench(["m.lua": Self.m])
    let states = await bench.host.states(of: bench.session, buffering: .newest(10)) {
      $0.canonicalText
    }
    try bench.folder.save("m.lua", Self.m.replacing("other = 0", with: "other = 0, new = 1"))
    await bench.host.reload()
    try await bench.host.add(
      try Module("z", state: ["on": true]) { module in
        module.reducers = [
          Reducer(.exact("host/stopped")) { state, _ in state = ["on": false] }
        ]
      })
    await bench.host.closeSession(bench.session)
    #expect(
      await all(states) == [
        #"{"m":{"n":0,"other":0}}"#, #"{"m":{"n":0,"new":1,"other":0}}"#,
        #"{"m":{"n":0,"new":1,"other":0},"z":{"on":true}}"#,
        #"{"m":{"n":0,"new":1,"other":0},"z":{"on":false}}"#,
      ])
  }

  @Test func `a session that isn't there has no states, one that closes no more`() async throws {
    let bench = try await Bench(["m.lua": Self.m])
    let other = await bench.host.openSession()
    let states = await bench.host.states(of: other)
    await bench.host.closeSession(other)
    #expect(await all(states).count == 1)
    #expect(await all(bench.host.states(of: other)).isEmpty)
    let last = await bench.host.states(of: bench.session)
    await bench.host.close()
    #expect(await all(last).count == 1)
  }

  @Test func `a reader that leaves isn't told any more`() async throws {
    let bench = try await Bench(["m.lua": Self.m])
    let notes = Notes()
    do {
      let states = await bench.host.states(of: bench.session) { state in
        notes.add("\(state["m"]?["n"]?.intValue ?? -1)")
        return 0
      }
      var iterator = states.makeAsyncIterator()
      #expect(await iterator.next() == 0)
    }
    // The stream has ended with its last reader.
    try await set(bench, [1])
    #expect(notes.all == ["0"])
  }
}
