import Foundation
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonTesting

/// Test functions in Lua.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct FunctionTestTests {
  private static let app = """
    local moon = require "moonwire"
    return {
      state = { n = 0, text = "" },
      actions = { add = { by = "integer?" }, later = {}, load = { url = "string" }, got = { text = "string" },
        typed = {}, asked = {}, broken = {}, keep = {}, each = {}, talk = {}, watch = {}, look = {},
        read = {}, follow = {}, raw = { url = "string" }, bytes = {} },
      reducers = {
        add = function(s, p) s.n = s.n + (p.by or 1) end,
        got = function(s, p) s.text = s.text .. p.text end,
        no = function() moon.refuse("not now", { after = 5 }) end,
        bug = function(s) s.n = s.n + 1 error "oops" end,
      },
      effects = {
        later = function(_, self)
          moon.sleep(1)
          self.dispatch("add", { by = 10 })
          moon.sleep(2)
          self.dispatch("add", { by = 100 })
        end,
        load = function(p, self)
          local done, answer = pcall(moon.http.get, p.url)
          self.dispatch("got", { text = done and answer.text or answer.code })
        end,
        raw = function(p, self)
          self.dispatch("got", { text = table.concat({ moon.http.get(p.url).text:byte(1, -1) }, " ") })
        end,
        bytes = function(_, self)
          local bytes = moon.files.read("x", { as = "bytes" })
          self.dispatch("got", { text = table.concat({ bytes:byte(1, -1) }, " ") })
        end,
        typed = { debounce = 0.3, run = function(_, self) self.dispatch "asked" end },
        broken = function() error "oops" end,
        keep = function(_, self)
          moon.storage.set("k", 5)
          self.dispatch("add", { by = moon.storage.get "k" })
        end,
        each = function(_, self)
          local done, err = pcall(function()
            for event in moon.http.events("https://x.org") do
              self.dispatch("got", { text = event.data })
              if event.data == "stop" then return end
            end
          end)
          self.dispatch("got", { text = done and "." or err.code })
        end,
        talk = function(_, self)
          local socket = moon.http.websocket("wss://x.org")
          socket:send("hello " .. tostring(socket:protocol()))
          for text in socket do
            self.dispatch("got", { text = text })
            socket:send(text .. text)
          end
          self.dispatch("got", { text = select(2, pcall(socket.send, socket, "late")).code })
        end,
        look = function(_, self)
          self.dispatch("got", { text = type(moon.files.info "x") })
        end,
        watch = function(_, self)
          for change in moon.files.watch(".") do self.dispatch("got", { text = change.path }) end
        end,
        read = function(_, self)
          local answer = moon.http.open("https://x.org/")
          self.dispatch("got", { text = answer:status() .. answer:headers()["x-name"] })
          for part in answer do self.dispatch("got", { text = part }) end
        end,
        follow = { policy = "latest", run = function(_, self)
          local done, err = pcall(function()
            for line in moon.processes.lines { "sort", "-u", input = "b\\na\\n" } do
              self.dispatch("got", { text = "<" .. line .. ">" })
              if line == "stop" then return end
            end
          end)
          self.dispatch("got", { text = done and "." or err.code .. err.reason:match ":[^:]*$" })
        end },
      },
      schedules = { add = { every = 60 } },
      keys = { b = "bug" },
      needs = { "net:*", "storage", "run:sort", "read:x" },
      routes = { ["/"] = { screen = function() return { kind = "page", title = "Home" } end } },
      views = { page = function(_, s)
        return { moon.ui.text("n is " .. s.n), moon.ui.input { id = "by", kind = "number" },
          moon.ui.button("Add", "add"), moon.ui.button("Bug", "bug") }
      end },
    }
    """

  private func run(_ test: String, _ arguments: [String] = []) throws -> Program.Result {
    let folder = try ScriptFolder(["a.lua": Self.app])
    try folder.save("tests/t.lua", test)
    return try Program.run(["test", folder.root] + arguments)
  }

  private func body(_ lines: String, _ options: String = "") throws -> Program.Result {
    try run("return { one = { \(options) run = function(t)\n\(lines)\nend } }")
  }

  static let passing = [
    "t.dispatch('a/add', { by = 2 }) t.equal(t.state('a.n'), 2)",
    "t.equal(t.dispatch('a/add'), { ['a.n'] = 1 })",
    "t.dispatch { type = 'a/add', payload = { by = 3 } } t.equal(t.state().a.n, 3)",
    "t.refused('a/add', { by = 'x' }, 'fit') t.refused('a/nothing')",
    "local reason, details = t.refused('a/no', nil, 'now')\n"
      + "t.equal({ reason, details.after }, { 'not now', 5 })",
    "coroutine.wrap(function() t.dispatch 'a/add' end)() t.equal(t.state 'a.n', 1)",
    "local run = coroutine.wrap(function(n) t.dispatch('a/add', { by = n + coroutine.yield(n) }) end)\n"
      + "t.equal(run(2), 2) run(3) t.equal(t.state 'a.n', 5)",
    "t.route '/' t.equal(t.screen().title, 'Home') t.contains(t.screen().lines, 'n is 0')",
    "t.equal(moon.env.get 'PATH', nil)",
    "t.route '/' t.tap 'Add' t.tap(1) t.contains(t.screen().lines, 'n is 2')",
    "t.dispatch 'a/later' t.equal(t.state 'a.n', 0) t.advance(1) t.equal(t.state 'a.n', 10)\n"
      + "t.advance(1.5) t.equal(t.state 'a.n', 10) t.advance(0.5) t.equal(t.state 'a.n', 110)\n"
      + "t.equal(#t.tasks(), 1)",
    "t.dispatch 'a/later' t.advance(3) t.receive('a/add', { by = 10 })\n"
      + "t.receive('a/add', { by = 100 })",
    "t.advance(179) t.equal(t.state 'a.n', 2) t.advance(1) t.equal(t.state 'a.n', 3)",
    "t.dispatch 'a/typed' t.advance(0.2) t.dispatch 'a/typed' t.advance(0.2)\n"
      + "t.raises(function() t.receive 'a/asked' end) ",
    "t.dispatch('a/load', { url = 'https://x.org/1' })\n"
      + "local call = t.call 'http.get' t.equal(call.arguments.url, 'https://x.org/1')\n"
      + "t.answer(call, { text = 'tea' }) t.equal(t.state 'a.text', 'tea')",
    "t.answer('http.get', { text = 'x' }) t.dispatch('a/load', { url = 'https://x.org/' })\n"
      + "t.equal(t.state 'a.text', 'x')",
    "t.dispatch('a/load', { url = 'https://x.org/1' }) t.dispatch('a/load', { url = 'https://x.org/2' })\n"
      + "t.answer('http.get', { text = '1' }) t.answer('http.get', { text = '2' })\n"
      + "t.equal(t.state 'a.text', '12')",
    "t.dispatch('a/load', { url = 'https://x.org/' }) t.fail('http.get', 'timed_out', 'slow')\n"
      + "t.equal(t.state 'a.text', 'timed_out')",
    "t.answer('files.info', nil) t.dispatch 'a/look' t.equal(t.state 'a.text', 'nil')",
    "t.answer('http.get', { text = '\\xFFa\\x80' }) t.dispatch('a/raw', { url = 'https://x.org/' })\n"
      + "t.equal(t.state 'a.text', '255 97 128')",
    "t.answer('files.read', '\\0\\xFE') t.dispatch 'a/bytes' t.equal(t.state 'a.text', '0 254')",
    "t.answer('http.events', { { data = 'a' }, { data = 'b' } }) t.dispatch 'a/each'\n"
      + "t.equal(t.state 'a.text', 'ab.')",
    "t.dispatch 'a/each' local events = t.open 'http.events' t.equal(t.state 'a.text', '')\n"
      + "events:send { data = 'a' } t.equal(t.state 'a.text', 'a') events:send { data = 'b' }\n"
      + "t.equal(t.state 'a.text', 'ab') events:close() t.equal(t.state 'a.text', 'ab.')\n"
      + "t.equal(#t.tasks(), 1)",
    "local events = t.open 'http.events' events:send { data = 'a' } events:send { data = 'b' }\n"
      + "t.dispatch 'a/each' t.equal(t.state 'a.text', 'ab') t.ok(not events:is_closed())\n"
      + "events:fail('cut_off', 'gone') t.equal(t.state 'a.text', 'abcut_off')",
    "t.dispatch 'a/each' local events = t.open(t.call 'http.events')\n"
      + "events:send { data = 'stop' } t.equal(t.state 'a.text', 'stop.') t.ok(events:is_closed())",
    "t.dispatch 'a/each' t.fail('http.events', 'refused') t.equal(t.state 'a.text', 'refused')",
    "t.dispatch 'a/talk' local socket = t.open('http.websocket', { protocol = 'chat' })\n"
      + "socket:receive { message = 'hello chat' } socket:send 'x' t.equal(t.state 'a.text', 'x')\n"
      + "t.equal(socket:receive().message, 'xx') socket:close()\n"
      + "t.equal(t.state 'a.text', 'xclosed')",
    "t.dispatch 'a/watch' local watch = t.open 'files.watch' watch:send { path = 'x.txt', kind = 'changed' }\n"
      + "t.equal(t.state 'a.text', 'x.txt')",
    "t.dispatch 'a/read'\n"
      + "local answer = t.open('http.open', { status = 200, headers = { ['x-name'] = 'n' } })\n"
      + "answer:send 'body' answer:close() t.equal(t.state 'a.text', '200nbody')",
    "t.dispatch 'a/follow' local call = t.call 'processes.lines'\n"
      + "t.equal(call.arguments, { command = { 'sort', '-u' }, input = 'b\\na\\n' })\n"
      + "local program = t.open(call) program:send 'a' t.equal(t.state 'a.text', '<a>')\n"
      + "program:send '' program:send 'b' program:close()\n"
      + "t.equal(t.state 'a.text', '<a><><b>.') t.equal(#t.tasks(), 1)",
    "local program = t.open 'processes.lines' program:send 'a' t.dispatch 'a/follow'\n"
      + "program:fail('exit_status', 'status 2')\n"
      + "t.equal(t.state 'a.text', '<a>exit_status: status 2')",
    "t.dispatch 'a/follow' local program = t.open 'processes.lines' program:send 'stop'\n"
      + "t.equal(t.state 'a.text', '<stop>.') t.ok(program:is_closed())",
    "t.dispatch 'a/follow' local first = t.open 'processes.lines' first:send 'a'\n"
      + "t.dispatch 'a/follow' t.ok(first:is_closed()) local second = t.open 'processes.lines'\n"
      + "second:send 'b' t.equal(t.state 'a.text', '<a><b>') t.ok(not second:is_closed())",
    "t.dispatch 'a/follow' t.fail('processes.lines', 'not_found', 'no sort')\n"
      + "t.equal(t.state 'a.text', 'not_found: no sort')",
    "t.answer('processes.lines', { 'a', 'b' }) t.dispatch 'a/follow'\n"
      + "t.equal(t.state 'a.text', '<a><b>.')",
    "t.dispatch 'a/keep' t.equal(t.state 'a.n', 5)",
    "t.dispatch 'a/broken' t.contains(t.faults()[1], 'oops') t.equal(t.faults(), {})",
    "t.raises(function() error 'no' end, 'no') t.ok(5) t.contains('abc', 'b')",
    "t.equal({ a = { 1, 2 } }, { a = { 1, 2 } }) t.equal({}, {}) t.equal(1, 1.0)",
  ]

  @Test(arguments: passing) func `what is as expected passes`(lines: String) throws {
    let result = try body(lines)
    if lines.contains("a/asked' end)") {
      // The failure within `raises` is that of the test.
      #expect(result.code == 1 && result.output.contains("no module has dispatched a/asked"))
      return
    }
    #expect(result.output == "passed  t: one\n1 test passed\n", "\(result)")
    #expect(result.code == 0)
  }

  static let failing: [(lines: String, line: Int, message: String, differences: [String])] = [
    ("t.equal(1, 2)", 2, "not equal", ["− 2", "+ 1"]),
    ("pcall(function() t.equal(1, 2) end)", 2, "not equal", ["− 2", "+ 1"]),
    (
      "t.raises(function()\npcall(function() t.equal(1, 2) end)\nerror 'a' end, 'a')", 3,
      "not equal",
      ["− 2", "+ 1"]
    ),
    ("coroutine.resume(coroutine.create(function() t.ok(nil) end))", 2, "not ok: nil", []),
    ("t.equal(1, 2, 'count')", 2, "count", ["− 2", "+ 1"]),
    (
      "\n\nt.equal({ a = { 1, 2 } }, { a = { 1, 3 } })", 4, "not equal", ["− a[2]: 3", "+ a[2]: 2"]
    ),
    ("t.ok(nil)", 2, "not ok: nil", []),
    ("t.contains('abc', 'x')", 2, "it isn't in there", ["− \"x\"", "+ \"abc\""]),
    ("t.dispatch('a/add', { by = 'x' })", 2, "the payload doesn't fit a/add", []),
    ("t.refused('a/add')", 2, "a/add wasn't refused", []),
    ("t.refused('a/no', nil, 'never')", 2, "the reason has no 'never' in it: not now", []),
    ("t.refused('a/bug')", 2, "a/bug wasn't refused: its module failed", []),
    ("t.dispatch('a/no')", 2, "refused it: not now", []),
    ("t.route '/nowhere'", 2, "/nowhere wasn't routed", []),
    ("t.tap 'Add'", 2, "screen", []),
    ("t.receive 'a/add'", 2, "no module has dispatched a/add", []),
    (
      "t.dispatch 'a/later' t.advance(1)\nt.receive('a/add', { by = 11 })", 3,
      "a/add has another payload", ["− by: 11", "+ by: 10"]
    ),
    ("t.call 'http.get'", 2, "nothing waits for moon.http.get", []),
    ("t.advance(-1)", 2, "from 0 to", []),
    ("local x = nil\nx.y = 1", 3, "attempt to index", []),
    ("error 'mine'", 2, "mine", []),
    ("t.raises(function() end)", 2, "it raised no error", []),
    ("t.state 'a..b'", 2, "isn't a path", []),
    ("t.dispatch(5)", 2, "t.dispatch takes an action", []),
    ("\nt.open 'http.get'", 3, "moon.http.get opens nothing: answer it with t.answer", []),
    ("t.open 'http.evnts'", 2, "there is no moon.http.evnts that a test can open", []),
    ("t.open(5)", 2, "t.open takes the name of a function", []),
    ("t.open('http.events', 5)", 2, "t.open takes a table of facts", []),
    (
      "t.answer('http.websocket', {})", 2,
      "moon.http.websocket opens a connection: answer it with t.open", []
    ),
    (
      "t.dispatch 'a/each' local call = t.call 'http.events' t.answer(call, {})\nt.open(call)", 3,
      "this call of moon.http.events doesn't wait any more", []
    ),
    ("local s = t.open 'http.events'\ns:send()", 3, "send takes a value", []),
    ("local s = t.open 'http.events'\ns.send 'x'", 3, "send is a method of what t.open", []),
    (
      "local s = t.open 'http.events' s:close()\ns:send 'x'", 3,
      "nothing can arrive: it has ended already", []
    ),
    (
      "t.dispatch 'a/each' local s = t.open 'http.events' s:send { data = 'stop' }\ns:close()", 3,
      "nothing can arrive: the module has closed it", []
    ),
    ("local s = t.open 'http.websocket'\ns:receive()", 3, "the module has sent nothing", []),
    (
      "t.dispatch 'a/follow' local s = t.open 'processes.lines'\ns:receive()", 3,
      "the module has sent nothing", []
    ),
    (
      "t.dispatch 'a/follow' local s = t.open 'processes.lines' s:send 'stop'\ns:send 'b'", 3,
      "nothing can arrive: the module has closed it", []
    ),
    (
      "t.dispatch 'a/talk' local s = t.open 'http.websocket'\ns:receive { message = 'x' }", 3,
      "the module has sent something else", ["− message: \"x\"", "+ message: \"hello nil\""]
    ),
  ]

  @Test(arguments: failing)
  func `what isn't as expected fails at its line, with both sides`(
    lines: String, line: Int, message: String, differences: [String]
  ) throws {
    let result = try body(lines)
    #expect(result.code == 1 && result.lines.first == "failed  t: one", "\(result)")
    let title = try #require(result.lines.dropFirst().first)
    #expect(title.contains("tests/t.lua:\(line): ") && title.contains(message), "\(result)")
    if !differences.isEmpty {
      #expect(result.lines.dropFirst(2).dropLast() == differences.map { "    \($0)" }[...])
    }
    #expect(result.lines.last == "0 tests passed, 1 failed")
  }

  @Test(arguments: [
    ("exhaustive = 'true',", "the option exhaustive must be true or false, and is \"true\""),
    ("time = 'x',", "the option time must be a number, and is \"x\""),
    ("state = 5,", "the option state must be a table, and is 5"),
    ("answers = true,", "the option answers must be a table, and is true"),
  ]) func `an option that holds something else fails the test`(option: String, title: String) throws
  {
    let failed = try body("", option)
    #expect(failed.code == 1 && failed.output.contains(title), "\(failed)")
  }

  @Test func `a failure of a module that the test has caught fails it, unless it asks for it`()
    throws
  {
    for call in ["t.dispatch 'a/bug'", "t.tap 'Bug'", "t.press 'b'"] {
      let caught = "t.route '/' pcall(function() \(call) end)"
      let failed = try body(caught)
      #expect(failed.code == 1 && failed.output.contains("didn't ask for t.faults()"), "\(failed)")
      let asked = try body(caught + " t.contains(t.faults()[1], 'oops')")
      #expect(asked.code == 0, "\(asked)")
    }
  }

  @Test func `tests can't see each other, and run in the order of their names`() throws {
    let result = try run(
      """
      local seen = 0
      return {
        state = { a = { n = 7, text = "" } },
        time = 100,
        setup = function(t) t.dispatch "a/add" seen = seen + 1 end,
        ["b second"] = function(t) t.equal(t.state "a.n", 8) t.equal(seen, 1)
          t.dispatch "a/keep" t.equal(t.state "a.n", 13) end,
        ["a first"] = function(t) t.equal(t.state "a.n", 8) t.dispatch "a/keep"
          function t.state() return 0 end end,
        ["c third"] = { state = { a = { n = 1, text = "x" } }, run = function(t)
          t.equal(t.state "a", { n = 2, text = "x" }) end },
      }
      """)
    #expect(
      result.output
        == "passed  t: a first\npassed  t: b second\npassed  t: c third\n3 tests passed\n",
      "\(result)")
  }

  @Test func `a fault of a module fails the test`() throws {
    let result = try body("t.dispatch 'a/broken'")
    #expect(result.code == 1 && result.output.contains("oops"), "\(result)")
  }

  @Test(arguments: [
    ("t.dispatch 'a/later'", "task a effect a/later"),
    ("t.dispatch 'a/typed' t.advance(1)", "a/asked"),
    (
      "t.dispatch 'a/talk' local s = t.open 'http.websocket' s:close()",
      #"sent over http.websocket {"message":"hello nil"}"#
    ),
  ])
  func `an exhaustive test fails if it leaves something`(lines: String, left: String) throws {
    #expect(try body(lines).code == 0)
    let result = try body(lines, "exhaustive = true,")
    #expect(result.code == 1 && result.output.contains(left), "\(result)")
  }

  @Test func `what a test does in a coroutine of its own fails the test as elsewhere`() throws {
    let result = try body("coroutine.wrap(function() t.equal(t.state 'a.n', 1) end)()")
    #expect(result.code == 1 && result.output.contains("t.lua:2"), "\(result)")
  }

  @Test func `no test sees what another has left in a variable`() throws {
    let count = "count, g = count + 1, (g or 0) + 1 t.equal({ count, g }, { 1, 1 })"
    let result = try run(
      """
      local count = 0
      return { one = function(t) \(count) end, two = function(t) \(count) end }
      """)
    #expect(result.code == 0, "\(result)")
  }

  @Test func `all calls can have the same answer`() throws {
    let result = try body(
      """
      for i = 1, 3 do t.dispatch('a/load', { url = 'https://x.org/' .. i }) end
      t.equal(t.state 'a.text', 'zzz')
      """, "answers = { ['http.get'] = { text = 'z' } },")
    #expect(result.code == 0, "\(result)")
  }

  @Test func `a test without end is ended, and fails at its last call`() async throws {
    let folder = try ScriptFolder(["a.lua": Self.app])
    let host = try Host(directory: folder.root)
    let functions = await TestFunctions(on: host, timeMax: .seconds(1))
    _ = try await functions.load(
      "return { one = function(t)\nt.tasks()\nwhile true do end end }", of: "t.lua")
    _ = try await functions.begin("one", of: "t.lua")
    let app = try await TestedApp(
      folder.root, TestFilesTests.options, beginning: Map(), time: nil,
      keepingIn: folder.path("../data"), adding: { _ in })
    var run = FunctionTestRun(functions, on: app, isExhaustive: false)
    let failure = try #require(await run.run())
    #expect(
      failure.title
        == "the test ran for 1.0 s after the call in this line: is there a loop that never ends?")
    #expect(failure.line == 2)
    #expect(try await functions.begin("one", of: "other.lua") == nil)
    await app.host.close()
    await host.close()
  }

  @Test func `an entry that isn't a test is told, and no test runs`() throws {
    let result = try run("return { one = function(t) end, two = 5 }")
    #expect(result.code == 65 && result.errors.contains("'two' isn't a test"), "\(result)")
    #expect(result.output == "")
  }

  @Test func `results are lines of JSON`() throws {
    let result = try body("t.equal(1, 2)", "")
    #expect(result.code == 1)
    let json = try run("return { one = function(t) t.equal(1, 2) end }", ["--json"])
    #expect(json.output.contains(#""description":"t: one""#), "\(json)")
    #expect(json.output.contains(#""line":1"#) && json.output.contains(#""passed":false"#))
    #expect(json.output.contains(#""differences":["− 2","+ 1"]"#))
  }
}
