import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// Invariant 2: an allocation that fails anywhere leaves Swift by a status.
@Suite struct AllocationFaultTests {
  static let libraries = [
    "lib":
      "local t = {} for i = 1, 9 do t[i] = ('x'):rep(i) end return {t = t, f = "
      + "function(x) return x .. 'y' end}"
  ]

  /// Opens a machine and uses all its features; returns the number of its allocations.
  private func scenario(_ fault: AllocationFault?) throws(LuaError) -> UInt64 {
    let lua = try TestMachine(libraries: Self.libraries, fault: fault)
    func attempt(_ body: () throws(LuaError) -> Void) throws(LuaError) {
      do throws(LuaError) {
        try body()
      } catch {
        // A machine that ran out of memory stays usable. So does a test without a fault.
        if fault == nil { throw error }
        #expect(!error.isFatal)
      }
    }
    let slice: Value = ["list": [1, 2, 3], "map": ["k": ["deep": 1]], "text": "a"]
    try attempt { () throws(LuaError) in
      let reducer = try lua.function(
        """
        local lib = require 'lib'
        local moon = require 'moonwire'
        local co = coroutine.wrap(function(...) while true do coroutine.yield(lib.f('z')) end end)
        return function(state, payload, action)
          state.n = (state.n or 0) + 1
          state.map.k.deep = {payload, co(), ('long'):rep(40)}
          table.insert(state.list, 1, lib.t)
          table.remove(state.list)
          for k, v in pairs(state) do state['_' .. k] = tostring(v) end
          table.sort(state.list, function(a, b) return tostring(a) < tostring(b) end)
          moon.call(1, state.list, ('x'):rep(600))
          pcall(function() state.f = type end)
          if state.n > 2 then return {n = state.n, list = state.list, map = state.map} end
        end
        """)
      var state = slice
      for _ in 0..<4 {
        try attempt { () throws(LuaError) in
          state = try lua.machine.reduce(
            reducer, slice: state,
            payload: ["p": .string(Text(String(repeating: "p", count: 300)))],
            action: { ["type": "x"] }, limits: lua.limits)
        }
      }
    }
    let raised = failure { () throws(LuaError) in
      try lua.run(
        "local function f(n) if n == 0 then error({}) end local r = f(n - 1) return r end f(9)")
    }
    #expect(raised != nil)
    try attempt { () throws(LuaError) in
      _ = try lua.machine.evaluate(
        "kept, {1, 'two', f = function() end}", name: "console", limits: lua.limits)
    }
    #expect(slice["text"] == "a")
    return lua.machine.allocationCount
  }

  @Test(arguments: [false, true])
  func `whichever allocation fails, it ends in an error or in nothing`(isLasting: Bool) throws {
    let count = try scenario(nil)
    #expect(count > 500)
    var failureCount = 0
    for number in 1...count + 1 {
      do throws(LuaError) {
        _ = try scenario(AllocationFault(number: number, isLasting: isLasting))
      } catch {
        #expect(error == .outOfMemory, "opening, allocation \(number): \(error)")
        failureCount += 1
      }
    }
    // Lua tries again after a collection, so one failure alone often has no effect.
    #expect(failureCount > (isLasting ? 100 : 0))
    #expect(try scenario(nil) > 500, "a new machine works")
  }

  @Test func `a machine goes on after an allocation failed`() throws {
    let count = try TestMachine().machine.allocationCount
    let text = "local t = {} for i = 1, 50 do t[i] = {i} end return t"
    for number in count + 1...count + 120 {
      let lua = try TestMachine(fault: AllocationFault(number: number, isLasting: false))
      _ = failure { () throws(LuaError) in try lua.run(text) }
      #expect(try lua.value(text)?.listValue?.count == 50)
    }
  }

  @Test func `the stack's overflow while memory is out is an error like others`() throws {
    let count = try TestMachine().machine.allocationCount
    for number in stride(from: count + 1, to: count + 60, by: 3) {
      let lua = try TestMachine(fault: AllocationFault(number: number, isLasting: true))
      let error = failure { () throws(LuaError) in
        try lua.run(
          """
          local function f() return f() + xpcall(f, f) end
          xpcall(f, f)
          error(coroutine.wrap(function() return f() end)())
          """)
      }
      #expect(error?.isFatal == false)
    }
  }
}
