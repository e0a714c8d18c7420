import MoonTestSupport
import Moonwire
import Testing

/// The entries that a reload or a restored state adds to a slice.
struct NewFieldsTests {
  private static func contacts(_ state: String) -> String {
    """
    return {
      state = \(state),
      reducers = {
        remove = function(state, payload)
          state.names[payload.id] = nil
          state.tags[payload.tag] = nil
        end,
      },
    }
    """
  }
  private static let first = "{ names = { [7] = 'Ada', [8] = 'Eva' }, tags = { red = true } }"

  @Test func `what was removed stays removed when a file is saved`() async throws {
    let bench = try await Bench(["a.lua": Self.contacts(Self.first)])
    try await bench.dispatch("a/remove", ["id": 7, "tag": "red"])
    try bench.folder.save("a.lua", Self.contacts(Self.first) + " -- saved")
    #expect(await bench.host.reload().map(\.summary) == ["reloaded a 1→2 kept"])
    #expect(try await bench.state("a") == ["names": [8: "Eva"], "tags": [:]])
  }

  @Test func `what is new in the file is added at any depth`() async throws {
    let bench = try await Bench(["a.lua": Self.contacts(Self.first)])
    try await bench.dispatch("a/remove", ["id": 7, "tag": "red"])
    let second = "{ names = { [7] = 'Ada', [9] = 'Max' }, tags = { red = true }, n = 1 }"
    try bench.folder.save("a.lua", Self.contacts(second))
    await bench.host.reload()
    #expect(try await bench.state("a") == ["names": [8: "Eva", 9: "Max"], "tags": [:], "n": 1])
  }

