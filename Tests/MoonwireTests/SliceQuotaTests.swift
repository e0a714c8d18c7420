import MoonTestSupport
import Moonwire
import Testing

/// A slice grows up to its quota over any number of actions, and no further.
struct SliceQuotaTests {
  static let module = """
    return require("moonwire").module {
      state = { items = {} },
      reducers = {
        insert = function(state, payload) table.insert(state.items, ("x"):rep(payload.bytes)) end,
        assign = function(state, payload) state.items[#state.items + 1] = ("y"):rep(payload.bytes) end,
        nest = function(state, payload)
          state.items[#state.items + 1] = { name = ("z"):rep(payload.bytes), n = 1 }
        end,
        replace = function(state, payload)
          local items = {}
          for i, item in ipairs(state.items) do items[i] = item end
          items[#items + 1] = ("r"):rep(payload.bytes)
          return { items = items }
        end,
        numbers = function(state, payload)
          for i = 1, payload.bytes / 16 do state.items[#state.items + 1] = i end
        end,
        clear = function(state) state.items = {} end,
        share = function(state, payload)
          state.one = state.one or { text = ("s"):rep(payload.bytes) }
          for i = 1, payload.count do state.items[#state.items + 1] = state.one end
        end,
      },
    }
    """

  private static func bench(_ quota: Int) async throws -> Bench {
    var options = Bench.quiet
    options.stateQuota = quota
    return try await Bench(["a.lua": module, "b.lua": module], options: options)
  }

  @Test(arguments: ["insert", "assign", "nest", "replace", "numbers"])
  func `what would pass the quota is refused and changes nothing`(how: String) async throws {
    let quota = 256 << 10
    let bench = try await Self.bench(quota)
    var refusal: DispatchError?
    var count = 0
    while refusal == nil, count < 200 {
      let before = await bench.host.state(of: bench.session)
      do throws(DispatchError) {
        try await bench.host.dispatch(
          Action(Text("a/\(how)"), ["bytes": 4096]), to: bench.session)
        count += 1
      } catch {
        refusal = error
        #expect(await bench.host.state(of: bench.session) == before)
      }
    }
    guard case .fault(let fault) = refusal, case .raised(let text) = fault.reason else {
      Issue.record("\(count) actions were taken")
      return
    }
    #expect(text == "the module's state would take more than 256 KB")
    #expect(fault.place?.file == "a.lua")
    let slice = try #require(await bench.host.state(of: bench.session)?.mapValue?["a"])
    let bytes = slice.storageCost
    #expect((quota / 2...quota).contains(bytes), "\(bytes) bytes after \(count) actions")

    // The other modules aren't affected, and neither is one that makes room.
    try await bench.dispatch("b/\(how)", ["bytes": 4096])
    try await bench.dispatch("a/clear")
    try await bench.dispatch("a/\(how)", ["bytes": 4096])
  }

  @Test func `what is taken away again makes room for more forever`() async throws {
    let bench = try await Self.bench(64 << 10)
    for _ in 0..<100 {
      try await bench.dispatch("a/insert", ["bytes": 20000])
      try await bench.dispatch("a/clear")
    }
  }

  @Test func `without a quota a slice grows as it likes`() async throws {
    let bench = try await Self.bench(0)
    for _ in 0..<20 { try await bench.dispatch("a/insert", ["bytes": 1_000_000]) }
  }

