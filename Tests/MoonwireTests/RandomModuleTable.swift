import MoonTestSupport

/// A random file of a module: a table with some of the known keys, each with a valid value, a
/// nearly valid one, or an extreme one.
struct RandomModuleTable {
  private var random: SplitMix64
  /// The number of large values so far.
  ///
  /// One or two make a case; more only make it slow.
  private var largeCount = 0

  init(random: SplitMix64) { self.random = random }

  /// The form of a valid value.
  enum Shape {
    /// A Lua expression.
    case text(String)
    /// The entries of a table; those without a key are elements.
    case table([(key: String?, value: Shape)])
  }

  /// A valid value for each key of a module's table.
  static let shapes: [(key: String, value: Shape)] =
    plainShapes + workShapes

  private static let plainShapes: [(key: String, value: Shape)] = [
    ("description", .text("'A module at random'")),
    ("version", .text("1")),
    (
      "connect",
      table(("from", "{ 'm', n = 'm.n' }"), ("props", "function() return {} end"))
    ),
    ("needs", table((nil, "'state:m'"), (nil, "'net:*.example.com:80'"), (nil, "'read:data/'"))),
    (
      "settings",
      .table([
        ("city", table((nil, "'string'"), (nil, "'Where to look'"), ("default", "'Paris'"))),
        ("key", table((nil, "'string?'"), ("secret", "true"))),
        ("n", table((nil, "'integer'"), ("default", "7"))),
      ])
    ),
    ("redact", table((nil, "'m.n'"))), ("debug", .text("false")),
    ("shape", table(("n", "'integer'"), ("list", "'integer[]'"), ("map", "'map?'"))),
    ("title", table(("plain", "function() return 'T' end"))),
    ("reduce_all", table(("go", "change"), ("['healthy/go']", "change"))),
    ("derive", table(("set", "{ 'n' }"), ("append", "true"), (nil, "'toggle'"))),
    ("state", table(("n", "0"), ("list", "moon.list { 1, 2 }"), ("map", "{ a = 1 }"))),
    (
      "actions",
      .table([
        ("add", table((nil, "'Adds'"), ("by", "'integer?'"), ("to", "'string'"))),
        ("go", .text("{}")), ("told", .text("'Tells'")),
      ])
    ),
    (
      "reducers",
      table(
        ("go", "change"), ("add", "change"), ("['healthy/go']", "change"), ("['m/*']", "change"),
        ("['*']", "change"))
    ),
    (
      "middleware",
      .table([
        (nil, table(("on", "'m/*'"), ("priority", "'high'"), ("run", "pass"))),
        (nil, .text("pass")),
      ])
    ),
    ("after_reduce", table(("on", "'m/*'"), ("priority", "'low'"), ("run", "tell"))),
    (
      "observe",
      .table([
        ("['m.n']", .text("tell")), ("['healthy.n']", table(("run", "tell"), ("initial", "true"))),
        ("m", table(("run", "tell"), ("same", "rawequal"))),
        (nil, table(("paths", "{ n = 'm.n', 'm' }"), ("run", "tell"), ("initial", "true"))),
      ])
    ),
    (
      "routes",
      .table([
        (
          "['/m/:id']",
          table(
            ("screen", "show"), ("option", "moon.push()"), ("priority", "1"), ("name", "'one'"),
            ("kind", "'plain'"), ("when", "tell"), ("parent", "'/m/list'"))
        ), ("['/m/list(/:a)(/:b)']", .text("show")), ("['app:/m/*']", .text("show")),
      ])
    ),
    (
      "handlers",
      .table([
        (
          "['/h/:x']",
          table(("run", "tell"), ("priority", "2"), ("name", "'h'"), ("when", "tell"))
        ),
        ("['/g']", .text("tell")),
      ])
    ),
    ("routing_options", table(("route", "'/m/:id'"), ("priority", "1"), ("run", "choose"))),
    (
      "presenters",
      .table([
        (nil, table(("priority", "3"), ("on", "'*'"), ("run", "show"))), (nil, .text("show")),
      ])
    ),
    (
      "routing_observers",
      table(("will", "tell"), ("did", "tell"), ("failed", "tell"), ("priority", "1"))
    ),
    (
      "routing_presenters",
      .table([("show", .text("present")), ("drawer", table(("priority", "1"), ("run", "present")))])
    ),
    ("shape", table(("n", "'number'"), ("list", "'integer[]'"), ("map", "'map'"))),
    ("title", table(("plain", "function() return 'Plain' end"), ("m", "tell"))),
    ("containers", table(("split", "answer"))),
    (
      "windows",
      .table([("main", table(("in_tab", "'owner'"), ("over_modal", "'dismiss'")))])
    ),
    (
      "keys",
      .table([
        ("['ctrl+n']", .text("'go'")), ("['g i']", .text("'/list'")),
        (nil, table(("on", "'m/*'"), ("x", "require 'moonwire'.ui.button('Go', 'go')"))),
      ])
    ),
    ("unmatched", .text("tell")), ("views", table(("plain", "view"), ("m", "view"))),
    (
      "lifecycle",
      .table([
        (nil, table(("load", "tell"), ("did_appear", "tell"), ("will_disappear", "tell"))),
        (nil, table(("on", "'m/*'"), ("priority", "1"), ("did_appear", "tell"))),
      ])
    ), ("map_modules", table(("go", "answer"), ("['healthy/*']", "answer"))),
    ("map_navigation", .text("answer")), ("on_start", .text("tell")), ("on_stop", .text("tell")),
    ("on_back", .text("answer")), ("on_restore", .text("tell")), ("on_settings", .text("tell")),
    ("migrate", .text("function(old) return old end")),
    (
      "extends",
      .table([
        ("['m/plain#below']", .text("view")),
        ("['healthy/*']", table(("run", "view"), ("priority", "1"))),
      ])
    ),
  ]