  @Test func `what was removed stays removed in another run, and what is new there is added`()
    async throws
  {
    let bench = try await Bench(["a.lua": Self.contacts(Self.first)])
    try await bench.dispatch("a/remove", ["id": 7, "tag": "red"])
    let saved = try #require(await bench.host.savedState(of: bench.session)).value
    let second = "{ names = { [7] = 'Ada', [9] = 'Max' }, tags = { red = true }, n = 1 }"
    let later = try await Bench(["a.lua": Self.contacts(second)])
    let session = try await later.host.openSession(restoring: saved)
    #expect(
      await later.host.state(of: session)?["a"]
        == ["names": [8: "Eva", 9: "Max"], "tags": [:], "n": 1])
  }

  @Test func `a state file without shapes gets the fields that its slices lack, and no more`()
    async throws
  {
    let bench = try await Bench(["a.lua": Self.contacts(Self.first)])
    for header in [nil, ["format": 2, "versions": ["a": 1]]] as [Value?] {
      var saved: Map = ["a": ["names": [8: "Eva"]]]
      saved["$moonwire"] = header
      let session = try await bench.host.openSession(restoring: .map(saved))
      #expect(
        await bench.host.state(of: session)?["a"] == ["names": [8: "Eva"], "tags": ["red": true]])
    }
  }

  @Test func `a slice that was put aside keeps what was removed from it`() async throws {
    let bench = try await Bench(["a.lua": Self.contacts(Self.first)])
    try await bench.dispatch("a/remove", ["id": 7, "tag": "red"])
    try bench.folder.remove("a.lua")
    await bench.host.reload()
    let saved = try #require(await bench.host.savedState(of: bench.session)).value
    try bench.folder.save("a.lua", Self.contacts(Self.first))
    await bench.host.reload()
    #expect(try await bench.state("a") == ["names": [8: "Eva"], "tags": [:]])
    let session = try await bench.host.openSession(restoring: saved)
    #expect(await bench.host.state(of: session)?["a"] == ["names": [8: "Eva"], "tags": [:]])
  }

  static let malformed: [(Value, String)] = [
    (["shapes": 5], "$moonwire.shapes"), (["shapes": ["a": false]], "$moonwire.shapes.a"),
    (["shapes": ["a": ["n": [true]]]], "$moonwire.shapes.a"),
    (["unstarted": true], "$moonwire.unstarted"), (["unstarted": [5]], "$moonwire.unstarted"),
  ]

  @Test(arguments: malformed)
  func `a header with other shapes is refused`(fields: Value, path: String) throws {
    var header: Map = ["format": 2, "versions": [:]]
    for (key, value) in try #require(fields.mapValue) { header[key] = value }
    #expect(throws: RestoreError.malformedHeader(path)) {
      try SavedState(["$moonwire": .map(header)])
    }
  }

  @Test func `keys of another kind aren't mixed into a table`() async throws {
    let bench = try await Bench(["a.lua": Self.contacts("{ names = { [7] = 'Ada' }, tags = {} }")])
    try bench.folder.save(
      "a.lua", Self.contacts("{ names = { ada = 'Ada' }, tags = { [1] = 'x', b = nil } }"))
    await bench.host.reload()
    #expect(try await bench.state("a.names") == [7: "Ada"])
    try await bench.dispatch("a/remove", ["id": 7, "tag": "red"])
    #expect(try await bench.state("a.names") == [:])
  }

  // MARK: Against a slow model

  private static func script(_ state: Value) -> String {
    """
    return {
      state = \(lua(state)),
      reducers = { set = function(state, payload) return payload.slice end },
    }
    """
  }

  private static func lua(_ value: Value) -> String {
    guard case .map(let map) = value else { return value.canonicalText }
    let entries = map.map { key, value in
      switch key {
      case .int(let number): "[\(number)] = \(lua(value))"
      case .string(let name): "\(name) = \(lua(value))"
      }
    }
    return "{ \(entries.joined(separator: ", ")) }"
  }

  private static func randomMap(_ random: inout SplitMix64, depth: Int = 3) -> Value {
    // Scripts can't keep tables with keys of both kinds.
    let keys: [Key] = depth == 2 ? [5, 6, 7, 8] : ["a", "b", "c", "d"]
    var map = Map()
    for key in keys where random.once(in: 2) {
      map[key] =
        depth > 1 && random.once(in: 2)
        ? randomMap(&random, depth: depth - 1) : .int(Int64(random.below(100)))
    }
    return .map(map)
  }

  private static func paths(_ value: Value, below path: [Key] = []) -> [[Key]] {
    guard case .map(let map) = value else { return [] }
    return map.flatMap { [path + [$0.key]] + paths($0.value, below: path + [$0.key]) }
  }

  private static func value(_ value: Value, at path: ArraySlice<Key>) -> Value? {
    guard let key = path.first else { return value }
    guard case .map(let map) = value, let entry = map[key] else { return nil }
    return self.value(entry, at: path.dropFirst())
  }

  private static func setting(_ new: Value, at path: ArraySlice<Key>, in value: Value) -> Value {
    guard let key = path.first, case .map(var map) = value else { return new }
    map[key] = setting(new, at: path.dropFirst(), in: map[key] ?? .map(Map()))
    return .map(map)
  }

  /// Adds each path that only the new state has, the shortest first, if its parent is a map.
  private static func model(_ slice: Value, from old: Value, to new: Value) -> Value {
    let known = Set(paths(old))
    var slice = slice
    for path in paths(new).sorted(by: { $0.count < $1.count }) where !known.contains(path) {
      guard case .map = value(slice, at: path.dropLast()), value(slice, at: path[...]) == nil,
        let added = value(new, at: path[...])
      else { continue }
      slice = setting(added, at: path[...], in: slice)
    }
    return slice
  }

  @Test func `any states, changes, reloads and restarts agree with a slow model`() async throws {
    var random = SplitMix64(seed: 41)
    var state = Self.randomMap(&random)
    var slice = state
    let bench = try await Bench(["a.lua": Self.script(state)])
    var session = bench.session
    for step in 0..<300 {
      switch random.below(3) {
      case 0:
        slice = Self.randomMap(&random)
        try await bench.host.dispatch(Action("a/set", ["slice": slice]), to: session)
      case 1:
        let saved = try #require(await bench.host.closeSession(session)).value
        session = try await bench.host.openSession(restoring: saved)
      default:
        let old = state
        state = Self.randomMap(&random)
        try bench.folder.save("a.lua", Self.script(state) + " -- \(step)")
        await bench.host.reload()
        slice = Self.model(slice, from: old, to: state)
      }
      #expect(await bench.host.state(of: session)?["a"] == slice, "step \(step)")
    }
  }
}
