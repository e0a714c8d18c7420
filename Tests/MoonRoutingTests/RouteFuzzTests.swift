import MoonRouting
import MoonTestSupport
import MoonValues
import Testing

/// Random patterns and URLs.
///
/// Errors are reported at the right position, and valid ones survive a round trip.
struct RouteFuzzTests {
  static let patterns = FuzzGrammar(
    seeds: [
      "/counter/:id", "shop://item/:id<int>(/edit)", "/a(/b(/c))", "/files/*", "/:name.jpg",
      "/u/:user<slug>/posts(/:post<uuid>)", "/a#/b/:c", "/a/#/:c", "shop://a/#/b", "/%20x/é", "/",
      "", "/a#k=v", "/a#/b(/k=v)/:c", "/a#k&l=v", "/aX#=:c=:c",
      "/(a)/(b)/(c)/(d)/(e)/(f)",
    ],
    pieces: [
      "/", ":", "(", ")", "*", "<", ">", "#", "?", "%", "%2F", "%C3%A9", "<int>", "<number>",
      "<uuid>", "<slug>", "<word>", ":id", ":a-b", "://", "shop", "a", ".", ".js", " ", "\\", "=",
      "&",
    ])

  static let urls = FuzzGrammar(
    seeds: [
      "app://counter/3?x=1", "/a/b/c?k=v&k=w#f=1", "https://user:pw@example.org:80/a//b/",
      "shop://item/7/edit#/b?k=v", "/files/a/b/c.txt", "/%41%2F+x?a+b=c+d", "//localhost/x",
      "http://[::1]:8080/", "/a#b", "?x=1",
    ],
    pieces: [
      "/", "?", "&", "=", "#", "%", "%2F", "%C3%A9", "%FF", "+", ":", "://", "@", "[", "]", "..",
      "a", "7", "x=1", "counter", " ", "\t", "\\", "localhost", ":80", ":x",
    ])

  @Test func `any text is a pattern or an error within it`() {
    let failure = Fuzzing("route-patterns", cases: 4000).firstFailure(
      make: { Self.patterns.text(&$0) }, check: { bytes, _ in Self.problem(ofPattern: bytes) })
    #expect(failure == nil, "\(failure ?? "")")
  }

  private static func problem(ofPattern bytes: [UInt8]) -> String? {
    let text = Text(String(decoding: bytes, as: UTF8.self))
    do throws(RoutePatternError) {
      let pattern = try RoutePattern(parsing: text)
      guard pattern.text == text else { return "another text" }
      guard pattern.components.count <= RoutePattern.componentCountMax else { return "too long" }
      let expanded = pattern.expandedTexts
      guard (1...RoutePattern.variantCountMax).contains(expanded.count) else { return "variants" }
      for one in expanded {
        guard let again = try? RoutePattern(parsing: one) else { return "\(one) isn't one" }
        guard again.components.allSatisfy({ !$0.isOptional }) else { return "\(one) has groups" }
        guard again.scheme == pattern.scheme else { return "\(one) has another scheme" }
      }
      return problem(ofWriting: pattern)
    } catch {
      let count = text.string.unicodeScalars.count
      guard let column = error.column else { return nil }
      return (1...count + 1).contains(column) ? nil : "column \(column) of \(count): \(error)"
    }
  }

  /// A URL that is built from a pattern and some values leads back to them.
  private static func problem(ofWriting pattern: RoutePattern) -> String? {
    var values = Map()
    for parameter in pattern.parameters {
      guard
        let value = [Text("7"), "x y/é", "0b7d1e6e-8a47-4b1e-9d5e-1f2a3b4c5d6e"].first(where: {
          parameter.type.value(of: $0) != nil
        })
      else { return nil }
      values[.string(parameter.name)] = .string(value)
    }
    if pattern.hasWildcard { values["wildcard"] = ["r", "s t"] }
    guard let url = try? pattern.url(values) else { return nil }
    guard let request = try? RouteRequest(parsing: url) else { return "\(url) is no URL" }
    var builder = RouteTableBuilder()
    do { try builder.add(RouteEntry(pattern, owner: "app", id: 0)) } catch {
      return "no route: \(error)"
    }
    guard let match = builder.build().firstMatch(request) else { return "\(url) doesn't match" }
    for parameter in pattern.parameters {
      guard case .string(let given)? = values[.string(parameter.name)] else { continue }
      let found = match.pathParameters[.string(parameter.name)]
      guard found == parameter.type.value(of: given) || found == .string(given) else {
        return "\(url) gives \(parameter.name) as \(found.map { "\($0)" } ?? "nothing")"
      }
    }
    return nil
  }

  @Test func `any bytes are a URL or an error within them`() throws {
    var builder = RouteTableBuilder()
    let texts = [
      "/counter/:id", "/:a/:b", "/a/b/*", "*", "/(a)/(b)/:c<int>", "shop://item/:id<int>(/edit)",
      "/files/:name.txt", "/files/*", "/:x<word>/:y<slug>", "/a#:k",
    ]
    for (id, text) in texts.enumerated() {
      try builder.add(RouteEntry(RoutePattern(parsing: Text(text)), owner: "app", id: id))
    }
    let table = builder.build()
    let failure = Fuzzing("urls", cases: 4000).firstFailure(
      make: { Self.urls.text(&$0) }, check: { bytes, _ in Self.problem(ofURL: bytes, table) })
    #expect(failure == nil, "\(failure ?? "")")
  }

  private static func problem(ofURL bytes: [UInt8], _ table: RouteTable) -> String? {
    do throws(RouteRequestError) {
      let request = try bytes.withUnsafeBufferPointer { bytes throws(RouteRequestError) in
        try RouteRequest(parsing: bytes)
      }
      guard request.text.string.utf8.elementsEqual(bytes) else { return "another text" }
      guard request.components.count <= RouteRequest.segmentCountMax else { return "too long" }
      guard request.query.count <= RouteRequest.queryCountMax else { return "too many entries" }
      guard request.queryParameters.count <= request.query.count else { return "new parameters" }
      let all = Array(table.matches(request))
      guard table.firstMatch(request)?.id == all.first?.id else { return "two winners" }
      // A match was parsed correctly only if it decodes.
      for match in all { _ = match.parameters() }
      return nil
    } catch {
      guard let offset = error.offset else { return nil }
      return (0...bytes.count).contains(offset) ? nil : "offset \(offset): \(error)"
    }
  }
}

extension RoutePatternError {
  /// The position of the error, if it has one.
  fileprivate var column: Int? {
    switch self {
    case .tooLong, .tooManyVariants: nil
    case .tooManyComponents(_, let column), .tooManyGroups(_, let column),
      .unclosedGroup(let column), .unopenedGroup(let column), .emptyGroup(let column),
      .wildcardNotLast(let column), .wildcardWithText(let column), .emptyName(let column),
      .adjacentParameters(let column), .duplicateName(_, let column), .unclosedType(let column),
      .unknownType(_, let column), .malformedEscape(let column), .invalidUTF8(let column),
      .unexpectedByte(_, let column), .queryInPattern(let column), .secondFragment(let column),
      .parametersInFragment(let column), .hostInPattern(let column):
      column
    }
  }
}

extension RouteRequestError {
  /// The position of the error, if it has one.
  fileprivate var offset: Int? {
    switch self {
    case .tooLong, .tooManySegments, .tooManyParameters: nil
    case .invalidUTF8(let offset), .malformedEscape(let offset), .unexpectedByte(_, let offset),
      .invalidPort(let offset):
      offset
    }
  }
}