  /// The keys whose functions may wait, or that call them at times.
  private static let workShapes: [(key: String, value: Shape)] = [
    (
      "effects",
      .table([
        ("go", .text("work")), ("['healthy/go']", .text("work")),
        ("['*']", table(("run", "work"), ("policy", "'queue'"))),
        ("add", table(("run", "work"), ("policy", "'latest'"), ("debounce", "0.001"))),
        ("told", table(("run", "work"), ("policy", "'first'"), ("throttle", "0.001"))),
        (
          "kept",
          table(
            ("run", "work"), ("durable", "true"), ("on_new_code", "'restart'"),
            ("retry", "{ attempts = 2 }"))
        ),
      ])
    ),
    (
      "api",
      .table([
        (
          "load",
          table(
            ("request", "work"), ("loading", "'told'"), ("success", "'told'"),
            ("failure", "{ type = 'told' }"), ("map_success", "answer"), ("map_failure", "answer"),
            ("policy", "'every'"))
        ),
        (
          "go",
          table(
            ("request", "work"), ("loading", "work"), ("success", "{ 'told', 'go' }"),
            ("failure", "answer"), ("policy", "'latest'"), ("debounce", "0.001"))
        ),
      ])
    ),
    (
      "schedules",
      .table([
        ("go", table(("every", "300"), ("after", "0"), ("payload", "{ n = 1 }"))),
        ("told", table(("after", "0.001"))),
      ])
    ),
    (
      "commands",
      .table([
        ("ask", .text("work")),
        ("sum", table((nil, "'What it costs'"), ("n", "'integer?'"), ("run", "work"))),
      ])
    ),
  ]

  private static func table(_ entries: (key: String?, value: String)...) -> Shape {
    .table(entries.map { ($0.key, .text($0.value)) })
  }

  /// Values that code may not be prepared for.
  private static let extremes = [
    "math.mininteger", "math.maxinteger", "math.maxinteger - 1", "-1", "0", "2^53", "2^63", "-2^63",
    "0/0", "-(0/0)", "1/0", "-1/0", "-0.0", "1e308", "5e-324", "0.5", "nil", "true", "false",
    "moon.null", "moon.list()", "{}", "''", "' '", "'x'", "'\\0'", "'\\xff'", "'a/b'", "'*'",
    "'/*'",
    "'/'", "'//'", "'..'", "'m.n'", "'[1]'", "'\\u{202E}'", "'\\27[31m'", "':'", "'/:'", "'(/'",
    "'/a(/b(/c(/d)))'", "'integer?'", "'1'", "print", "moon", "_G", "coroutine.create(print)",
    "setmetatable({}, { __index = error, __len = error, __pairs = error })", "{ {} }", "{ 1, 2 }",
    "{ x = { y = { z = 1 } } }", "{ [1] = 1, x = 2 }", "{ [1.5] = 1 }", "{ [print] = print }",
    "moon.push()", "moon.nav.push('/m/1')", "moon.route('/m/1')", "{ type = 'm/go' }",
    "self_holding()", "nested(60)", "nested(200)",
  ]
  private static let large = [
    "many(100000, 1)", "many(100000, print)", "names(20000, change)", "names(20000, 'integer')",
    "('x'):rep(100000)", "('/:a'):rep(2000)", "('(/x'):rep(300) .. (')'):rep(300)",
    "('a.'):rep(5000)", "('é'):rep(40000)", "names(3000, {})", "many(30000, { 1 })",
  ]

  /// The functions and values that the texts refer to.
  private static let preamble = """
    local moon = require "moonwire"
    local function many(n, v) local t = {} for i = 1, n do t[i] = v end return t end
    local function names(n, v) local t = {} for i = 1, n do t["n" .. i] = v end return t end
    local function nested(n) local t = {} for i = 1, n do t = { t, x = i % 2 == 0 and t or nil } end return t end
    local function self_holding() local t = {} t.t = t return t end
    local work
    """

