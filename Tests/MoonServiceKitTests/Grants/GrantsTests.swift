import MoonValues
import Testing

@testable import MoonServiceKit

/// Matching of scopes, and the answers of grants and denials to requests.
struct GrantsTests {
  private static let module = ModuleName("m")

  private static func scope(_ text: String) throws -> Scope { try Scope(parsing: text) }

  @Test(arguments: [
    "state:*", "state:cart", "state:navigation", "control:*", "control:timeline",
    "env:" + String(repeating: "A", count: 252),
  ])
  func `a scope is read and written`(text: String) throws {
    #expect(try Self.scope(text).description == text)
  }

  static let wrong: [(String, ScopeError)] = [
    ("", .unknownKind("", nearest: nil)), ("stat:*", .unknownKind("stat", nearest: "state")),
    ("files:*", .unknownKind("files", nearest: nil)), ("state", .missingPattern(.state)),
    ("state:", .missingPattern(.state)), ("state:**", .severalStars("**")),
    ("env:*\u{301}A*", .severalStars("*\u{301}A*")),
    ("state:a b", .notASlice("a b")), ("state:ca*", .notASlice("ca*")),
    ("control:a/b", .notAControl("a/b")), ("control:a b", .notAControl("a b")),
    ("env:" + String(repeating: "A", count: 253), .tooLong(max: 256)),
  ]

  @Test(arguments: wrong)
  func `what is no scope is refused`(text: String, error: ScopeError) {
    #expect(throws: error) { try Scope(parsing: text) }
    #expect(!"\(error)".isEmpty)
  }

  /// Patterns, each with a text that it matches.
  private static let patterns = ["*", "a*", "*a", "ab", "a", "ba", "a*b", "b*", "*b", "aab", ""]
  private static let texts = ["", "a", "b", "ab", "ba", "aa", "aab", "aba", "abb", "baab"]

  /// Returns whether a pattern matches a text, found by trying every replacement of the star.
  private static func matches(_ pattern: String, _ text: String) -> Bool {
    guard let star = pattern.firstIndex(of: "*") else { return pattern == text }
    let (head, tail) = (pattern[..<star], pattern[pattern.index(after: star)...])
    return (0...text.count).contains { length in
      (0...(text.count - length)).contains { start in
        head + text.dropFirst(start).prefix(length) + tail == text
      }
    }
  }

  @Test(arguments: patterns, patterns)
  func `a pattern covers and overlaps another as the texts do that they stand for`(
    left: String, right: String
  ) {
    let (one, two) = (Scope(.state, left), Scope(.state, right))
    let theirs = Self.texts.filter { Self.matches(right, $0) }
    let both = theirs.filter { Self.matches(left, $0) }
    if one.covers(two) { #expect(both == theirs) }
    if !both.isEmpty { #expect(one.overlaps(two)) }
    #expect(one.overlaps(two) == two.overlaps(one))
    #expect(!one.covers(two) || theirs.isEmpty || one.overlaps(two))
    // A missing cover or overlap shows in at least one text.
    if !one.covers(two) { #expect(both != theirs || right.contains("*")) }
    if !left.contains("*") { #expect(one.overlaps(two) == Self.matches(right, left)) }
  }

  static let answers: [(allowed: [String], denied: [String], all: Bool, wanted: String, String)] = [
    ([], [], false, "state:*", "notGranted"), (["state:*"], [], false, "state:*", "granted"),
    (["state:*"], [], false, "state:cart", "granted"),
    (["state:cart"], [], false, "state:*", "notGranted"),
    (["state:cart"], [], false, "state:cart", "granted"),
    ([], [], true, "state:*", "granted"), ([], ["state:*"], true, "state:cart", "denied"),
    (["state:*"], ["state:cart"], false, "state:*", "denied"),
    (["state:*"], ["state:cart"], false, "state:todo", "granted"),
    (["m=state:*"], [], false, "state:*", "granted"),
    (["n=state:*"], [], false, "state:*", "notGranted"),
    (["state:*"], ["n=state:*"], false, "state:*", "granted"),
    (["m=state:*"], ["m=state:*"], true, "state:*", "denied"),
  ]

  @Test(arguments: answers)
  func `nothing is granted that nobody grants, and a denial counts most`(
    item: (allowed: [String], denied: [String], all: Bool, wanted: String, answer: String)
  ) throws {
    func rules(_ texts: [String]) throws -> [Grants.Rule] {
      try texts.map { text in
        let parts = text.split(separator: "=").map(String.init)
        return Grants.Rule(
          try Self.scope(parts[parts.count - 1]),
          for: parts.count == 2 ? ModuleName(parts[0]) : nil)
      }
    }
    var grants = Grants()
    grants.allowed = try rules(item.allowed)
    grants.denied = try rules(item.denied)
    grants.allowsAll = item.all
    let answer = grants.answer(
      to: try Self.scope(item.wanted), of: try #require(Self.module))
    #expect("\(answer)".hasPrefix(item.answer))
  }
}
