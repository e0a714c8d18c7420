import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// The coroutines of tasks that end without waiting.
struct CoroutineTests {
  private func results(
    of function: LuaFunction, _ arguments: [Argument] = [], in lua: TestMachine
  ) throws(LuaError) -> [Value?] {
    let step = try LuaCoroutine.start(function, of: lua.machine, arguments, limits: lua.limits)
    guard case .ended(let values) = step else { return ["it waits"] }
    return values
  }

  @Test func `a coroutine that a script has kept is not another task's`() throws {
    let lua = try TestMachine()
    let keep = try lua.function(
      """
      local kept = {}
      return function()
        local own, dead = coroutine.running(), 0
        for _, co in ipairs(kept) do
          if co == own then return "known" end
          if coroutine.status(co) == "dead" then dead = dead + 1 end
        end
        kept[#kept + 1] = own
        return dead
      end
      """)
    let nothing = try lua.function("return function() end")
    for number in 0..<5 {
      #expect(try results(of: nothing, in: lua) == [])
      #expect(try results(of: keep, in: lua) == [.int(Int64(number))])
    }
  }

  @Test func `a task that fails leaves nothing to the next one`() throws {
    let lua = try TestMachine()
    let either = try lua.function(
      """
      return function(fails, deep)
        local closed <close> = setmetatable({}, { __close = function() end })
        if deep > 0 then return (coroutine.wrap(function() return deep end)()) + 1 end
        if fails then error("it fails") end
        return "done", fails
      end
      """)
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let (fails, deep) = (random.below(2) == 0, Int64(random.below(3)))
      let arguments: [Argument] = [.value(.bool(fails)), .value(.int(deep))]
      if deep > 0 {
        #expect(try results(of: either, arguments, in: lua) == [.int(deep + 1)])
      } else if fails {
        #expect(throws: LuaError.self) { try results(of: either, arguments, in: lua) }
      } else {
        #expect(try results(of: either, arguments, in: lua) == ["done", false])
      }
    }
  }
}
