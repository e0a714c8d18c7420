import MoonRouting
import MoonTestSupport
import MoonValues
import Testing

struct RoutePatternTests {
  @Test(
    arguments: [
      ("/a/*/b", .wildcardNotLast(column: 4)), ("/a(/*)(/b)", .wildcardNotLast(column: 5)),
      ("/a/*rest", .wildcardWithText(column: 4)), ("/a(/b", .unclosedGroup(column: 3)),
      ("/a/b)", .unopenedGroup(column: 5)), ("/a()", .emptyGroup(column: 3)),
      ("/a(/)", .emptyGroup(column: 3)), ("/:x/ö/:x", .duplicateName("x", column: 7)),
      ("/:wildcard/*", .duplicateName("wildcard", column: 2)), ("/:<int>", .emptyName(column: 2)),
      ("/:.jpg", .emptyName(column: 2)), ("/x:", .emptyName(column: 3)),
      ("/:id<int", .unclosedType(column: 5)), ("/:id<nope>", .unknownType("nope", column: 6)),
      ("/:id<>", .unknownType("", column: 6)), ("/:a:b", .adjacentParameters(column: 4)),
      ("/a%2", .malformedEscape(column: 3)), ("/a%FF", .invalidUTF8(column: 3)),
      ("/a\tb", .unexpectedByte(9, column: 3)), ("/a?x=1", .queryInPattern(column: 3)),
      ("/a#/b#/c", .secondFragment(column: 6)),
      ("/ö#k=v", .parametersInFragment(column: 3)),
      ("/aX#=:c=:d", .parametersInFragment(column: 4)),
      ("/:a-:a", .duplicateName("a", column: 2)), ("/:.:b", .emptyName(column: 2)),
      ("/:x.a#/:y(/b)/k=:z", .parametersInFragment(column: 6)),
      ("/a#(/k=v)", .parametersInFragment(column: 3)),
      ("/a#k=/*", .parametersInFragment(column: 3)),
      ("https://www.example.com/x", .hostInPattern(column: 9)),
      ("http://localhost/x", .hostInPattern(column: 8)),
    ] as [(String, RoutePatternError)])
  func `a pattern that can't be parsed says where`(text: String, error: RoutePatternError) {
    #expect(throws: error) { try RoutePattern(parsing: Text(text)) }
  }

  @Test(arguments: ["/a#k", "/a#k=", "/a#k=/", "/a#k=&l=v", "/a#k&l=v", "/a=b#k", "/a#/:x/k&l=:y"])
  func `a pattern may have a = where a URL's fragment isn't read as parameters`(text: Text) throws {
    let pattern = try RoutePattern(parsing: text)
    let url = try pattern.url(["x": "x=y", "y": "z"])
    var builder = RouteTableBuilder()
    try builder.add(RouteEntry(pattern, owner: "a", id: 0))
    #expect(builder.build().firstMatch(try RouteRequest(parsing: url)) != nil, "\(url)")
  }

  @Test func `limits hold, and just below them patterns parse`() throws {
    let segment = "/a"
    let full = String(repeating: segment, count: RoutePattern.componentCountMax)
    #expect(try RoutePattern(parsing: Text(full)).components.count == 32)
    #expect(throws: RoutePatternError.tooManyComponents(max: 32, column: 66)) {
      try RoutePattern(parsing: Text(full + segment))
    }
    let dense = (0..<33).map { ":p\($0)" }
    #expect(
      try RoutePattern(parsing: Text(dense.prefix(32).joined(separator: "."))).parameters.count
        == 32)
    #expect(throws: RoutePatternError.tooManyComponents(max: 32, column: 151)) {
      try RoutePattern(parsing: Text(dense.joined(separator: ".")))
    }
    #expect(throws: RoutePatternError.tooLong(max: 2048)) {
      try RoutePattern(parsing: Text(String(repeating: "a", count: 2049)))
    }
    let groups = { (count: Int) in Text(String(repeating: "(/a)", count: count)) }
    #expect(try RoutePattern(parsing: groups(6)).expandedTexts.count == 64)
    #expect(throws: RoutePatternError.tooManyVariants(max: 64)) {
      try RoutePattern(parsing: groups(7))
    }
    #expect(throws: RoutePatternError.tooManyGroups(max: 12, column: 49)) {
      try RoutePattern(parsing: groups(13))
    }
    let nested = String(repeating: "(/a", count: 12) + String(repeating: ")", count: 12)
    #expect(try RoutePattern(parsing: Text(nested)).expandedTexts.count == 13)
  }

  @Test func `schemes, names, types and suffixes are taken apart`() throws {
    let pattern = try RoutePattern(parsing: "shop://item/:id<int>(/:größe.jpg#)/*")
    #expect(pattern.scheme == "shop")
    #expect(pattern.parameterNames == ["id", "größe"])
    #expect(pattern.parameters.map(\.type) == [.int, .text])
    #expect(pattern.parameters.map(\.suffix) == ["", ".jpg"])
    #expect(pattern.hasWildcard)
    #expect(pattern.components.map(\.isOptional) == [false, false, true, false])
    #expect(pattern.description == "shop://item/:id<int>(/:größe.jpg#)/*")
    #expect(try RoutePattern(parsing: "a/b").components.count == 2)
    #expect(try RoutePattern(parsing: "").components.isEmpty)
    #expect(try RoutePattern(parsing: "foo:bar").scheme == nil)
    #expect(try RoutePattern(parsing: "foo:bar").parameterNames == ["bar"])
    #expect(try RoutePattern(parsing: "foo::bar").parameterNames == [])
    #expect(try RoutePattern(parsing: "/:").parameterNames == [":"])
  }

  @Test(arguments: [
    ("shop:///(d)/(.jsf)", ["shop://d/.jsf", "shop:///.jsf", "shop://d", "shop://"]),
    ("shop:///(localhost)/x", ["shop:///localhost/x", "shop://x"]),
    ("shop:///(:n.js)(/*)", ["shop://:n.js/*", "shop://:n.js", "shop://*", "shop://"]),
  ])
  func `what a pattern with a scheme stands for are patterns of that scheme`(
    text: String, expected: [String]
  ) throws {
    let pattern = try RoutePattern(parsing: Text(text))
    #expect(pattern.expandedTexts.map(\.string) == expected)
    for one in pattern.expandedTexts { #expect(try RoutePattern(parsing: one).scheme == "shop") }
  }

  @Test(arguments: Array(1...4) as [UInt64])
  func `any text parses or is refused, and what parses matches its own URL`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("/:*()<>#%?.aZ9-_ öint2F=&\u{1}")
    var parsedCount = 0
    for _ in 0..<1500 {
      let text = String((0..<random.below(14)).map { _ in random.pick(alphabet) })
      guard let pattern = try? RoutePattern(parsing: Text(text)) else { continue }
      parsedCount += 1
      #expect(!pattern.expandedTexts.isEmpty, "seed \(seed): \(text)")
      let names = Set(pattern.parameterNames).union(pattern.hasWildcard ? ["wildcard"] : [])
      let values = Map(names.map { (Key.string($0), $0 == "wildcard" ? ["7"] : "7") })
      guard let url = try? pattern.url(values) else { continue }
      var builder = RouteTableBuilder()
      try builder.add(RouteEntry(pattern, owner: "a", id: 0))
      let match = builder.build().firstMatch(try RouteRequest(parsing: url))
      #expect(match != nil, "seed \(seed): \(text) \(url)")
    }
    #expect(parsedCount > 200)
  }
}