  @Test func `a draft that is stored often counts as often as it would be written`() async throws {
    let bench = try await Self.bench(1 << 20)
    let error = await bench.failure(of: "a/share", ["bytes": 1000, "count": 8000])
    guard case .fault(let fault) = error, case .raised(let text) = fault.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text == "the module's state would take more than 1 MB")
    // Also over several actions that each add little.
    var count = 0
    while count < 100, (try? await bench.dispatch("a/share", ["bytes": 1000, "count": 50])) != nil {
      count += 1
    }
    #expect(count == 20)
    let slice = try #require(await bench.host.state(of: bench.session)?.mapValue?["a"])
    #expect(slice.canonicalText.utf8.count == slice.canonicalByteCount)
    #expect(slice.storageCost <= 1 << 20)
  }

  // MARK: Modules in Swift

  private static func nested(_ depth: Int) -> Value {
    (0..<depth).reduce(Value.int(1)) { value, _ in .list(List([value])) }
  }

  /// The slices that a reducer in Swift leaves, by the names of its actions.
  private static let made: [(name: String, value: Value, refusal: String?)] = [
    ("small", ["x": 1], nil),
    (
      "shared",
      .list(List(repeatElement(.string(Text(String(repeating: "s", count: 999))), count: 70))),
      "the module's state would take more than 64 KB"
    ),
    ("deepest", nested(64), nil),
    ("deeper", nested(65), "nesting deeper than 64 can't be kept in the state"),
    (
      "nan", ["a": [1, ["b": .double(.nan)]]],
      "a[2].b: a number that is not a number (0/0) can't be kept in the state"
    ),
    ("infinite", ["a": .double(.infinity)], nil),
  ]

  private static func swift() throws -> Module {
    try Module("s", state: ["x": 0]) { module in
      for (name, value, _) in made {
        module.reducers.append(Reducer(.exact(Text("s/\(name)"))) { state, _ in state = value })
        module.reducers.append(Reducer(.exact(Text("s/whole_\(name)"))) { _, _ in })
        module.wholeStateReducers.append(
          Reducer(.exact(Text("s/whole_\(name)"))) { state, _ in
            state = .map((state.mapValue ?? Map()).setting("a", value))
          })
      }
    }
  }

  @Test(arguments: ["", "whole_"], 0..<made.count)
  func `a reducer in Swift is held to the quota as one in Lua is`(
    kind: String, index: Int
  ) async throws {
    var options = Bench.quiet
    options.stateQuota = 64 << 10
    let bench = try await Bench(
      ["a.lua": Self.module], options: options, adding: [{ try Self.swift() }])
    let before = await bench.host.state(of: bench.session)
    let (name, value, refusal) = Self.made[index]
    guard let refusal else {
      try await bench.dispatch("s/\(kind)\(name)")
      let state = await bench.host.state(of: bench.session)?.mapValue
      #expect(state?[kind.isEmpty ? "s" : "a"] == value)
      return
    }
    let error = await bench.failure(of: "s/\(kind)\(name)")
    guard case .fault(let fault) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.reason == .raised(refusal))
    #expect(await bench.host.state(of: bench.session) == before)
  }

  @Test(arguments: made.indices)
  func `the state that a module in Swift begins with has to fit`(index: Int) async throws {
    var options = Bench.quiet
    options.stateQuota = 64 << 10
    let bench = try await Bench(options: options)
    let (_, value, refusal) = Self.made[index]
    let name = try #require(ModuleName("s"))
    do throws(HostError) {
      try await bench.host.add(Module(name: name, state: value))
      #expect(refusal == nil)
    } catch {
      guard case .refusedState(name, let found) = error else { throw error }
      #expect(found.description == refusal)
    }
  }

  @Test(arguments: made.indices)
  func `a state that a run goes on with has to fit, slice by slice`(index: Int) async throws {
    var options = Bench.quiet
    options.stateQuota = 64 << 10
    let bench = try await Bench(options: options)
    let (_, value, refusal) = Self.made[index]
    do throws(RestoreError) {
      let session = try await bench.host.openSession(restoring: ["later": value])
      #expect(refusal == nil)
      #expect(await bench.host.state(of: session) == [:])
    } catch {
      guard case .refusedSlice(let name, let found) = error else { throw error }
      #expect(name == "later")
      #expect(found.description == refusal)
    }
  }

  @Test func `a module whose state doesn't fit isn't loaded`() async throws {
    var options = Bench.quiet
    options.stateQuota = 64 << 10
    let bench = try await Bench(
      ["m.lua": "return {\n  state = { text = ('x'):rep(70000) },\n}"], options: options)
    let problem = try #require(try await bench.info("m")?.problems.first)
    #expect(problem.reason == .refusedState(.tooLarge(max: 64 << 10)))
    #expect(problem.place.line == 2)
  }

  @Test func `what migrate returns has to fit`() async throws {
    var options = Bench.quiet
    options.stateQuota = 64 << 10
    let bench = try await Bench(["m.lua": "return { state = { n = 1 } }"], options: options)
    try bench.folder.save(
      "m.lua",
      """
      return { version = 2, state = { n = 1 },
        migrate = function(old) return { text = ("x"):rep(70000) } end }
      """)
    await bench.host.reload()
    #expect(try await bench.state("m.n") == 1)
    #expect(try await bench.info("m")?.problems.count == 1)
  }
}

extension Map {
  fileprivate func setting(_ key: Key, _ value: Value) -> Map {
    var map = self
    map[key] = value
    return map
  }
}
