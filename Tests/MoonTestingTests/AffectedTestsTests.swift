import MoonTerminal
import Moonwire
import Testing

@testable import MoonTesting

/// Which tests a save concerns.
@Suite struct AffectedTestsTests {
  private static func module(
    _ name: String, _ words: Set<String>, files: Set<String> = [], all: Bool = false
  ) -> ModuleMentions {
    ModuleMentions(
      name: name, files: files.union(["\(name).lua"]), words: words, concernsAll: all)
  }

  /// `shop` uses `cart`, `cart` and `news` require a library, and `tax` uses nothing.
  private static let known = AffectedTests(
    [
      module("cart", [], files: ["lib/money.lua"]), module("shop", ["cart", "add"]),
      module("news", [], files: ["lib/money.lua"]), module("tax", []),
    ],
    [
      .init(path: "tests/cart.lua", words: []), .init(path: "tests/flow.lua", words: ["shop"]),
      .init(path: "news/tests/a.lua", words: []), .init(path: "tests/t.lua", words: ["tax", "x"]),
    ])

  static let changes: [(changed: Set<String>, tests: Set<String>)] = [
    ([], []), (["tax.lua"], ["tests/t.lua"]), (["news.lua"], ["news/tests/a.lua"]),
    (["cart.lua"], ["tests/cart.lua", "tests/flow.lua"]),
    (["shop.lua"], ["tests/cart.lua", "tests/flow.lua"]),
    (["lib/money.lua"], ["tests/cart.lua", "tests/flow.lua", "news/tests/a.lua"]),
    (["tests/t.lua"], ["tests/t.lua"]), (["tests/gone.lua"], all), (["new.lua"], all),
    (["tests/t.lua", "news.lua"], ["tests/t.lua", "news/tests/a.lua"]),
  ]
  private static let all: Set = [
    "tests/cart.lua", "tests/flow.lua", "news/tests/a.lua", "tests/t.lua",
  ]

  @Test(arguments: changes)
  func `a save concerns the tests of the modules that belong together`(
    changed: Set<String>, tests: Set<String>
  ) {
    #expect(Self.known.paths(changing: changed, since: nil) == tests)
  }

  @Test func `what a module used before its save counts as well, as does one that hears all`() {
    let files: [AffectedTests.File] = [
      .init(path: "tests/a.lua", words: ["a"]), .init(path: "tests/b.lua", words: ["b"]),
    ]
    let now = AffectedTests([Self.module("a", []), Self.module("b", [])], files)
    let former = AffectedTests([Self.module("a", ["b"]), Self.module("b", [])], files)
    #expect(now.paths(changing: ["a.lua"], since: nil) == ["tests/a.lua"])
    #expect(now.paths(changing: ["a.lua"], since: former) == ["tests/a.lua", "tests/b.lua"])
    let log = AffectedTests([Self.module("a", []), Self.module("log", [], all: true)], files)
    #expect(log.paths(changing: ["log.lua"], since: nil) == ["tests/a.lua", "tests/b.lua"])
  }

  private static let results = [
    TestResult(
      description: "a: works", file: "tests/a.lua", time: .milliseconds(500), failure: nil),
    TestResult(
      description: "b: <fails> # not", file: "tests/b.lua",
      failure: TestResult.Failure(
        title: "1 & \"2\"\u{1}\u{9B}", lines: ["− x: 1", "+ x: 2"], line: 7)),
  ]

  private static let tap = ##"""
    TAP version 14
    1..2
    ok 1 - a: works
    not ok 2 - b: <fails> \# not
      ---
      message: "1 & \"2\"\\u{1}\\u{9B}"
      at: "tests/b.lua:7"
      differences:
        - "− x: 1"
        - "+ x: 2"
      ...
    """##

  private static let junit = """
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites tests="2" failures="1" time="0.5">
      <testsuite name="tests/a.lua" tests="1" failures="0" time="0.5">
        <testcase classname="tests/a.lua" name="a: works" time="0.5"/>
      </testsuite>
      <testsuite name="tests/b.lua" tests="1" failures="1" time="0.0">
        <testcase classname="tests/b.lua" name="b: &lt;fails&gt; # not" time="0.0">
          <failure message="1 &amp; &quot;2&quot;\\u{1}\\u{9B}">1 &amp; &quot;2&quot;\\u{1}\\u{9B}&#10;\
    − x: 1&#10;+ x: 2</failure>
        </testcase>
      </testsuite>
    </testsuites>
    """

  @Test func `results are written for services that read TAP or JUnit`() {
    let (tap, junit) = (Self.results.lines(.tap, .plain), Self.results.lines(.junit, .plain))
    #expect(tap.joined(separator: "\n") == Self.tap)
    #expect(junit.joined(separator: "\n") == Self.junit)
  }
}
