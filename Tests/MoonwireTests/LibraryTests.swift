import Logging
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

struct LibraryTests {
  private static func using(_ name: String, _ result: String = "library.name") -> String {
    """
    local library = require "\(name)"
    return { state = { got = \(result) } }
    """
  }

  @Test(arguments: [
    ("text", "lib/text.lua"), ("lib.text", "lib/text.lua"),
    ("deep.er.text", "lib/deep/er/text.lua"),
    ("shared.text", "shared/text.lua"), ("shared.more", "shared/more/init.lua"),
    ("more", "lib/more/init.lua"), ("m.parts", "m/parts.lua"), ("a-b_9", "lib/a-b_9.lua"),
  ])
  func `a library is found below lib or in another folder`(name: String, file: String) async throws
  {
    let bench = try await Bench([
      "m/init.lua": Self.using(name), file: "return { name = '\(file)' }",
    ])
    #expect(try await bench.state("m.got") == .string(Text(file)))
  }

  @Test func `a module has so many megabytes of files and no more`() async throws {
    var files = [
      "m.lua": """
      for i = 1, 20 do
        local found, message = pcall(require, "big" .. i)
        if not found then return { state = { count = i, message = message } } end
      end
      """
    ]
    let megabyte = "--" + String(repeating: "x", count: (1 << 20) - 2)
    for number in 1...20 { files["lib/big\(number).lua"] = megabyte }
    let bench = try await Bench(files)
    #expect(try await bench.state("m.count") == 17)
    #expect(
      try await bench.state("m.message")
        == "m.lua:2: require: the files of a module may have 16 MB at most")
  }

  @Test func `a file is loaded once, whatever name requires it`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local one, two = require "shop.prices", require "lib.shop.prices"
      return { state = { same = one == two and one == require("shop").prices } }
      """,
      "lib/shop/init.lua": "return { prices = require '.prices' }",
      "lib/shop/prices.lua": "return {}",
    ])
    #expect(try await bench.state("m.same") == true)
  }

  @Test func `a name that begins with a dot is relative, also inside a function`() async throws {
    let bench = try await Bench([
      "m/init.lua": """
      local _, problem = pcall(require, ".nothing")
      return { state = { got = "", problem = problem }, actions = { go = {} }, reducers = {
        go = function(state) state.got = require "shop.cart" .. require ".own" end } }
      """,
      "m/own.lua": "return ' m'",
      "shop/cart.lua": "return (function() return require('.tax').rate end)()",
      "shop/tax.lua": "return { rate = 'shop' }",
    ])
    try await bench.dispatch("m/go")
    #expect(try await bench.state("m.got") == "shop m")
    #expect(
      try await bench.state("m.problem")?.stringValue?.contains(
        "there is no library 'm.nothing'") == true)
    let top = try await Bench([
      "m.lua": "return { state = { n = pcall(require, '.x') and 1 or 2 } }"
    ])
    #expect(try await top.state("m.n") == 2)
  }

  @Test func `libraries for plain Lua find what they look at`() async throws {
    let bench = try await Bench([
      "m.lua": Self.using("plain"),
      "lib/plain.lua": """
      #!/usr/bin/env lua it's skipped
      package.preload["plain.parts"] = package.preload["plain.parts"] or function(...)
        return { name = ..., text = require "string" == string }
      end
      package.loaded["plain.other"] = "other"
      local stdout, directory = io.stdout, package.config:sub(1, 1)
      local classes = setmetatable({}, { __mode = "k" })
      local parts = require "plain.parts"
      return { name = parts.name .. directory .. require "plain.other" .. tostring(parts.text) }
      """,
    ])
    #expect(try await bench.state("m.got") == "plain.parts/othertrue")
  }

  @Test func `the host's own libraries can't be replaced`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local taken = 0
      for _, name in ipairs { "moonwire", "moonwire.ui", "moonwire.tasks" } do
        package.preload[name] = function() taken = taken + 1 return {} end
        package.loaded[name] = {}
      end
      local moon = require "moonwire"
      return { state = { ui = type(moon.ui.text), sleep = type(moon.sleep), taken = taken } }
      """
    ])
    #expect(try await bench.state("m") == ["ui": "function", "sleep": "function", "taken": 0])
  }

  @Test func `each module has a library of its own, and one of it`() async throws {
    let module = """
      local one, two = require "count", require "count"
      one.n = one.n + 1
      return { state = { n = two.n, same = one == two } }
      """
    let bench = try await Bench([
      "a.lua": module, "b.lua": module, "lib/count.lua": "return { n = 0 }",
    ])
    #expect(try await bench.state("a") == ["n": 1, "same": true])
    #expect(try await bench.state("b") == ["n": 1, "same": true])
  }

  @Test func `a library without result is true`() async throws {
    let bench = try await Bench(["m.lua": Self.using("x", "library"), "lib/x.lua": "local y = 1"])
    #expect(try await bench.state("m.got") == true)
  }

  @Test(arguments: [
    (
      "other",
      "require: 'other' is a module, not a library: modules work together through actions"
    ),
    (
      "folder",
      "require: 'folder' is a module, not a library: modules work together through actions"
    ),
    (
      "nothing",
      "require: there is no library 'nothing'; looked for lib/nothing.lua, lib/nothing/init.lua"
    ),
    (
      "a.b",
      "require: there is no library 'a.b'; looked for a/b.lua, "
        + "a/b/init.lua, lib/a/b.lua, lib/a/b/init.lua"
    ),
    (
      "../x",
      "require: '../x' can't be a library's name: write words separated by dots, such as \"lib.text\""
    ),
    (
      "/etc/passwd",
      "require: '/etc/passwd' can't be a library's name: write words separated by dots, "
        + "such as \"lib.text\""
    ),
    (
      "",
      "require: '' can't be a library's name: write words separated by dots, such as \"lib.text\""
    ),
  ])
  func `what can't be required is said, with the line`(name: String, sentence: String) async throws
  {
    let bench = try await Bench([
      "m.lua": Self.using(name), "other.lua": "return {}", "folder/init.lua": "return {}",
    ])
    #expect(
      try await bench.info("m")?.problems.map(\.summary) == ["m.lua:1 raised(\"\(sentence)\")"])
    #expect(try await bench.info("other")?.status == .running)
  }

  @Test(arguments: [
    ("return {\n  x = nil + 1\n}", "lib/text.lua:2", "raised("),
    ("local x =\n= 2", "lib/text.lua:2", "raised(\"unexpected symbol near '='\")"),
    ("error('bad day')", "lib/text.lua:1", "raised(\"bad day\")"),
  ])
  func `an error in a library shows its own place`(
    text: String, place: String, reason: String
  ) async throws {
    let bench = try await Bench(["m.lua": Self.using("text"), "lib/text.lua": text])
    let problem = try #require(try await bench.info("m")?.problems.first)
    #expect(problem.summary.hasPrefix("\(place) \(reason)"), "\(problem.summary)")
    guard case .fault(let fault) = problem.reason else { return }
    #expect(fault.registration == Registration(.load, "m.lua", place: SourcePlace(file: "m.lua")))
    #expect(fault.excerpt?.line == problem.place.line)
  }

  @Test func `an error in a library's function shows its place and how one came there`()
    async throws
  {
    let bench = try await Bench([
      "m.lua": """
      local text = require "text"
      return { reducers = { go = function(s, p)
        text.fail(p)
      end } }
      """,
      "lib/text.lua": """
      return {
        fail = function(p)
          return p.missing.field
        end,
      }
      """,
    ])
    guard case .fault(let fault) = await bench.failure(of: "m/go") else { return }
    #expect(fault.place == SourcePlace(file: "lib/text.lua", line: 3))
    #expect(fault.frames.map(\.place.description) == ["lib/text.lua:3", "m.lua:3"])
    #expect(fault.excerpt?.lines.contains("    return p.missing.field") == true)
  }

  @Test func `libraries that need each other are told`() async throws {
    let bench = try await Bench([
      "m.lua": Self.using("a"), "lib/a.lua": "return require 'b'",
      "lib/b.lua": "return require 'a'",
    ])
    #expect(
      try await bench.info("m")?.problems.map(\.summary) == [
        "lib/b.lua:1 raised(\"require: 'a' requires itself: a → b → a\")"
      ])
  }

  @Test func `print and moon.log reach the host's log with the module's name`() async throws {
    let notes = Notes()
    var options = Bench.quiet
    options.logger = Logger(label: "test") { _ in NotingHandler(notes: notes) }
    let bench = try await Bench(
      [
        "m.lua": """
        local moon = require "moonwire"
        return {
          state = { t = { 1 } },
          reducers = { go = function(state)
            print("a", 1, nil, true, state.t)
            moon.log.trace("t") moon.log.debug("d") moon.log.info("i") moon.log.notice("n")
            moon.log.warning("w", 2.5) moon.log.error("e\\xff!")
          end },
        }
        """
      ], options: options)
    try await bench.dispatch("m/go")
    #expect(
      notes.all == [
        "info m: a\t1\tnil\ttrue\t[1]", "trace m: t", "debug m: d", "info m: i", "notice m: n",
        "warning m: w\t2.5", "error m: e?!",
      ])
  }
}

