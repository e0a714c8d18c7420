import Moonwire
import Testing

/// The problems that a module's table can have, and the places where they are reported.
struct ModuleReaderTests {
  struct Case: CustomTestStringConvertible {
    let text: String
    let expected: [Expected]

    struct Expected: Equatable {
      let line: Int
      let reason: ModuleProblem.Reason

      init(_ line: Int, _ reason: ModuleProblem.Reason) {
        self.line = line
        self.reason = reason
      }
    }

    init(_ text: String, _ expected: Expected...) {
      self.text = text
      self.expected = expected
    }

    var testDescription: String { text }
  }

  static let returns: [Case] = [
    Case("", .init(0, .returned("nothing"))),
    Case("-- nothing here", .init(0, .returned("nothing"))),
    Case("return nil", .init(0, .returned("nil"))),
    Case("return 5", .init(0, .returned("a number"))),
    Case("return 'x'", .init(0, .returned("a string"))),
    Case("return function() end", .init(0, .returned("a function"))),
    Case("return { 1, 2 }", .init(0, .returned("a list"))),
    Case("return { {}, {} }", .init(0, .returned("a list"))),
    Case("return { function() end }", .init(0, .unknownKey("[1]", nearest: nil))),
    Case("return {\n  state = {},\n  'stray',\n}", .init(0, .unknownKey("[1]", nearest: nil))),
  ]

  static let keys: [Case] = [
    Case("return {\n  stat = {},\n}", .init(2, .unknownKey("stat", nearest: "state"))),
    Case(
      "return {\n  reducer = {\n    add = function() end,\n  },\n}",
      .init(2, .unknownKey("reducer", nearest: "reducers"))),
    Case("return {\n  zzzzzz = 1,\n}", .init(2, .unknownKey("zzzzzz", nearest: nil))),
    Case(
      "return {\n  ['obsrve'] = {},\n}", .init(2, .unknownKey("obsrve", nearest: "observe"))),
    Case(
      "return {\n  on_sart = function() end,\n}",
      .init(2, .unknownKey("on_sart", nearest: "on_start"))),
  ]

  static let renamed: [Case] = [
    ("observers", "routing_observers", "{ will = function() end }"),
    ("options", "routing_options", "function() end"),
    ("start", "on_start", "function() end"),
    ("stop", "on_stop", "function() end"),
  ].flatMap { old, new, value in
    [
      Case("return {\n  \(new) = \(value),\n}"),
      Case("return {\n  \(old) = \(value),\n}", .init(2, .renamedKey(old, to: new))),
      // The old name is reported whatever its value, even beside the new one.
      Case(
        "return {\n  \(new) = \(value),\n  \(old) = 5,\n}", .init(3, .renamedKey(old, to: new))),
    ]
  }

  /// In other places these words keep their meaning.
  static let kept: [Case] = [
    Case(
      """
      return {
        state = { start = 1, stop = 2, options = {}, observers = {} },
        actions = { start = "Starts", stop = "Stops", options = "Sets", observers = "Counts" },
        reducers = { start = print, stop = print, options = print, observers = print },
        views = { start = print, options = print },
      }
      """)
  ]

