import MoonTestSupport
import Moonwire
import Testing

@testable import MoonTesting

/// The files of tests: how they are read, and which of their tests run.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct TestFilesTests {
  private static let app = """
    local moon = require "moonwire"
    return {
      state = { n = 0, text = "" },
      actions = { add = {} },
      reducers = { add = function(s) s.n = s.n + 1 end },
      routes = { ["/"] = { screen = function() return { kind = "page", title = "Home" } end } },
      views = { page = function(_, s)
        return { moon.ui.input { id = "by", kind = "number" }, moon.ui.button("Add", "add") }
      end },
    }
    """

  static var options: HostOptions {
    var options = HostOptions()
    options.isolateTests()
    return options
  }

  /// Runs tests in this process.
  private func results(
    _ scripts: ScriptFolder, _ pattern: String? = nil
  ) async throws -> [TestResult] { try await Self.results(of: scripts, pattern) }

  static func results(
    of scripts: ScriptFolder, _ pattern: String? = nil
  ) async throws -> [TestResult] {
    let host = try Host(directory: scripts.root, options: Self.options)
    do {
      try await host.load()
      let results = try await TestFiles(in: scripts.root, matching: pattern).run(
        InspectedApp(host: host, options: Self.options, addBuiltIns: { _ in }))
      await host.close()
      return results
    } catch {
      await host.close()
      throw error
    }
  }

  static let misspelt: [(test: String, title: String, lines: [String])] = [
    (
      "function(t) t.dispach 'a/add' end",
      "there is no function t.dispach; did you mean t.dispatch?", []
    ),
    (
      "function(t) t.route '/' t.tap 'Ad' end",
      "the screen has no control Ad; did you mean Add?", ["its controls: 1 Add"]
    ),
    (
      "function(t) t.route '/' t.input { bye = 1 } end",
      "the screen has no input bye; did you mean by?", ["its inputs: by"]
    ),
    (
      "function(t) t.equal(t.state 'a.txt', 'x') end", "not equal",
      ["− \"x\"", "+ null", "nothing was at a.txt; did you mean a.text?"]
    ),
    (
      "function(t) t.answer('http.gett', {}) end",
      "there is no moon.http.gett that a test can answer; did you mean moon.http.get?", []
    ),
    (
      "function(t) t.answer('http.get', {}) end",
      "the test gave answers that no call has taken", ["+ answered moon.http.get"]
    ),
    (
      "{ answers = { ['http.gett'] = {} }, run = function(t) end }",
      "the option answers: there is no moon.http.gett that a test can answer; "
        + "did you mean moon.http.get?", []
    ),
    (
      "{ state = { other = {} }, run = function(t) end }",
      "the option state: there is no module other", []
    ),
    (
      "{ state = { b = { n = 'x' } }, run = function(t) end }",
      "the option state: the slice can't be that of b: the state doesn't fit its shape: "
        + #"b.n is "x", and must be an integer"#, []
    ),
  ]

  @Test func `a name that means nothing fails the test, with what could have been meant`()
    async throws
  {
    let scripts = try ScriptFolder([
      "a.lua": Self.app, "b.lua": #"return { state = { n = 1 }, shape = { n = "integer" } }"#,
    ])
    let tests = Self.misspelt.enumerated().map { "['\($0)'] = \($1.test)," }
    try scripts.save("tests/t.lua", "return { \(tests.joined(separator: "\n")) }")
    let failures = try await results(scripts).map(\.failure)
    #expect(failures.count == Self.misspelt.count)
    for (expected, failure) in zip(Self.misspelt, failures) {
      let title = failure?.title ?? "passed"
      #expect(title.hasSuffix(expected.title))
      #expect(failure?.lines == expected.lines, "\(expected.test)")
    }
  }

  @Test(arguments: [
    ("one = function(t) end, stat = {}", "the option state"),
    (
      "one = { stat = {}, run = function(t) end }",
      "the test 'one' has no option 'stat'; did you mean state?"
    ),
  ]) func `an unknown option is told`(tests: String, message: String) async throws {
    let scripts = try ScriptFolder(["tests/t.lua": "return { \(tests) }"])
    let error = await #expect(throws: TestFilesError.self) { try await results(scripts) }
    guard case .noTest(_, let what)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(what.contains(message))
  }

  static let chosen: [(pattern: String, tests: [String])] = [
    ("a form", ["basket: a form", "shop: a form"]), ("shop: a form", ["shop: a form"]),
    ("tests/basket.lua", ["basket: a form", "basket: empty"]), ("empty", ["basket: empty"]),
    ("shop", ["shop: a form"]),
  ]

  @Test func `tests are chosen by their names, and by the paths of their files`() async throws {
    let scripts = try ScriptFolder([
      "tests/basket.lua": "return { ['a form'] = function() end, empty = function() end }",
      "tests/shop.lua": "return { ['a form'] = function() end }",
    ])
    for (pattern, tests) in Self.chosen {
      #expect(try await results(scripts, pattern).map(\.description) == tests)
    }
    let path = "\(scripts.root)/tests/shop.lua"
    #expect(try await results(scripts, path).map(\.description) == ["shop: a form"])
    let error = await #expect(throws: TestFilesError.self) { try await results(scripts, "nothing") }
    guard case .noMatch("nothing", let files)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(files == ["basket", "shop"])
    // What isn't asked for may be wrong.
    try scripts.save("tests/shop.lua", "return {")
    #expect(try await results(scripts, "basket").count == 2)
  }

  @Test func `files in folders of a folder of tests are told, unless a test requires them`()
    async throws
  {
    let test = "return { one = function() end }"
    let scripts = try ScriptFolder([
      "cart/init.lua": "return {}", "tests/t.lua": test, "tests/more/late.lua": test,
      "cart/tests/t.lua": test, "cart/tests/more/late.lua": test,
    ])
    let passedOver = ["cart/tests/more/late.lua", "tests/more/late.lua"]
    #expect(try TestFiles(in: scripts.root, matching: nil).passedOver == passedOver)
    let run = try Program.run(["test", scripts.root])
    #expect(run.code == 0 && run.output.hasSuffix("2 tests passed\n"), "\(run)")
    #expect(run.errors.contains("files"), "\(run)")
    for path in passedOver { #expect(run.errors.contains(path), "\(run)") }
    // They help tests.
    try scripts.save(
      "tests/t.lua",
      #"local late = require "tests.more.late" return { one = function(t) t.ok(late.one) end }"#)
    #expect(try TestFiles(in: scripts.root, matching: nil).note == nil)
    #expect(try await results(scripts).allSatisfy { $0.failure == nil })
  }

  static let broken: [(text: String, line: Int, detail: String)] = [
    ("return {\n  one = function(t) end,\n}\nend", 4, "<eof> expected near 'end'"),
    ("local x = nil\nreturn x.y", 2, "attempt to index a nil value (local 'x')"),
    (String(repeating: " ", count: 300_000) + "\nerror 'oops'", 2, "oops"),
  ]

  @Test(arguments: broken)
  func `a file that fails has Lua's message, and its own lines`(
    text: String, line: Int, detail: String
  ) async throws {
    let scripts = try ScriptFolder(["tests/t.lua": text])
    let error = await #expect(throws: TestFilesError.self) { try await results(scripts) }
    guard case .failed(_, let fault)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.detail == detail)
    #expect(fault.place == SourcePlace(file: "\(scripts.root)/tests/t.lua", line: line))
    let last = text.split(separator: "\n").last.map(String.init)
    #expect(fault.excerpt?.lines.last == last)
  }
}
