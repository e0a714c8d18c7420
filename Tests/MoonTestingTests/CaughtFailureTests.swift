import MoonTestSupport
import Moonwire
import Testing

@testable import MoonTesting

/// What a test in Lua catches, breaks or raises: it never passes for what it got wrong, and its
/// failures keep their reasons.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct CaughtFailureTests {
  private static let app = """
    local moon = require "moonwire"
    return {
      needs = { "net:*" },
      state = { n = 0 },
      actions = { add = {}, talk = {} },
      reducers = {
        add = function(s) s.n = s.n + 1 end,
        no = function() moon.refuse "not now" end,
      },
      effects = {
        talk = function()
          for _ in moon.http.websocket "wss://x.org" do end
        end,
      },
    }
    """

  /// Runs tests with these bodies, in this order; returns their failures.
  private func failures(_ bodies: [String]) async throws -> [TestResult.Failure?] {
    let tests = bodies.enumerated().map { number, body in
      "['\(100 + number)'] = function(t)\n\(body)\nend,"
    }
    let scripts = try ScriptFolder([
      "a.lua": Self.app, "tests/t.lua": "return { \(tests.joined(separator: "\n")) }",
    ])
    return try await TestFilesTests.results(of: scripts).map(\.failure)
  }

  private func titles(_ bodies: [String]) async throws -> [String] {
    try await failures(bodies).map { $0?.title ?? "passed" }
  }

  static let caught: [(body: String, title: String)] = [
    ("pcall(t.refused, 'a/add')", "a/add wasn't refused"),
    ("pcall(t.refused, 'a/no', nil, 'never')", "the reason has no 'never' in it: not now"),
    ("pcall(t.receive, 'a/add')", "no module has dispatched a/add"),
    (
      "t.dispatch 'a/talk' local s = t.open 'http.websocket' pcall(s.receive, s)",
      "the module has sent nothing"
    ),
    ("pcall(t.call, 'http.get')", "nothing waits for moon.http.get"),
    ("pcall(t.dispatch, 5)", "t.dispatch takes an action, such as \"cart/add\""),
    ("pcall(t.answer, 'http.gett')", "there is no moon.http.gett that a test can answer"),
    ("pcall(function() t.dispach 'a/add' end)", "there is no function t.dispach"),
    (
      "coroutine.resume(coroutine.create(function() t.receive 'a/add' end))",
      "no module has dispatched a/add"
    ),
  ]

  @Test func `what isn't as expected fails the test, also if it catches that`() async throws {
    let titles = try await titles(Self.caught.map(\.body))
    for ((body, title), found) in zip(Self.caught, titles) {
      #expect(found.contains(title), "\(body): \(found)")
    }
  }

  @Test func `an action that fails may be caught`() async throws {
    let acts = ["t.dispatch, 'a/no'", "t.route, '/none'", "t.tap, 'Add'", "t.press, 'x'"]
    let bodies = acts.map { "t.ok(not pcall(\($0)))" }
    #expect(try await titles(bodies) == bodies.map { _ in "passed" })
  }

  @Test func `what can't be called, or isn't given, isn't expected of anything`() async throws {
    let bodies = [
      "local lib = {} t.raises(lib.chek)", "t.raises 'x'", "t.raises({})",
      "pcall(t.raises, nil)", "t.contains('a nil', nil)",
    ]
    for title in try await titles(bodies).dropLast() {
      #expect(title.contains("t.raises takes a function"), "\(title)")
    }
    #expect(try await titles(bodies).last?.contains("t.contains takes") == true)
    let callable = "t.raises(setmetatable({}, { __call = function() error 'no' end }), 'no')"
    #expect(try await titles([callable]) == ["passed"])
  }

  static let unspeakable: [(body: String, line: Int?, title: String, lines: [String])] = [
    ("t.equal(0/0, 0/0)", 2, "not equal", [#"− "nan""#, #"+ "nan""#]),
    ("t.equal(0/0, 1)", 2, "not equal", [#"− 1"#, #"+ "nan""#]),
    ("t.equal('\\xff', 'a')", 2, "not equal", [#"− "a""#, #"+ "(bytes)""#]),
    ("t.equal({ ['\\xff'] = 1 }, 2)", 2, "not equal", ["− 2", "+ {[\"\u{FFFD}\"] = 1}"]),
    ("error 'a\\xffb'", 2, "a\u{FFFD}b", []),
    ("t.ok(false, '\\xff')", 2, "\u{FFFD}", []),
    ("t.route '\\xff'", 2, "\u{FFFD}", []), ("t.tap '\\xff'", 2, "screen", []),
    ("t.state '\\xff'", 2, "isn't a path", []),
    ("t.dispatch('a/\\xff')", 2, "\u{FFFD}", []),
    ("coroutine.yield()", nil, "a test waits for functions of t only", []),
    ("coroutine.yield { op = 'done' }", nil, "a test waits for functions of t only", []),
    (
      "error(setmetatable({}, { __tostring = function() error 'x' end }))", nil,
      "the test raised a value that has no text", []
    ),
  ]

  @Test func `a failure with a value that can't leave Lua keeps its reason and its line`()
    async throws
  {
    let bodies = Self.unspeakable.map(\.body)
    // Each is in a file of its own line numbers: the first line of its function is the second.
    for (expected, body) in zip(Self.unspeakable, bodies) {
      let failure = try await failures([body])[0]
      #expect(failure?.title.contains(expected.title) == true, "\(body) \(failure?.title ?? "")")
      #expect(failure?.line == expected.line, "\(body)")
      if !expected.lines.isEmpty { #expect(failure?.lines == expected.lines, "\(body)") }
    }
  }

  @Test func `no test sees what another has put into a table that both can reach`() async throws {
    let titles = try await titles([
      """
      coroutine.status = function() return "dead" end
      string.find, _G.leaked, table.own, moon.own = nil, 1, 1, 1
      _G.error, _G.pcall, _G.type = nil, nil, nil
      setmetatable(_G, { __index = function() return 7 end, __metatable = false })
      """,
      "t.equal(t.state 'a.n', 1)",
      "t.equal({ _G.leaked, table.own, moon.own, nothing }, {}) t.ok(('x'):find 'x')",
    ])
    #expect(titles[0] == "passed" && titles[2] == "passed", "\(titles)")
    #expect(titles[1].hasSuffix("not equal"))
  }

  @Test func `a test that breaks what it runs on is told of what it expects in vain`() async throws
  {
    let titles = try await titles([
      "coroutine.status = function() return 'dead' end t.equal(t.state 'a.n', 1)",
      "pcall, error, type = nil _G.error = function() end _G.type = nil t.equal(1, 2)",
    ])
    for title in titles { #expect(title.hasSuffix("not equal"), "\(title)") }
  }
}