  /// Returns the text of the file.
  mutating func text() -> String {
    var entries: [(key: String?, value: Shape)] = []
    for shape in Self.shapes where random.once(in: 3) { entries.append((shape.key, shape.value)) }
    var whole = Shape.table(entries)
    for _ in 0..<1 + random.below(3) { change(&whole) }
    let names = ["change", "pass", "tell", "show", "choose", "present", "view", "answer", "work"]
    let functions =
      names
      .map { "\($0 == "work" ? "" : "local ")function \($0)(a, b, c, d) \(body(of: $0)) end" }
      .joined(separator: "\n")
    let call = random.once(in: 2) ? "moon.module" : ""
    return "\(Self.preamble)\n\(functions)\nreturn \(call)(\(Self.text(of: whole)))\n"
  }

  // MARK: Making parts

  private mutating func extreme() -> String {
    if largeCount < 1, random.once(in: 12) {
      largeCount += 1
      return random.pick(Self.large)
    }
    return random.pick(Self.extremes)
  }

  private mutating func body(of function: String) -> String {
    switch (function, random.below(5)) {
    case ("change", 0): "a.n = \(extreme())"
    case ("change", 1): "a[\(extreme())] = \(extreme())"
    case ("change", 2): "return \(extreme())"
    case ("change", _): "a.n = (math.type(a.n) == 'integer' and a.n or 0) + 1"
    case ("show", 0...2), ("present", 0...2):
      "return { title = \(extreme()), props = \(extreme()), body = { \(extreme()) } }"
    case ("view", 0...2):
      "return { moon.ui.text('x'), { type = 'TextBlock', text = \(extreme()) } }"
    case ("answer", 0): "return moon.start(\(extreme()))"
    case ("answer", 1): "return { moon.nav.push(\(extreme())), \(extreme()) }"
    case ("tell", 0): "if d then d.dispatch(\(extreme()), \(extreme())) end"
    case ("tell", 1): "if c then c.dispatch('told', { \(extreme()) }) end"
    case ("pass", 0): "return { type = \(extreme()), payload = \(extreme()) }"
    case ("work", 0...3): work()
    default: "return \(random.once(in: 2) ? "nil" : extreme())"
    }
  }

  /// Returns statements of a function that may wait; `b` is `self`, if it is an effect's.
  private mutating func work() -> String {
    switch random.below(14) {
    case 0: "moon.sleep(\(extreme())) return \(extreme())"
    case 1: "return moon.spawn(function() return \(extreme()) end)"
    case 2: "return moon.spawn(function() error(\(extreme())) end)"
    case 3: "return moon.race { function() moon.sleep(0) end, function() error(\(extreme())) end }"
    case 4: "moon.all { function() return \(extreme()) end, \(extreme()) }"
    case 5: "moon.timeout(\(extreme()), function() moon.take(\(extreme())) end)"
    case 6: "moon.when(\(extreme()), \(extreme()))"
    case 7: "return moon.defer(function(emit) emit(\(extreme())) return \(extreme()) end)"
    case 8: "b.dispatch(\(extreme()), \(extreme())) b.after(\(extreme()), 'told', \(extreme()))"
    case 9: "return b.call(\(extreme()), \(extreme()))"
    case 10: "return b.call('ask', { n = \(extreme()) })"
    case 11: "b.handle { request = work, success = \(extreme()), failure = \(extreme()) }"
    case 12:
      "local c <close> = setmetatable({}, { __close = function() error(\(extreme())) end }) "
        + "moon.sleep(1)"
    default: "b.dispatch_and_wait(\(extreme()), \(extreme())) b.every(\(extreme()), 'told')"
    }
  }

  /// Changes one part at a random place.
  private mutating func change(_ shape: inout Shape) {
    guard case .table(var entries) = shape, !entries.isEmpty, !random.once(in: 6) else {
      shape = .text(extreme())
      return
    }
    let place = random.below(entries.count)
    switch random.below(8) {
    case 0: entries.remove(at: place)
    case 1: entries[place].key = "[\(keyText())]"
    case 2: entries.append(("[\(keyText())]", .text(extreme())))
    case 3: entries.append((nil, .text(extreme())))
    case 4: entries.append(entries[place])
    default: change(&entries[place].value)
    }
    shape = .table(entries)
  }

  /// Returns an expression that can be a key: neither nil nor NaN.
  private mutating func keyText() -> String { "(\(extreme())) or 1" }

  private static func text(of shape: Shape) -> String {
    switch shape {
    case .text(let text): text
    case .table(let entries):
      "{ "
        + entries.map { entry in
          (entry.key.map { "\($0) = " } ?? "") + text(of: entry.value)
        }.joined(separator: ", ") + " }"
    }
  }
}
