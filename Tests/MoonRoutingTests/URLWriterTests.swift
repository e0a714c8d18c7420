import MoonRouting
import MoonTestSupport
import MoonValues
import Testing

struct URLWriterTests {
  private func url(_ pattern: Text, _ parameters: [(Key, Value)]) throws -> Text {
    try RoutePattern(parsing: pattern).url(Map(parameters))
  }

  @Test(
    arguments: [
      ("/", [], "/"), ("/a/:x", [("x", "b c/d")], "/a/b%20c%2Fd"),
      ("/a/:x<int>", [("x", 7)], "/a/7"), ("/a/:x<number>", [("x", 1e30)], "/a/1e30"),
      ("/a/:x.jpg", [("x", "ö")], "/a/%C3%B6.jpg"),
      ("/a(/from/:s)", [], "/a"), ("/a(/from/:s)", [("s", 3)], "/a/from/3"),
      ("/a(/b/:x(/c/:y))", [("x", "1"), ("y", "2")], "/a/b/1/c/2"),
      ("/a(/b/:x/:y)", [("x", "1")], "/a?x=1"), ("/a(/new)", [], "/a"),
      ("/a", [("q", "1&2"), ("l", ["x", "y"]), ("b", true)], "/a?b=true&l=x&l=y&q=1%262"),
      ("/a/*", [("wildcard", ["x y", "z"])], "/a/x%20y/z"), ("/a/*", [], "/a"),
      ("shop://item/:id", [("id", 5)], "shop://item/5"), ("shop:///", [], "shop:///"),
      ("shop://:id", [("id", "a.b")], "shop:///a.b"),
      ("/a/#/:id", [("id", "7")], "/a/#/7"), ("app://a/#/b", [], "app:///a/#/b"),
      ("/:o#/view/:id", [("o", "user"), ("id", "7"), ("q", "r")], "/user?q=r#/view/7"),
    ] as [(Text, [(Key, Value)], Text)])
  func `parameters are filled in, and the rest becomes the query`(
    pattern: Text, parameters: [(Key, Value)], expected: Text
  ) throws {
    #expect(try url(pattern, parameters) == expected)
  }

  @Test(
    arguments: [
      ("/a/:x", [], .missingParameter("x", pattern: "/a/:x")),
      ("/:x<int>", [("x", "y")], .wrongType("x", expected: .int, pattern: "/:x<int>")),
      ("/:x<int>", [("x", 1.5)], .wrongType("x", expected: .int, pattern: "/:x<int>")),
      ("/:x", [("x", "")], .emptyParameter("x", pattern: "/:x")),
      ("/:x", [("x", nil)], .unsupportedValue("x", pattern: "/:x")),
      ("/:x", [("x", ["a"])], .unsupportedValue("x", pattern: "/:x")),
      ("/", [("q", ["a": 1])], .unsupportedValue("q", pattern: "/")),
      ("/*", [("wildcard", ["a", ""])], .emptyParameter("wildcard", pattern: "/*")),
      ("/:x", [("x", "C++")], .plusInParameter("x", pattern: "/:x")),
      ("/a(/:x)(/:y)", [("y", "1")], .ambiguousGroups(pattern: "/a(/:x)(/:y)")),
    ] as [(Text, [(Key, Value)], RouteURLError)])
  func `what can't be written is an error`(
    pattern: Text, parameters: [(Key, Value)], error: RouteURLError
  ) {
    #expect(throws: error) { try url(pattern, parameters) }
  }

  @Test func `names find their routes, and other rules for plus let it through`() throws {
    var builder = RouteTableBuilder()
    try builder.add(
      RouteEntry(RoutePattern(parsing: "/c(/from/:start)"), owner: "c", id: 0, name: "counter"))
    let table = builder.build()
    #expect(try table.url(for: "counter", Map([("start", 3)])) == "/c/from/3")
    #expect(throws: RouteURLError.unknownRoute("x")) { try table.url(for: "x") }
    let plus = Map([("start", "C++")])
    #expect(try table.url(for: "counter", plus, plus: .literalPlusIsSpace) == "/c/from/C%2B%2B")
    let long = Map([("start", .string(Text(String(repeating: "a", count: 20_000))))])
    #expect(throws: RouteURLError.tooLong(pattern: "/c(/from/:start)")) {
      try table.url(for: "counter", long)
    }
  }

  private func unlessIncomplete(_ pattern: RoutePattern, _ given: Map) throws -> Text? {
    do {
      return try pattern.url(given, plus: .literalPlusIsSpace)
    } catch {
      switch error {
      case .missingParameter, .ambiguousGroups: return nil
      default: throw error
      }
    }
  }

  @Test(arguments: Array(1...10) as [UInt64])
  func `a URL made of parameters gives them back`(seed: UInt64) throws {
    var random = RandomRoutes(seed: seed)
    let texts: [Text] = ["a", "7", "a/b", "ö ?#%", "=&;", "..", "c#", "%41", "x:y@z", "\u{10FFFF}"]
    for id in 0..<60 {
      let entry = random.entry(id: id)
      let pattern = try RoutePattern(parsing: Text(entry.text))
      var given = Map()
      for parameter in pattern.parameters where random.random.below(8) > 0 {
        let value: Value =
          parameter.type == .int ? .int(Int64(random.random.below(99)) - 9) : .string("abc")
        given[.string(parameter.name)] =
          parameter.type == .text ? .string(random.random.pick(texts)) : value
      }
      if random.random.below(3) == 0 { given["query"] = .string(random.random.pick(texts)) }
      let tail: Value = ["x", .string(random.random.pick(texts))]
      if pattern.hasWildcard { given["wildcard"] = tail }
      guard let url = try unlessIncomplete(pattern, given) else { continue }
      var builder = RouteTableBuilder()
      try builder.add(RouteEntry(pattern, owner: "a", id: 0))
      let request = try RouteRequest(
        parsing: url, options: RouteRequest.Options(plus: .literalPlusIsSpace))
      let match = try #require(builder.build().firstMatch(request), "\(entry.text) \(url)")
      var back = match.parameters()
      if pattern.hasWildcard, let items = match.wildcard { back["wildcard"] = .list(items) }
      for (key, value) in given {
        // A value in an incomplete group comes back from the query, as a string.
        let text = Value.string(Text(value.stringValue ?? value.canonicalText))
        #expect(back[key] == value || back[key] == text, "seed \(seed): \(entry.text) \(url)")
      }
    }
  }
}
