import MoonRouting
import MoonTestSupport
import MoonValues
import Testing

struct RouteRequestTests {
  @Test(
    arguments: [
      ("/a%", .malformedEscape(offset: 2)), ("/a%2", .malformedEscape(offset: 2)),
      ("/%zz", .malformedEscape(offset: 1)), ("/?x=%G0", .malformedEscape(offset: 4)),
      ("/#%1", .malformedEscape(offset: 2)), ("/a/%FF", .invalidUTF8(offset: 3)),
      ("/%20/%C3%28", .invalidUTF8(offset: 5)), ("/%C3/%B6", .invalidUTF8(offset: 1)),
      ("/a\nb", .unexpectedByte(10, offset: 2)), ("/a\u{7F}", .unexpectedByte(127, offset: 2)),
      ("/a#b#c", .unexpectedByte(35, offset: 4)), ("app://h:8o/x", .invalidPort(offset: 9)),
    ] as [(Text, RouteRequestError)])
  func `a malformed URL says where`(url: Text, error: RouteRequestError) {
    #expect(throws: error) { try RouteRequest(parsing: url) }
  }

  @Test(
    arguments: [
      ("app://item/5", "app", ["item", "5"]), ("app:item/5", "app", ["item", "5"]),
      ("//item/5", nil, ["item", "5"]), ("/item//5/", nil, ["item", "5"]), ("", nil, []),
      ("app://a.b/c", "app", ["c"]), ("app://[::1]:80/c", "app", ["c"]),
      ("app://localhost", "app", []), ("app://u@h:1/c", "app", ["h", "c"]),
      ("1a:b", nil, ["1a:b"]), ("/a:b/c", nil, ["a:b", "c"]), ("app://h#", "app", ["h#"]),
      ("app://h/#/b", "app", ["h#", "b"]), ("/#/b", nil, ["#", "b"]),
      ("/a/#/b", nil, ["a", "#", "b"]), ("/a/#", nil, ["a", "#"]),
      ("app:///a/#x", "app", ["a", "#x"]), ("app://h/a/#/b", "app", ["h", "a#", "b"]),
      ("/a#?k=v", nil, ["a#"]), ("/a#/b?flag&k=v", nil, ["a#", "b"]), ("/a#k=v", nil, ["a"]),
      ("/a b/ö", nil, ["a%20b", "%C3%B6"]), ("Shop+2.x-y://z", "Shop+2.x-y", ["z"]),
    ] as [(Text, Text?, [Text])])
  func `scheme and components are told apart`(url: Text, scheme: Text?, components: [Text]) throws {
    let request = try RouteRequest(parsing: url)
    #expect(request.scheme == scheme)
    #expect(request.components == components)
    #expect(request.text == url)
  }

  @Test func `a query's entries keep their order, and repeated names make a list`() throws {
    let request = try RouteRequest(parsing: "/?b=1&a=x%26y&flag&b=2&=n&b=3&e=&k+l=m+n=o&&")
    #expect(request.query.map(\.name) == ["b", "a", "b", "", "b", "e", "k+l"])
    let parameters = request.queryParameters
    #expect(parameters["b"] == ["1", "2", "3"])
    #expect(parameters["a"] == "x&y")
    #expect(parameters["e"] == "")
    #expect(parameters["k+l"] == "m n=o")
    #expect(parameters["flag"] == nil)
  }