/// Libraries that functions require long after the module was loaded.
struct LaterLibraryTests {
  /// Returns a module whose reducer requires `library`, an expression.
  private static func module(_ library: String, _ more: String = "") -> String {
    """
    \(more)
    return { state = { got = "" }, reducers = { go = function(state)
      local found, library = pcall(require, \(library))
      state.got = found and library.name or library
    end } }
    """
  }

  @Test(arguments: ["-- require 'text'", "-- require(\"text\")", "-- require ( \t'text'"])
  func `a library that a file names is found later as it was when the module was loaded`(
    named: String
  ) async throws {
    let bench = try await Bench([
      "m.lua": Self.module("'text'", named),
      "lib/text.lua": "return { name = 'first ' .. require('deeper') }",
      "lib/deeper.lua": "return 'and deeper'",
    ])
    try bench.folder.save("lib/text.lua", "return { name = 'second' }")
    try bench.folder.save("lib/deeper.lua", "return 'and lost'")
    try await bench.dispatch("m/go")
    #expect(try await bench.state("m.got") == "first and deeper")
  }

  @Test func `a library whose name is made up later isn't found, whatever the directory has`()
    async throws
  {
    let bench = try await Bench(["m.lua": Self.module("'te' .. 'xt'")])
    let sentence = """
      m.lua:3: require: 'text' wasn't loaded with the module; later only libraries are found that \
      its files name, as in require "lib.text"
      """
    for content in [nil, "return { name = 'new' }", "return {"] {
      if let content { try bench.folder.save("lib/text.lua", content) }
      try await bench.dispatch("m/go")
      #expect(try await bench.state("m.got") == .string(Text(sentence)))
    }
  }

  @Test func `a save of a library that is only named loads its module again`() async throws {
    let bench = try await Bench([
      "m.lua": Self.module("'text'", "-- require 'text'"),
      "lib/text.lua": "return { name = 'first' }",
    ])
    try bench.folder.save("lib/text.lua", "return { name = 'second' }")
    await bench.host.reload()
    try await bench.dispatch("m/go")
    #expect(try await bench.state("m.got") == "second")
  }

  @Test func `what loads on demand of moonwire itself is there later, too`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local moon = require "moonwire"
      return { state = {}, reducers = { go = function(state)
        state.text = moon.ui.text("x").text
      end } }
      """
    ])
    try await bench.dispatch("m/go")
    #expect(try await bench.state("m.text") == "x")
  }
}
