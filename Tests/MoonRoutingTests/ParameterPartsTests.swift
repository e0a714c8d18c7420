import MoonRouting
import MoonValues
import Testing

/// Parameters that are parts of a component.
struct ParameterPartsTests {
  private static func table(_ patterns: [String]) throws -> RouteTable {
    var builder = RouteTableBuilder()
    for (id, text) in patterns.enumerated() {
      try builder.add(RouteEntry(RoutePattern(parsing: Text(text)), owner: "m", id: id))
    }
    return builder.build()
  }

  @Test(
    arguments: [
      ("/@:user", "/@ada", ["user": "ada"]),
      ("/@:user", "/@", nil), ("/@:user", "/ada", nil), ("/@:user", "/@ada/x", nil),
      ("/compare/:base...:head", "/compare/main...topic", ["base": "main", "head": "topic"]),
      ("/compare/:base...:head", "/compare/main..topic", nil),
      ("/compare/:base...:head", "/compare/...topic", nil),
      ("/compare/:base...:head", "/compare/main...", nil),
      ("/:name.:ext", "/a.tar.gz", ["name": "a", "ext": "tar.gz"]),
      ("/:name.:ext<word>", "/a.tar.gz", ["name": "a.tar", "ext": "gz"]),
      ("/:from-:to", "/1-2-3", ["from": "1", "to": "2-3"]),
      ("/:from<int>-:to<int>", "/-1--2", ["from": -1, "to": -2]),
      ("/:from<int>-:to<int>", "/1-x", nil),
      ("/v:major<int>.:minor<int>(/:rest)", "/v1.2/x", ["major": 1, "minor": 2, "rest": "x"]),
      ("/:a!", "/x!", ["a": "x"]), ("/:id<int>x", "/7x", ["id": 7]),
      ("/:name::cancel", "/7:cancel", ["name": "7"]), ("/urn::x", "/urn:x", [:]),
      ("/ö:x", "/%C3%B6%20", ["x": " "]), ("/a:x#/b", "/a7#/b", ["x": "7"]),
      // A value doesn't end within an escape.
      ("/:x<word>4:y", "/x%344y", ["x": "x4", "y": "y"]), ("/:x<slug>4", "/%C3%A4", nil),
      ("/:a.:b", "/x%2Ey.z", ["a": "x.y", "b": "z"]),
    ] as [(String, String, Map?)])
  func `texts around parameters are taken literally, values are as short as possible`(
    pattern: String, url: String, expected: Map?
  ) throws {
    let table = try Self.table([pattern])
    let match = table.firstMatch(try RouteRequest(parsing: Text(url)))
    #expect(match?.pathParameters == expected)
    let isExplained = table.explain(try RouteRequest(parsing: Text(url))).winner != nil
    #expect(isExplained == (expected != nil))
  }

  @Test func `the more specific text wins, the longest first`() throws {
    let patterns = [
      "/:a", "/:a.:b", "/:a...:b", "/v:a", "/v1:a", "/:a<int>", "/v1", "/:a.js", "/v:a<int>",
      "(/v1:a)", "/v:a.js",
    ]
    let table = try Self.table(patterns)
    for (url, order) in [
      ("/v1", [6, 8, 3, 0]), ("/v12", [4, 8, 3, 0, 9]), ("/x.y", [1, 0]),
      ("/x...y", [2, 1, 0]), ("/7", [5, 0]), ("/v7.js", [10, 3, 7, 1, 0]),
    ] {
      let request = try RouteRequest(parsing: Text(url))
      #expect(table.matches(request).map(\.id) == order, "\(url)")
      #expect(table.explain(request).candidates.prefix(order.count).map(\.route.id) == order)
    }
  }

  @Test(
    arguments: [
      ("/:a.:b", ["a": "x.y", "b": "z"], "/x%2Ey.z"),
      ("/:a...:b", ["a": "x", "b": ".y"], "/x...%2Ey"),
      ("/@:user", ["user": "@a b"], "/@%40a%20b"), ("/:name::go", ["name": 7], "/7:go"),
    ] as [(String, Map, String)])
  func `a URL is read back as it was made`(pattern: String, values: Map, url: String) throws {
    let pattern = try RoutePattern(parsing: Text(pattern))
    #expect(try pattern.url(values).string == url)
    let table = try Self.table([pattern.text.string])
    let match = try #require(table.firstMatch(try RouteRequest(parsing: Text(url))))
    let texts = values.map { ($0, Value.string(Text($1.stringValue ?? $1.canonicalText))) }
    #expect(match.pathParameters == Map(texts))
  }