  @Test func `limits hold, and just below them URLs parse`() throws {
    let long = "/" + String(repeating: "a", count: RouteRequest.byteCountMax - 1)
    #expect(try RouteRequest(parsing: Text(long)).components.count == 1)
    #expect(throws: RouteRequestError.tooLong(max: 16_384)) {
      try RouteRequest(parsing: Text(long + "a"))
    }
    let deep = String(repeating: "/a", count: RouteRequest.segmentCountMax)
    #expect(try RouteRequest(parsing: Text(deep + "///")).components.count == 256)
    #expect(throws: RouteRequestError.tooManySegments(max: 256)) {
      try RouteRequest(parsing: Text(deep + "/a"))
    }
    let wide = "/?" + String(repeating: "a=1&", count: RouteRequest.queryCountMax)
    #expect(try RouteRequest(parsing: Text(wide)).queryParameters["a"]?.listValue?.count == 256)
    #expect(throws: RouteRequestError.tooManyParameters(max: 256)) {
      try RouteRequest(parsing: Text(wide + "a=1"))
    }
    // A path may be longer than any pattern.
    #expect(try table("/a/*").firstMatch(RouteRequest(parsing: Text(deep)))?.wildcard?.count == 255)
    #expect(try table("/:a/:b").firstMatch(RouteRequest(parsing: Text(deep))) == nil)
  }

  @Test(arguments: Array(1...4) as [UInt64])
  func `any bytes parse or are refused, and components come apart at slashes`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("/:?#%&=+@[].aZ9-ö2Fc3".utf8) + [0xFF, 0xC3, 0x28, 0x0A]
    let table = try table("/:a", "/:a/:b<int>", "/a/*", "/:x.a(/:y)")
    var parsedCount = 0
    for _ in 0..<1500 {
      let bytes = (0..<random.below(24)).map { _ in
        random.below(6) == 0 ? UInt8(ascii: "/") : random.pick(alphabet)
      }
      guard let request = try? bytes.withUnsafeBufferPointer({ try RouteRequest(parsing: $0) })
      else { continue }
      parsedCount += 1
      #expect(!request.components.contains(""), "seed \(seed): \(bytes)")
      #expect(request.components.allSatisfy { !$0.string.contains("/") }, "seed \(seed): \(bytes)")
      for match in table.matches(request) {
        #expect(match.parameters().count >= match.pathParameters.count, "seed \(seed): \(bytes)")
      }
      #expect(table.explain(request).candidates.count == 4)
    }
    #expect(parsedCount > 50)
  }

  @Test(arguments: (0..<128).filter { !"/:?#".utf8.contains(UInt8($0)) })
  func `a byte is judged alike wherever it stands in a URL of any length`(byte: Int) throws {
    let byte = UInt8(byte)
    let isRefused = byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "%")
    let isEscaped = " \"<>\\^`{|}".utf8.contains(byte)
    let written = Array((isEscaped ? "%" + String(byte, radix: 16, uppercase: true) : "").utf8)
    for length in 1...26 {
      for place in 1...length {
        var bytes = Array("/".utf8) + Array(repeating: UInt8(ascii: "x"), count: length)
        bytes[place] = byte
        let request = try? bytes.withUnsafeBufferPointer { try RouteRequest(parsing: $0) }
        #expect((request == nil) == isRefused, "\(bytes)")
        if isEscaped { bytes.replaceSubrange(place...place, with: written) }
        let component = Text(String(decoding: bytes.dropFirst(), as: UTF8.self))
        if let request { #expect(request.components == [component], "\(bytes)") }
      }
    }
  }

  @Test(arguments: 0...40)
  func `a query is found wherever it begins`(length: Int) throws {
    let path = "/" + String(repeating: "a", count: length)
    for rest in ["", "b=2", "bbbbbbbbbbbb=2&c=3"] {
      let request = try RouteRequest(parsing: Text(path + "?" + rest))
      #expect(request.components == (length == 0 ? [] : [Text(path.dropFirst())]))
      #expect(request.query.count == rest.count { $0 == "=" })
    }
  }

  @Test(arguments: Array(1...4) as [UInt64])
  func `paths of any length come apart where String splits them`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<400 {
      let path = String(
        (0..<random.below(60)).map { _ in random.below(5) == 0 ? "/" : random.pick(["a", "b", "/"])
        })
      let parts = path.split(separator: "/").map { Text($0) }
      // Two slashes at the start would begin a host.
      let url = Text("/" + path.drop { $0 == "/" })
      #expect(try RouteRequest(parsing: url).components == parts, "seed \(seed): \(path)")
    }
  }
}
