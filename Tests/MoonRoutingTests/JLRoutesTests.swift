import MoonRouting
import MoonValues
import Testing

/// The behaviour of JLRoutes for a URL, and whether ours is the same.
struct JLRoutesCase: Sendable, CustomTestStringConvertible {
  enum Verdict: String {
    case reproduced
    case mended
  }

  var set: [String]
  var url: String
  /// The expanded pattern; nil for no match.
  var pattern: String?
  var parameters: [(String, Value)] = []
  var verdict = Verdict.reproduced
  var options = RouteRequest.Options()

  var testDescription: String { "\(verdict) \(url)" }

  init(
    _ set: [String], _ url: String, _ pattern: String?, _ parameters: [(String, Value)] = [],
    _ verdict: Verdict = .reproduced, _ options: RouteRequest.Options = RouteRequest.Options()
  ) {
    self.set = set
    self.url = url
    self.pattern = pattern
    self.parameters = parameters
    self.verdict = verdict
    self.options = options
  }
}

private let main = [
  "/test", "/user/view/:userID", "/:object/:action/:primaryKey", "/", "/:",
  "/interleaving/:param1/foo/:param2", "/xyz/wildcard/*", "/route/:param/*",
  "/required/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam)",
]
private let fragments = [
  "/user#/view/:userID", "/:object#/:action/:primaryKey", "/interleaving/:param1#/foo/:param2",
  "/xyz/wildcard#/*", "/route#/:param/*",
  "/required#/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam)",
]
private let derived = [
  "/A/b", "/q/:x", "/w/*", "/trail/", "/lit%20eral", "/größe", "/n(/a(/b))", "/v/:file#",
]
private let keptPlus = RouteRequest.Options(plus: .kept)
private let formPlus = RouteRequest.Options(plus: .literalPlusIsSpace)
private let hostAlways = RouteRequest.Options(host: .alwaysComponent)
private let optional = [
  "/(rest/)(app/):object/:id", "/path/:thing(/new)(/anotherpath/:anotherthing)",
]