  static let kinds: [Case] = [
    Case(
      "return {\n  description = 5,\n}",
      .init(2, .wrongKind(key: "description", expected: "a string", found: "a number"))),
    Case(
      "return {\n  version = 'two',\n}",
      .init(2, .wrongKind(key: "version", expected: "an integer", found: "a string"))),
    Case(
      "return {\n  version = 1.5,\n}",
      .init(2, .wrongKind(key: "version", expected: "an integer", found: "a number"))),
    Case(
      "return {\n  state = 5,\n}",
      .init(2, .wrongKind(key: "state", expected: "a table", found: "a number"))),
    Case(
      "return {\n  on_start = {},\n}",
      .init(2, .wrongKind(key: "on_start", expected: "a function", found: "a table"))),
    Case(
      "return {\n  migrate = true,\n}",
      .init(2, .wrongKind(key: "migrate", expected: "a function", found: "a boolean"))),
    Case(
      "return {\n  reducers = 5,\n}",
      .init(2, .wrongKind(key: "reducers", expected: "a table of functions", found: "a number"))),
    Case(
      "return {\n  reducers = {\n    add = 5,\n  },\n}",
      .init(3, .wrongKind(key: "reducers[\"add\"]", expected: "a function", found: "a number"))),
    Case(
      "return {\n  reducers = { function() end },\n}",
      .init(
        2, .wrongKind(key: "reducers[1]", expected: "a name for each function", found: "none"))),
    Case(
      "return {\n  reducers = { add = function() end, [5] = function() end },\n}",
      .init(
        2, .wrongKind(key: "reducers[5]", expected: "a name for each function", found: "none"))),
    Case(
      "return {\n  observe = function() end,\n}",
      .init(2, .wrongKind(key: "observe", expected: "a table of functions", found: "a function"))),
    Case(
      "return {\n  middleware = 5,\n}",
      .init(2, .wrongKind(key: "middleware", expected: "a table", found: "a number"))),
    Case(
      "return {\n  middleware = { on = 'a/b' },\n}",
      .init(2, .wrongKind(key: "middleware.run", expected: "a function", found: "nothing"))),
    Case(
      "return {\n  middleware = {\n    priority = 'urgent',\n    run = function() end,\n  },\n}",
      .init(
        3,
        .wrongKind(
          key: "middleware.priority", expected: "\"high\", \"medium\" or \"low\"",
          found: "\"urgent\""))),
    Case(
      "return {\n  middleware = {\n    { runs = function() end },\n  },\n}",
      .init(3, .unknownKey("middleware[1].runs", nearest: "run")),
      .init(2, .wrongKind(key: "middleware[1].run", expected: "a function", found: "nothing"))),
    Case(
      "return {\n  actions = 5,\n}",
      .init(2, .wrongKind(key: "actions", expected: "a table of actions", found: "a number"))),
    Case(
      "return {\n  actions = { 'add' },\n}",
      .init(2, .wrongKind(key: "actions[1]", expected: "a name for each action", found: "none"))),
    Case(
      "return {\n  actions = {\n    add = 5,\n  },\n}",
      .init(
        3,
        .wrongKind(
          key: "actions.add", expected: "a table of fields or a sentence", found: "a number"))),
    Case(
      "return {\n  actions = {\n    add = { 'Adds', 'more' },\n  },\n}",
      .init(
        3,
        .wrongKind(key: "actions.add[2]", expected: "a name for each field", found: "none"))),
    Case(
      "return {\n  actions = {\n    add = { by = {} },\n  },\n}",
      .init(3, .wrongKind(key: "actions.add.by", expected: "a type", found: "an empty table"))),
  ]

  static let texts: [Case] = [
    Case(
      "return {\n  reducers = {\n    ['a b'] = function() end,\n  },\n}",
      .init(3, .invalidPattern(key: "reducers", text: "a b"))),
    Case(
      "return {\n  reducers = {\n    ['add*'] = function() end,\n  },\n}",
      .init(3, .invalidPattern(key: "reducers", text: "add*"))),
    Case(
      "return {\n  middleware = {\n    on = 'x*',\n    run = function() end,\n  },\n}",
      .init(3, .invalidPattern(key: "middleware.on", text: "x*"))),
    Case(
      "return {\n  actions = {\n    ['a b'] = {},\n  },\n}",
      .init(3, .invalidPattern(key: "actions", text: "a b"))),
    Case(
      "return {\n  actions = {\n    ['other/add'] = {},\n  },\n}",
      .init(3, .invalidPattern(key: "actions", text: "other/add"))),
    Case(
      "return {\n  actions = {\n    ['*'] = {},\n  },\n}",
      .init(3, .invalidPattern(key: "actions", text: "*"))),
    Case(
      "return {\n  actions = {\n    add = { by = 'int' },\n  },\n}",
      .init(3, .invalidFieldType(key: "actions.add.by", text: "int"))),
    Case(
      "return {\n  redact = {\n    'other.token',\n  },\n}",
      .init(3, .invalidRedaction("other.token"))),
    Case(
      "return {\n  redact = 'token',\n}",
      .init(2, .wrongKind(key: "redact", expected: "a list of paths", found: "a string"))),
    Case(
      "return {\n  observe = {\n    ['a..b'] = function() end,\n  },\n}",
      .init(3, .invalidPath(key: "observe", text: "a..b"))),
  ]

  static let unstorable: [Case] = [
    Case(
      "return {\n  state = {\n    log = { 1, 2, {\n      callback = print,\n    } },\n  },\n}",
      .init(4, .unstorable(path: "state.log[3].callback", what: "a function"))),
    Case(
      "return {\n  state = {\n    f = function() end,\n  },\n}",
      .init(3, .unstorable(path: "state.f", what: "a function"))),
    Case(
      "return {\n  state = { 1, 2, x = 3 },\n}",
      .init(
        2, .unstorable(path: "state", what: "a table with both integer and string keys"))),
    Case(
      "return {\n  state = { t = coroutine.create(print) },\n}",
      .init(2, .unstorable(path: "state.t", what: "thread"))),
    Case(
      "return {\n  state = {\n    x = 0/0,\n  },\n}",
      .init(3, .unstorable(path: "state.x", what: "a number that is not a number (0/0)"))),
    Case(
      "return {\n  state = {\n    log = { 1, { y = -(0/0) } },\n  },\n}",
      .init(3, .unstorable(path: "state.log[2].y", what: "a number that is not a number (0/0)"))),
    Case(
      "return {\n  version = 0/0,\n}",
      .init(
        2,
        .wrongKind(
          key: "version", expected: "an integer", found: "a number that is not a number (0/0)"))),
  ]

