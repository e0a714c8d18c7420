import MoonLua
import MoonTestSupport
import MoonValues
import Testing

@Suite struct MachineTests {
  @Test func `a run answers what the text returns`() throws {
    let lua = try TestMachine()
    let forms = try lua.run("return 1, 2.5, 'three', true, nil, {4}, {five = 5}, {}")
    #expect(forms.count == 8)
    #expect(
      forms.map(\.kind) == [
        "a number", "a number", "a string", "a boolean", "nil", "a table", "a table", "a table",
      ])
    #expect(try lua.value("return {4, {x = {5}}}") == [4, ["x": [5]]])
    #expect(try lua.run("local x = 1").isEmpty)
  }

  @Test func `a function comes with its place and its parameters`() throws {
    let lua = try TestMachine()
    let forms = try lua.run(
      "local x = 1\nreturn function(a, b) end,\n  function(...) end, print or type", file: "a/b.lua"
    )
    guard case .function(let first) = forms[0], case .function(let second) = forms[1],
      case .function(let native) = forms[2]
    else {
      Issue.record("not functions: \(forms)")
      return
    }
    #expect(first.place == SourcePlace(file: "a/b.lua", line: 2))
    #expect(first.parameterCount == 2)
    #expect(!first.isVariadic)
    #expect(first.takes(2) && !first.takes(3))
    #expect(second.place.line == 3)
    #expect(second.parameterCount == 0)
    #expect(second.isVariadic && second.takes(9))
    #expect(native.isVariadic)
  }

  @Test func `a table of functions is a form with its entries in key order`() throws {
    let lua = try TestMachine()
    let forms = try lua.run(
      "return {name = 'x', 'first', [3] = 'third', reducers = {add = function() end}, [true] = 1}")
    guard case .table(let entries) = forms[0] else {
      Issue.record("not a table: \(forms)")
      return
    }
    #expect(entries.count == 5)
    let fields = try #require(forms[0].fields)
    #expect(fields.map(\.name) == ["name", "reducers"])
    #expect(fields[1].form.fields?.map(\.name) == ["add"])
    #expect(fields[1].form.fields?.first?.form.kind == "a function")
    #expect(try lua.run("return {1, print or type}")[0].elements?.count == 2)
    #expect(try lua.run("return {}")[0].elements?.isEmpty == true)
    #expect(try lua.run("return {a = 1}")[0].elements == nil)
    #expect(try lua.run("return 1")[0].fields == nil)
  }

  @Test func `what no value can hold is described`() throws {
    let lua = try TestMachine()
    let forms = try lua.run(
      """
      local t = {} t.me = t
      return coroutine.create(type), t, '\\xff', {[{}] = 1}
      """)
    #expect(forms[0].kind == "thread")
    guard case .table(let entries) = forms[1], case .opaque(let inner) = entries[0].value else {
      Issue.record("\(forms[1])")
      return
    }
    #expect(inner == "a table that holds itself")
    #expect(forms[2].kind == "a string that isn't UTF-8")
    #expect(forms[3].kind == "a table")
  }

  @Test func `a call passes values both ways`() throws {
    let lua = try TestMachine()
    let function = try lua.function("return function(...) return select('#', ...), ... end")
    let answer = try lua.machine.call(
      function, [.value(["a": [1]]), .none, .value(2.5), .value("x")], limits: lua.limits)
    #expect(answer == [4, ["a": [1]], nil, 2.5, "x"])
    #expect(try lua.machine.call(function, [], limits: lua.limits) == [0])
  }

  @Test func `a view shows a tree that the callee can't change`() throws {
    let lua = try TestMachine()
    let tree: Value = ["log": [1, ["x": 2]], "n": 1]
    let read = try lua.function(
      "return function(s) return s.n, #s.log, s.log[2].x, s.log, type(s) end")
    #expect(
      try lua.machine.call(read, [.view(tree, name: "counter")], limits: lua.limits)
        == [1, 2, 2, [1, ["x": 2]], "table"])
    for (body, path) in [
      ("s.n = 2", "counter.n"), ("s.log[2].x = 1", "counter.log[2].x"),
      ("table.insert(s.log, 1)", "counter.log[3]"), ("table.remove(s.log)", "counter.log[2]"),
      ("s.n = nil", "counter.n"), ("rawset(s, 'n', 1)", "counter.n"),
      ("s.n = s.log", "counter.n"), ("s.n = {}", "counter.n"),
    ] {
      let write = try lua.function("return function(s)\n \(body) end")
      let found = report { () throws(LuaError) in
        try lua.machine.call(write, [.view(tree, name: "counter")], limits: lua.limits)
      }
      #expect(
        found?.message == "\(path): the state can only be changed in a reducer; dispatch an action")
      #expect(found?.place == SourcePlace(file: "counter.lua", line: 2))
    }
    let scalar = try lua.function("return function(s) return s + 1 end")
    #expect(
      try lua.machine.call(scalar, [.view(1, name: "n")], limits: lua.limits) == [2])
  }

  @Test func `an expression's values are answered, else the text is run as statements`() throws {
    let lua = try TestMachine()
    func evaluate(_ text: String) throws(LuaError) -> [Form] {
      try lua.machine.evaluate(text, name: "console", limits: lua.limits)
    }
    #expect(try evaluate("1 + 1").map(\.kind) == ["a number"])
    #expect(try evaluate("x = 5").isEmpty)
    #expect(try evaluate("x, nil").map(\.kind) == ["a number", "nil"])
    #expect(try evaluate("nil").map(\.kind) == ["nil"])
    #expect(try evaluate("").isEmpty)
    #expect(try evaluate("local y = 1 return y").count == 1)
    #expect(try lua.run("return x")[0].kind == "nil", "the prompt's globals aren't the module's")
    try lua.run("require 'moonwire'.console({answer = 42})")
    #expect(try evaluate("answer").map(\.kind) == ["a number"])
    #expect(report { () throws(LuaError) in try evaluate("type(1)") }?.message.isEmpty == false)
  }

  @Test func `a prompt's mistakes are placed in its text`() throws {
    let lua = try TestMachine()
    let found = report { () throws(LuaError) in
      try lua.machine.evaluate("local x = 1\nerror('no')", name: "console", limits: lua.limits)
    }
    #expect(found?.message == "no")
    #expect(found?.place == SourcePlace(file: "console", line: 2))
  }

  @Test(arguments: [
    ("f(", true), ("for i = 1, 2 do", true), ("x = [[long", true), ("if x then y()", true),
    ("1 +", true), ("#", true), ("not", true), ("(1 + 2", true), ("x = {1,", true),
    ("x = )", false), ("x = 'open\n", false), ("1 +* 2", false), ("end", false),
  ])
  func `text that more text could complete is told from text that's wrong`(
    text: String, isIncomplete: Bool
  ) throws {
    let lua = try TestMachine()
    let error = failure { () throws(LuaError) in
      try lua.machine.evaluate(text, name: "console", limits: lua.limits)
    }
    guard case .syntax(let report, let said)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(said == isIncomplete)
    #expect(report.place == SourcePlace(file: "console", line: 1))
  }

  @Test func `a machine can't be entered while a call is under way`() throws {
    let watchdog = try #require(Watchdog())
    let lua = try TestMachine(
      watchdog: watchdog,
      answer: { (values: [Value?], log: TestMachine.Log) throws(HostRefusal) -> [Argument] in
        guard let machine = log.machine else { return [] }
        let limits = CallLimits(budget: .seconds(5), purity: .impure, entry: "a test")
        let errors: [LuaError?] = [
          failure { () throws(LuaError) in
            try machine.run(Array("return 1".utf8), file: "x.lua", limits: limits)
          },
          failure { () throws(LuaError) in
            try machine.evaluate("return 1", name: "console", limits: limits)
          },
          failure { () throws(LuaError) in
            let function = Self.someFunction
            return try machine.reduce(
              function, slice: ["other": 1], payload: [1, 2, 3], action: { .null }, limits: limits)
          },
          failure { () throws(LuaError) in
            try machine.call(Self.someFunction, [.view([1], name: "x")], limits: limits)
          },
        ]
        return [.value(.bool(errors.allSatisfy { $0 == .machineIsBusy }))]
      })
    lua.log.machine = lua.machine
    defer { lua.log.machine = nil }
    let reduced = try lua.reduce(
      ["a": ["b": 1]],
      """
      local a = state.a
      a.before = true
      local busy = moon.call(1)
      a.busy = busy
      a.b = a.b + 1
      state.last = 1
      """)
    #expect(reduced == ["a": ["b": 2, "before": true, "busy": true], "last": 1])
  }

  private static let someFunction: LuaFunction = {
    // Any function will do, since the call is refused before it is used.
    guard let lua = try? TestMachine(), let made = try? lua.function("return function() end")
    else { preconditionFailure("a machine can't be made") }
    return made
  }()

  @Test func `a machine counts its memory`() throws {
    let lua = try TestMachine()
    let before = lua.machine.memory
    try lua.run("kept = {} for i = 1, 1000 do kept[i] = {} end")
    #expect(lua.machine.memory > before + 16_000)
    #expect(lua.machine.usage.memoryPeak >= lua.machine.memory)
    #expect(lua.machine.allocationCount > 1000)
  }

  @Test func `a prelude's mistake is reported`() {
    let services = Services(
      callHost: { (_: Int32, _: [Value?]) throws(HostRefusal) -> [Argument] in [] },
      findLibrary: { (_: String) throws(HostRefusal) -> Services.Library in throw .refused("none") }
    )
    for (prelude, message, line) in [
      ("local x\nerror('bad')", "bad", 2), ("local x =", "unexpected symbol near <eof>", 1),
    ] {
      let found = report { () throws(LuaError) in
        try Machine(
          name: "x", prelude: Array(prelude.utf8), services: services, watchdog: nil, seed: 1)
      }
      #expect(found?.message == message)
      #expect(found?.place == SourcePlace(file: "moonwire", line: line))
    }
  }
}