struct JLRoutesTests {
  static let cases: [JLRoutesCase] = [
    JLRoutesCase(main, "tests://test", "/test"),
    JLRoutesCase(main, "tests://test?", "/test"),
    JLRoutesCase(main, "tests://test/", "/test"),
    JLRoutesCase(main, "tests:///test", "/test"),
    JLRoutesCase(main, "/test", "/test"),
    JLRoutesCase(main, "tests://test?key=value", "/test", [("key", "value")]),
    JLRoutesCase(
      main, "tests://user/view/joeldev?foo=bar&thing=stuff", "/user/view/:userID",
      [("userID", "joeldev"), ("foo", "bar"), ("thing", "stuff")]),
    JLRoutesCase(
      main, "tests://user/view/joeldev?userID=evilPerson", "/user/view/:userID",
      [("userID", "joeldev")]),
    JLRoutesCase(
      main, "tests://post/edit/123", "/:object/:action/:primaryKey",
      [("object", "post"), ("action", "edit"), ("primaryKey", "123")]),
    JLRoutesCase(main, "tests://", "/"),
    JLRoutesCase(main, "tests:/", "/"),
    JLRoutesCase(main, "tests://foo", "/:", [(":", "foo")]),
    JLRoutesCase(
      main, "tests://interleaving/paramvalue1/foo/paramvalue2",
      "/interleaving/:param1/foo/:param2",
      [("param1", "paramvalue1"), ("param2", "paramvalue2")]),
    JLRoutesCase(main, "tests://xyz/wildcard/with/extra", "/xyz/wildcard/*"),
    JLRoutesCase(main, "tests://xyz/wildcard", "/xyz/wildcard/*"),
    JLRoutesCase(main, "tests://xyz", "/:", [(":", "xyz")]),
    JLRoutesCase(main, "tests://route/value/wild/card", "/route/:param/*", [("param", "value")]),
    JLRoutesCase(
      main, "tests://required/a/moreOptional/b",
      "/required/:requiredParam/moreOptional/:moreOptionalParam",
      [("requiredParam", "a"), ("moreOptionalParam", "b")]),
    JLRoutesCase(
      main, "tests://required/a/optional/b/moreOptional/c",
      "/required/:requiredParam/optional/:optionalParam/moreOptional/:moreOptionalParam",
      [("requiredParam", "a"), ("optionalParam", "b"), ("moreOptionalParam", "c")]),
    JLRoutesCase(main, "tests://doesnt/exist/and/wont/match", nil),
    JLRoutesCase(
      fragments, "tests://user#/view/joeldev/", "/user#/view/:userID", [("userID", "joeldev")]),
    JLRoutesCase(
      fragments, "tests://user?a=b#/view/joeldev?foo=bar", "/user#/view/:userID",
      [("userID", "joeldev"), ("a", "b"), ("foo", "bar")]),
    JLRoutesCase(
      fragments, "tests://post#/edit/123", "/:object#/:action/:primaryKey",
      [("object", "post"), ("action", "edit"), ("primaryKey", "123")]),
    JLRoutesCase(
      fragments, "tests://interleaving/p1#/foo/p2", "/interleaving/:param1#/foo/:param2",
      [("param1", "p1"), ("param2", "p2")]),
    JLRoutesCase(fragments, "tests://xyz/wildcard#/a/b", "/xyz/wildcard#/*"),
    JLRoutesCase(fragments, "tests://doesnt/exist#/and/wont/match", nil),
    JLRoutesCase(derived, "app://q/1#k=v", "/q/:x", [("x", "1"), ("k", "v")]),
    JLRoutesCase(derived, "app://q/1?k=u#k=v", "/q/:x", [("x", "1"), ("k", ["u", "v"])]),
    JLRoutesCase(
      derived, "app://q/1?a=1&b=2&a=3", "/q/:x", [("x", "1"), ("a", ["1", "3"]), ("b", "2")]),
    JLRoutesCase(derived, "app://q/1?flag&e=", "/q/:x", [("x", "1"), ("e", "")]),
    JLRoutesCase(derived, "app://q/a%2Fb", "/q/:x", [("x", "a/b")]),
    JLRoutesCase(derived, "app://q/a%2Bb+c", "/q/:x", [("x", "a b c")]),
    JLRoutesCase(derived, "app://q/a%2Bb+c", "/q/:x", [("x", "a+b c")], .reproduced, formPlus),
    JLRoutesCase(derived, "app://q/a%2Bb+c", "/q/:x", [("x", "a+b+c")], .reproduced, keptPlus),
    JLRoutesCase(
      derived, "app://q/t?name=joel+levin", "/q/:x", [("x", "t"), ("name", "joel+levin")],
      .reproduced, keptPlus),
    JLRoutesCase(derived, "app://q/joel%23levin", "/q/:x", [("x", "joel#levin")]),
    JLRoutesCase(derived, "app://A/b", "/A/b"),
    // The letters of a host were compared.
    JLRoutesCase(derived, "app://a/b", "/A/b", [], .mended),
    JLRoutesCase(derived, "/a/b", nil),
    JLRoutesCase(derived, "app://%41/b", nil),
    JLRoutesCase(derived, "app://lit%20eral", "/lit%20eral"),
    JLRoutesCase(derived, "app://v/a#", "/v/:file#", [("file", "a")]),
    JLRoutesCase(derived, "app://user:pw@q:80/1", "/q/:x", [("x", "1")]),
    JLRoutesCase(derived, "https://www.example.com/q/1", "/q/:x", [("x", "1")]),
    JLRoutesCase(derived, "http://localhost:8080/q/1", "/q/:x", [("x", "1")]),
    JLRoutesCase(
      ["/sign_in", "/path/:pathid"], "https://www.mydomain2.com/sign_in", nil, [], .reproduced,
      hostAlways),
    JLRoutesCase(
      ["/www.mydomain.com/sign_in"], "https://www.mydomain.com/sign_in",
      "/www.mydomain.com/sign_in", [], .reproduced, hostAlways),
    JLRoutesCase(
      optional, "foo://rest/aaa/bbb", "/rest/:object/:id", [("object", "aaa"), ("id", "bbb")]),
    JLRoutesCase(
      optional, "foo://rest/app/aaa/bbb", "/rest/app/:object/:id",
      [("object", "aaa"), ("id", "bbb")]),
    JLRoutesCase(optional, "foo://aaa/bbb", "/:object/:id", [("object", "aaa"), ("id", "bbb")]),
    JLRoutesCase(
      optional, "foo://path/a/anotherpath/b", "/path/:thing/anotherpath/:anotherthing",
      [("thing", "a"), ("anotherthing", "b")]),
    // A trailing slash made a pattern unmatchable.
    JLRoutesCase(derived, "app://trail", "/trail/", [], .mended),
    // Doubled slashes were kept if there was no host, and parameters captured empty components.
    JLRoutesCase(derived, "/q//1", "/q/:x", [("x", "1")], .mended),
    JLRoutesCase(["/:x"], "/", nil, [], .mended),
    // A pattern with characters that a URL must encode never matched.
    JLRoutesCase(derived, "app://gr%C3%B6%C3%9Fe", "/größe", [], .mended),
    JLRoutesCase(derived, "/größe", "/größe", [], .mended),
    JLRoutesCase(derived, "/lit eral", "/lit%20eral", [], .mended),
    // An escaped `#` at the end of a value was lost.
    JLRoutesCase(derived, "/q/c%23", "/q/:x", [("x", "c#")], .mended),
    // Groups couldn't be nested.
    JLRoutesCase(derived, "/n/a/b", "/n/a/b", [], .mended),
    JLRoutesCase(derived, "/n/b", nil, [], .mended),
  ]