  @Test(
    arguments: [
      (["/v:a", "/v:b"], ["equal"]), (["/:a", "/v:b"], []), (["/v:a", "/v1"], []),
      (["/:a.js", "/:b.js"], ["equal"]), (["/:a-:b", "/:c-:d"], ["equal"]),
      (["/:a.:b", "/:c-:d"], []), (["(/v:a)/x", "/v:a/x"], []),
    ] as [([String], [String])])
  func `conflicts are found among them`(patterns: [String], kinds: [String]) throws {
    var builder = RouteTableBuilder()
    for (id, text) in patterns.enumerated() {
      try builder.add(RouteEntry(RoutePattern(parsing: Text(text)), owner: "m", id: id))
    }
    let found = builder.conflicts().map { $0.kind == .equal ? "equal" : "\($0.kind)" }
    #expect(found.filter { !$0.hasPrefix("partly") } == kinds)
  }

  @Test(
    arguments: [
      ("/@:user", "/ada", "'ada' doesn't have the form '@:user'"),
      ("/:a-:b", "/ada", "'ada' doesn't have the form ':a-:b'"),
      ("/v:a<int>", "/vx", ":a takes int, not 'x'"),
      ("/:a-:b<int>", "/x-y", ":b takes int, not 'y'"),
    ])
  func `what doesn't match is explained`(pattern: String, url: String, text: String) throws {
    let table = try Self.table([pattern])
    let explanation = table.explain(try RouteRequest(parsing: Text(url)))
    #expect(explanation.candidates.map { "\($0.verdict)" } == [text])
  }

  @Test func `a component that can be divided in many ways costs a limited time`() throws {
    let table = try Self.table(["/:a<word>-:b<word>-:c<word>-:d<word>.x"])
    let url = "/" + String(repeating: "-a", count: 8000) + ".x"
    #expect(table.firstMatch(try RouteRequest(parsing: Text(url))) == nil)
  }

  @Test(
    arguments: [
      ("myApp://list/:id", "myapp://list/Ada", "Ada"),
      ("myapp://list/:id", "MYAPP://LIST/Ada", "Ada"),
      ("myApp://List/:id", "myapp://list/Ada", "Ada"),
      ("myApp:///List/:id", "myapp:///List/Ada", "Ada"),
      ("/list/:id", "app://LIST/Ada", "Ada"), ("/List/:id", "app://list/Ada", "Ada"),
      ("/List/:id", "app://LIST/Ada", "Ada"), ("app://:id", "APP://Ada", "Ada"),
      ("app://V:id", "app://v7", "7"), ("app://v:id", "app://V7", "7"),
      ("/List/:id", "/list/Ada", nil), ("/list/:id", "app:///LIST/Ada", nil),
      ("app://list/View/:id", "app://list/view/Ada", nil),
    ] as [(String, String, String?)])
  func `schemes and hosts are compared without regard to case`(
    pattern: String, url: String, id: String?
  ) throws {
    let table = try Self.table([pattern])
    let request = try RouteRequest(parsing: Text(url))
    #expect(table.firstMatch(request)?.pathParameters["id"] == id.map { .string(Text($0)) })
    #expect(Array(table.matches(request)).count == (id == nil ? 0 : 1), "it is found once")
    #expect((table.explain(request).winner != nil) == (id != nil))
  }

  @Test func `a closed scheme is closed in any letters`() throws {
    var builder = RouteTableBuilder()
    builder.closedSchemes = ["myApp"]
    try builder.add(RouteEntry(RoutePattern(parsing: "/x"), owner: "m", id: 0))
    let table = builder.build()
    #expect(table.firstMatch(try RouteRequest(parsing: "MYAPP:///x")) == nil)
    #expect(table.firstMatch(try RouteRequest(parsing: "other:///x")) != nil)
  }
}