  static let several: [Case] = [
    Case(
      """
      return {
        description = 1,
        stat = {},
        reducers = {
          add = 5,
          ["x y"] = function() end,
        },
        actions = {
          add = { by = "int" },
        },
      }
      """,
      .init(3, .unknownKey("stat", nearest: "state")),
      .init(2, .wrongKind(key: "description", expected: "a string", found: "a number")),
      .init(9, .invalidFieldType(key: "actions.add.by", text: "int")),
      .init(5, .wrongKind(key: "reducers[\"add\"]", expected: "a function", found: "a number")),
      .init(6, .invalidPattern(key: "reducers", text: "x y")))
  ]

  @Test(arguments: renamed + kept)
  func `an old key is told of with its new name`(one: Case) async throws {
    let bench = try await Bench(["m.lua": one.text])
    let info = try #require(try await bench.info("m"))
    #expect(info.problems.map { Case.Expected($0.place.line, $0.reason) } == one.expected)
    #expect(info.status == (one.expected.isEmpty ? .running : .failed))
  }

  @Test(arguments: returns + keys + kinds + texts + unstorable + several)
  func `all that is wrong with a table is told with its line`(one: Case) async throws {
    let bench = try await Bench(["m.lua": one.text, "good.lua": "return { state = { n = 1 } }"])
    let info = try #require(try await bench.info("m"))
    #expect(info.status == .failed)
    #expect(
      info.problems.map { Case.Expected($0.place.line, $0.reason) } == one.expected)
    #expect(info.problems.allSatisfy { $0.place.file == "m.lua" && $0.module?.text == "m" })
    #expect(try await bench.state() == ["good": ["n": 1]])
  }

  @Test func `each of thousands of patterns has its line`() async throws {
    // A search of all lines for each of these would take minutes.
    let count = 2_000
    let lines = (1...count).map { number in
      let quote = number.isMultiple(of: 2) ? "'" : "\""
      return "[\(quote)/x\(number)\(quote)] = function() end,\n"
    }
    let bench = try await Bench(["m.lua": "return { routes = {\n\(lines.joined())} }"])
    let places = await bench.host.routeInfos().map { ($0.pattern, $0.place?.line) }
    #expect(places.count == count)
    for (pattern, line) in places {
      #expect(line == Int(pattern.string.dropFirst(2)).map { $0 + 1 })
    }
  }

  @Test(arguments: [
    // Six groups turn one pattern into 64, which have seven components at most.
    (name: "p", count: 585, isTooMuch: false), (name: "p", count: 586, isTooMuch: true),
    (name: String(repeating: "long", count: 480), count: 130, isTooMuch: false),
    (name: String(repeating: "long", count: 480), count: 140, isTooMuch: true),
  ])
  func `patterns that stand for too much are told once`(
    name: String, count: Int, isTooMuch: Bool
  ) async throws {
    let bench = try await Bench([
      "m.lua": """
      local routes = {}
      for i = 1, \(count) do
        routes["/\(name)" .. i .. "(/a)(/b)(/c)(/d)(/e)(/f)"] = function() end
      end
      return { routes = routes }
      """
    ])
    let info = try #require(try await bench.info("m"))
    #expect(info.problems.map(\.reason) == (isTooMuch ? [.tooManyRoutes] : []))
  }

  @Test func `everything that a table may say is read`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local moon = require "moonwire"
      return moon.module {
        description = "All of it",
        version = 3,
        migrate = function(old) return old end,
        state = { n = 0, list = moon.list() },
        actions = { add = { "Adds", by = "integer?" }, clear = "Clears", touch = {} },
        reducers = { add = function() end, ["x/*"] = function() end, ["*"] = function() end },
        middleware = {
          function() end,
          { priority = "high", on = "add", run = function() end },
        },
        observe = { ["m.n"] = function() end, [""] = function() end },
        on_start = function() end,
        on_stop = function() end,
      }
      """
    ])
    let info = try #require(try await bench.info("m"))
    #expect(info.description == "All of it")
    #expect(info.version == 3)
    #expect(info.file == "m.lua")
    #expect(info.status == .running)
    #expect((info.usage?.memory ?? 0) > 0)
    #expect(
      info.registrations.map { "\($0.kind) \($0.name) \($0.place?.line ?? 0)" } == [
        "action m/add 7", "action m/clear 7", "action m/touch 7", "reducer * 8", "reducer m/add 8",
        "reducer x/* 8", "middleware * 10", "middleware m/add 11", "observer  13",
        "observer m.n 13", "onStart on_start 14", "onStop on_stop 15",
      ])
    #expect(try await bench.state("m") == ["n": 0, "list": .list(List())])
  }
}