  @Test(arguments: JLRoutesTests.cases)
  func `URLs are routed as JLRoutes does, or better where it is marked`(
    case given: JLRoutesCase
  ) throws {
    var builder = RouteTableBuilder()
    for text in given.set {
      try builder.add(RouteEntry(RoutePattern(parsing: Text(text)), owner: "app", id: 0))
    }
    let request = try RouteRequest(parsing: Text(given.url), options: given.options)
    let match = builder.build().firstMatch(request)
    #expect(match?.expandedPatternText.string == given.pattern)
    if let match {
      let expected = Map(given.parameters.map { (Key.string(Text($0.0)), $0.1) })
      #expect(match.parameters() == expected)
      #expect(match.scheme == nil)
    }
  }

  @Test func `a wildcard is there decoded and as it was written`() throws {
    let match = try #require(
      try table("/w/*").firstMatch(RouteRequest(parsing: "app://w/a%20b/c+d/e%2Ff")))
    #expect(match.wildcard == ["a b", "c+d", "e/f"])
    #expect(match.rawWildcard == ["a%20b", "c+d", "e%2Ff"])
    let all = match.parametersWithWildcard(passing: Map())
    #expect(all["wildcard"] == ["a b", "c+d", "e/f"])
    #expect(all["*"] == ["a b", "c+d", "e/f"])
    #expect(all["JLRouteWildcardComponents"] == ["a%20b", "c+d", "e%2Ff"])
    let empty = try table("/w/*").firstMatch(RouteRequest(parsing: "app://w"))
    #expect(empty?.wildcard == List())
    #expect(try table("/w").firstMatch(RouteRequest(parsing: "app://w"))?.wildcard == nil)
  }

  @Test func `query gives way to path, and path to what is passed`() throws {
    let match = try #require(
      try table("/u/:id(/x)").firstMatch(RouteRequest(parsing: "app://u/path?id=query&q=1&r=2")))
    #expect(match.parameters() == Map([("id", "path"), ("q", "1"), ("r", "2")]))
    let passed = Map([("id", 7), ("r", nil)])
    let parameters = match.parameters(passing: passed)
    #expect(parameters["id"] == 7)
    #expect(parameters["r"] == .null)
    #expect(parameters["q"] == "1")
  }

  @Test func `groups stand for every choice of them, the longest first`() throws {
    let three = try RoutePattern(parsing: "/path/:thing/(/a)(/b)(/c)")
    #expect(
      three.expandedTexts == [
        "/path/:thing/a/b/c", "/path/:thing/a/b", "/path/:thing/a/c", "/path/:thing/b/c",
        "/path/:thing/a", "/path/:thing/b", "/path/:thing/c", "/path/:thing",
      ])
    let nested = try RoutePattern(parsing: "shop://n(/a(/b))")
    #expect(nested.expandedTexts == ["shop://n/a/b", "shop://n/a", "shop://n"])
  }
}
