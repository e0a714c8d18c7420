import MoonCards
import MoonTestSupport
import MoonValues
import Testing

struct TextPatternTests {
  /// A pattern, texts that match it, and texts that don't.
  static let cases: [(Text, [Text], [Text])] = [
    ("^[0-9]{3}$", ["123"], ["12", "1234", "12x", "x123"]),
    ("[0-9]", ["a1b"], ["ab", ""]),
    ("^(cat|dog)s?$", ["cat", "dogs"], ["catdog", "s", "cow"]),
    ("^a|b$", ["ax", "xb"], ["xa", "bx"]),
    ("^(?:a|b){2,3}$", ["ab", "bab"], ["a", "abab"]),
    ("^(?<year>\\d{4})-\\d\\d$", ["2026-01"], ["26-01"]),
    ("^\\w+@\\w+\\.[a-z]{2,}$", ["max@example.com"], ["max@example", "max.example.com"]),
    ("^[^\\s,]+$", ["a.b"], ["a b", "a,b"]),
    ("^[\\w.-]+$", ["a-b.c_d"], ["a b"]),
    ("^[]$|^[^]$", ["x", "\n"], ["", "xy"]),
    ("^.$", ["é", "👍"], ["\n", "ab"]),
    ("^[à-ü]$", ["é"], ["e"]),
    ("\\bcat\\b", ["a cat!"], ["concat"]),
    ("\\Bcat", ["concat"], ["cat"]),
    ("^\\x41\\u0042\\t\\/$", ["AB\t/"], ["AB/"]),
    ("^[\\D]$", ["x"], ["1"]),
    ("^(a*)*$", ["", "aaa"], ["b"]),
    ("^a{0}b{1,}?$", ["b", "bb"], ["ab", ""]),
    ("}]", ["}]"], ["}"]),
    ("", ["", "x"], []),
  ]

  @Test(arguments: cases)
  func `a pattern accepts what JavaScript's does`(
    source: Text, matching: [Text], others: [Text]
  ) throws {
    let pattern = try TextPattern(source)
    for text in matching { #expect(pattern.matches(text), "\(text)") }
    for text in others { #expect(!pattern.matches(text), "\(text)") }
  }

  static let refused: [(Text, TextPattern.Problem)] = [
    ("(a", .unfinished), ("[a", .unfinished), ("a\\", .unfinished), ("\\u12", .unfinished),
    ("(?<a", .unfinished), ("a)", .unopened), ("*a", .repetition), ("a{,3}", .repetition),
    ("a**", .repetition), ("a{2", .repetition), ("{", .repetition), ("a{3,2}", .range),
    ("[z-a]", .range), ("[\\d-z]", .range), ("(?=a)", .unsupported("(?=")),
    ("(?<!a)", .unsupported("(?<!")), ("(a)\\1", .unsupported("\\1")),
    ("\\p{L}", .unsupported("\\p")), ("a{1001}", .tooLong), ("(a{900}){900}", .tooLong),
    (Text(String(repeating: "a", count: 2000)), .tooLong),
    (Text(String(repeating: "(", count: 100_000)), .tooDeep),
  ]

  @Test(arguments: refused)
  func `a pattern outside the subset is refused, with the reason`(
    source: Text, problem: TextPattern.Problem
  ) {
    #expect(failure { () throws(TextPattern.Problem) in try TextPattern(source) } == problem)
  }

  @Test func `no pattern takes more than a pass over the text`() throws {
    // JavaScript needs more steps than there are atoms.
    let text = Text(String(repeating: "a", count: TextPattern.textLengthMax) + "!")
    #expect(try !TextPattern("^(a+)+$").matches(text))
    #expect(try !TextPattern("^(a|aa|a?)*$").matches(text))
  }

  @Test(arguments: ["123", "", "12x"] as [Text])
  func `an input takes a text that matches its pattern, or none`(typed: Text) throws {
    let card = try Card([
      ["type": "Input.Text", "id": "code", "regex": "^[0-9]{3}$", "errorMessage": "Three digits"],
      execute("Save", "save"),
    ])
    let save = try #require(card.controls.first)
    let isAccepted = typed != "12x"
    let filled = failure { () throws(CardInputError) in
      try card.value(ofInput: "code", typed: typed)
    }
    let used = failure { () throws(CardInputError) in
      try card.outcome(of: save, inputs: ["code": .string(typed)])
    }
    #expect((filled == nil) == isAccepted)
    #expect((used == nil) == isAccepted)
    guard let used else { return }
    #expect(used.description == "code must match ^[0-9]{3}$")
    #expect(used.message == "Three digits")
  }

  @Test func `a text that is too long for a comparison isn't compared`() throws {
    let card = try Card([["type": "Input.Text", "id": "code", "regex": "1"]])
    let long = Text(String(repeating: "1", count: TextPattern.textLengthMax + 1))
    let error = failure { () throws(CardInputError) in
      try card.value(ofInput: "code", typed: long)
    }
    #expect(error?.reason == .tooLong(max: TextPattern.textLengthMax))
  }

  @Test func `an input with a pattern that can't be used takes any text`() throws {
    let card = try Card([["type": "Input.Text", "id": "code", "regex": "(?=x)"]])
    #expect(
      card.warnings.map(\.description) == [
        "[1].regex: isn't a pattern that can be used: (?= isn't supported"
      ])
    #expect(try card.value(ofInput: "code", typed: "y") == "y")
  }
}
