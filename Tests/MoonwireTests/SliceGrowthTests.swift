import Moonwire
import Testing

/// A slice grows to its quota over any number of actions, and no further.
struct SliceGrowthTests {
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

    // The others are as free as ever, and so is who makes room.
    try await bench.dispatch("b/\(how)", ["bytes": 4096])
    try await bench.dispatch("a/clear")
    try await bench.dispatch("a/\(how)", ["bytes": 4096])
  }

  @Test func `what is taken away again makes room for more for ever`() async throws {
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
}
