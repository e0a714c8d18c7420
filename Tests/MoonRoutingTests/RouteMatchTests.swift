import MoonRouting
import MoonTestSupport
import MoonValues
import Testing

struct RouteMatchTests {
  /// What stands in a URL, and what it stands for in a parameter and in a wildcard.
  private static let pieces = [
    ("%2B", " ", "+"), ("+", " ", "+"), ("%20", " ", " "), ("%C3%A9", "é", "é"), ("%25", "%", "%"),
    ("%2F", "/", "/"), ("a", "a", "a"),
  ]

  @Test(arguments: 0...20)
  func `a component is decoded wherever its escapes stand`(length: Int) throws {
    let parameter = try table("/:value")
    let wildcard = try table("/*")
    for place in 0...length {
      let (before, after) = (
        String(repeating: "b", count: place), String(repeating: "c", count: length - place)
      )
      for (written, asParameter, inWildcard) in Self.pieces {
        let request = try RouteRequest(parsing: Text("/" + before + written + after))
        let value = parameter.firstMatch(request)?.pathParameters["value"]
        #expect(value == .string(Text(before + asParameter + after)), "\(request.text)")
        let list = wildcard.firstMatch(request)?.wildcard
        #expect(list == [.string(Text(before + inWildcard + after))], "\(request.text)")
        let raw = wildcard.firstMatch(request)?.rawWildcard
        #expect(raw == [.string(Text(before + written + after))], "\(request.text)")
      }
    }
  }

  @Test(arguments: 1...20)
  func `a # after a component isn't part of a parameter, but of a wildcard's list`(
    length: Int
  ) throws {
    let text = String(repeating: "a", count: length)
    let request = try RouteRequest(parsing: Text("/" + text + "#/b"))
    let parameter = try table("/:value/b").firstMatch(request)?.pathParameters["value"]
    #expect(parameter == .string(Text(text)))
    #expect(try table("/*").firstMatch(request)?.wildcard == [.string(Text(text + "#")), "b"])
  }

  @Test(arguments: [0, 1, 2, 3, 15, 16, 17, 31, 32])
  func `parameters are found by name whatever their order in the pattern`(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let names = (0..<count).map { "p\($0)" }.shuffled(using: &random)
    let table = try table("/" + names.map { ":" + $0 }.joined(separator: "/"))
    let request = try RouteRequest(
      parsing: Text("/" + names.map { "of-" + $0 }.joined(separator: "/")))
    let found = table.firstMatch(request)?.pathParameters
    #expect(found == Map(names.map { (.string(Text($0)), .string(Text("of-" + $0))) }))
  }

  @Test func `patterns with the same names at other places and of other types have their own`()
    throws
  {
    let table = try table("/x/:a/:b", "/:b/y/:a", "/z/:a<int>/:b<number>")
    let cases: [(Text, Map)] = [
      ("/x/1/2", ["a": "1", "b": "2"]), ("/1/y/2", ["a": "2", "b": "1"]),
      ("/z/1/2.5", ["a": 1, "b": 2.5]),
    ]
    for (url, expected) in cases {
      let match = table.firstMatch(try RouteRequest(parsing: url))
      #expect(match?.pathParameters == expected, "\(url)")
    }
  }
}
