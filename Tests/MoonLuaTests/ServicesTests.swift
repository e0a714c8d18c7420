import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// Invariant 2: a refusal of a Swift callback becomes a Lua error in C, after Swift has returned.
///
/// Invariant 5: what isn't a value doesn't leave the machine.
@Suite struct ServicesTests {
  @Test func `a library is run once and its result kept`() throws {
    let lua = try TestMachine(libraries: [
      "lib.a": "runs = (runs or 0) + 1 return {name = ...}", "lib.nothing": "count = 1",
      "lib.no": "return false",
    ])
    #expect(
      try lua.value(
        """
        local a, b = require 'lib.a', require 'lib.a'
        return {a == b, runs, a.name, require 'lib.nothing', require 'lib.no'}
        """) == [true, 1, "lib.a", true, false])
  }

  @Test func `a library that requires itself is refused, directly or through others`() throws {
    let lua = try TestMachine(libraries: [
      "self": "return require 'self'", "a": "return require 'b'", "b": "return require 'a'",
    ])
    for name in ["self", "a"] {
      let found = report { () throws(LuaError) in try lua.run("require '\(name)'") }
      #expect(found?.message.contains("requires itself") == true)
      #expect(found?.place?.file == (name == "self" ? "self.lua" : "b.lua"))
    }
  }

  @Test func `a library that isn't there is refused at the line that wants it`() throws {
    let lua = try TestMachine()
    let found = report { () throws(LuaError) in try lua.run("\n\nrequire 'missing'") }
    #expect(found?.message == "require: there is no library 'missing'")
    #expect(found?.place == SourcePlace(file: "counter.lua", line: 3))
    #expect(
      try lua.value("local ok, e = pcall(require, 'missing') return {ok, type(e)}")
        == [false, "string"])
    #expect(report { () throws(LuaError) in try lua.run("require(nil)") } != nil)
    #expect(report { () throws(LuaError) in try lua.run("require({})") } != nil)
  }

  @Test func `a host function gets values and answers values`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.value(
        """
        local moon = require 'moonwire'
        local a, b, c, d = moon.call(7, {1, {x = moon.null}}, nil, 'text', 1.5)
        return {a[2].x == moon.null, b == nil, c, d}
        """) == [true, true, "text", 1.5])
    #expect(lua.log.calls == [[7, [1, ["x": nil]], nil, "text", 1.5]])
    #expect(try lua.value("return select('#', require('moonwire').call(1))") == 0)
  }

  @Test func `a host's refusal is an error of the script's, at its line`() throws {
    let lua = try TestMachine(
      answer: { (_: [Value?], _: TestMachine.Log) throws(HostRefusal) -> [Argument] in
        throw .refused("not today")
      })
    for text in ["moon.call(1)", "moon.ask()", "local x = moon.ask()", "return (moon.ask())"] {
      let found = report { () throws(LuaError) in
        try lua.run("local moon = require 'moonwire'\n\n" + text)
      }
      #expect(found?.message == "not today")
      #expect(found?.place == SourcePlace(file: "counter.lua", line: 3))
    }
    #expect(
      try lua.text("local ok, e = pcall(require('moonwire').call, 1) return e")
        == "counter.lua:1: not today")
  }

  @Test func `what can't leave the module isn't passed to the host`() throws {
    let lua = try TestMachine()
    for (value, message) in [
      ("print or type", "a function can't leave the module"),
      ("{a = {type}}", "a[1]: a function can't leave the module"),
      (
        "{1, x = 2}",
        "a table with both integer and string keys can't leave the module: give it one kind of key"
      ),
      ("coroutine.create(type)", "a thread can't leave the module"),
      ("0/0", "a number that is not a number (0/0) can't leave the module"),
    ] {
      for name in ["call(1, ", "ask("] {
        let found = report { () throws(LuaError) in
          try lua.run("local moon = require 'moonwire'\n\nmoon.\(name)\(value))")
        }
        #expect(found?.message == message)
        #expect(found?.place == SourcePlace(file: "counter.lua", line: 3))
      }
    }
    #expect(lua.log.calls.isEmpty)
  }

  @Test func `a view that the host answers can be read and not changed`() throws {
    let tree: Value = ["list": [1, 2, ["x": "deep"]], "name": "whole"]
    let lua = try TestMachine(
      answer: { (values: [Value?], _: TestMachine.Log) throws(HostRefusal) -> [Argument] in
        values.isEmpty ? [.view(tree, name: "state"), .view(5, name: "n")] : []
      })
    #expect(
      try lua.reduce(
        [:],
        """
        local view, n = moon.call(1)
        state.n = n
        state.deep = view.list[3].x
        state.ok = pcall(function() view.name = 1 end)
        """) == ["n": 5, "deep": "deep", "ok": false])
    // A copy in the state can be changed, as with any other table.
    #expect(
      try lua.reduce(
        ["l": []],
        """
        local view = moon.call(1)
        state.copy = view
        state.copy.name = 'mine'
        state.copy.list[3].x = 1
        state.l[1] = view.list
        table.insert(state.l, 1, view.list)
        state.l[1][1] = 'first'
        state.name = view.name
        """)
        == [
          "copy": ["list": [1, 2, ["x": 1]], "name": "mine"],
          "l": [["first", 2, ["x": "deep"]], [1, 2, ["x": "deep"]]], "name": "whole",
        ])
    let kept = try TestMachine(
      answer: { (_: [Value?], _: TestMachine.Log) throws(HostRefusal) -> [Argument] in
        [.view(tree, name: "state")]
      })
    try kept.run("kept = require('moonwire').call(1)")
    #expect(
      report { () throws(LuaError) in try kept.run("return kept.name") }?.message.hasPrefix(
        "this part of the state, the payload or the route was kept from an earlier call") == true)
    let found = report { () throws(LuaError) in try kept.reduce(["a": [:]], "state.a.f = type") }
    #expect(found?.message == "counter.a.f: a function can't be kept in the state")
  }
}
