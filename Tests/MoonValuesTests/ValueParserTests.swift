import MoonTestSupport
import MoonValues
import Testing

struct ValueParserTests {
  @Test(
    arguments: [
      ("", .unexpectedEnd, 0, 1, 1), ("  ", .unexpectedEnd, 2, 1, 3),
      ("[1,", .unexpectedEnd, 3, 1, 4), ("{\"a\"", .unexpectedEnd, 4, 1, 5),
      ("\"ab", .unexpectedEnd, 3, 1, 4), ("\"\\", .unexpectedEnd, 2, 1, 3),
      ("\"\\u12", .unexpectedEnd, 5, 1, 6), ("tru", .unexpectedEnd, 3, 1, 4),
      ("trux", .unexpectedByte(0x78), 3, 1, 4), ("[1,]", .unexpectedByte(0x5D), 3, 1, 4),
      ("{,}", .unexpectedByte(0x2C), 1, 1, 2), ("{\"a\" 1}", .unexpectedByte(0x31), 5, 1, 6),
      ("[\n 1\n 2]", .unexpectedByte(0x32), 6, 3, 2), ("{a:1}", .unexpectedByte(0x61), 1, 1, 2),
      ("NaN", .unexpectedByte(0x4E), 0, 1, 1), ("+1", .unexpectedByte(0x2B), 0, 1, 1),
      ("'a'", .unexpectedByte(0x27), 0, 1, 1), ("\u{FEFF}1", .unexpectedByte(0xEF), 0, 1, 1),
      ("{\"a\":1,}", .unexpectedByte(0x7D), 7, 1, 8), (".5", .unexpectedByte(0x2E), 0, 1, 1),
      ("1 2", .trailingText, 2, 1, 3), ("\"é\" x", .trailingText, 5, 1, 5),
      ("01", .invalidNumber, 0, 1, 1), ("-", .invalidNumber, 0, 1, 1),
      ("1.", .invalidNumber, 0, 1, 1), ("1e", .invalidNumber, 0, 1, 1),
      ("-01", .invalidNumber, 0, 1, 1), ("[1.e5]", .invalidNumber, 1, 1, 2),
      ("0x1", .trailingText, 1, 1, 2), ("1e+", .invalidNumber, 0, 1, 1),
      ("\"\\x\"", .invalidEscape, 1, 1, 2), ("\"\\u12g4\"", .invalidEscape, 1, 1, 2),
      ("\"\\ud800\"", .loneSurrogate, 1, 1, 2), ("\"\\udc00\"", .loneSurrogate, 1, 1, 2),
      ("\"\\ud800\\u0041\"", .loneSurrogate, 1, 1, 2), ("\"\\ud800a\"", .loneSurrogate, 1, 1, 2),
      ("\"a\nb\"", .controlCharacter(0x0A), 2, 1, 3),
      ("\"\\n\u{1}\"", .controlCharacter(0x01), 3, 1, 4),
      ("{\"a\":1,\"b\":2,\"a\":3}", .duplicateKey("a"), 13, 1, 14),
      ("{\"b\":1,\n\"a\":2,\"a\":3,\"b\":4}", .duplicateKey("a"), 14, 2, 7),
      ("{\"[1]\":1,\"\\u005b1]\":3}", .duplicateKey(1), 9, 1, 10),
    ] as [(String, ParseError.Reason, Int, Int, Int)])
  func `what isn't JSON is refused`(
    text: String, reason: ParseError.Reason, offset: Int, line: Int, column: Int
  ) {
    #expect(throws: ParseError(reason: reason, offset: offset, line: line, column: column)) {
      try Value(parsing: text)
    }
  }

  @Test(
    arguments: [
      (" [ 1 , 2 ] \r\n", [1, 2]), ("{ \"a\" : { } }", ["a": [:]]), ("-0", 0), ("-0.0", -0.0),
      ("1E5", 1e5), ("1e-2", 0.01), ("9223372036854775807", .int(.max)),
      ("9223372036854775808", 9_223_372_036_854_775_808.0), ("-9223372036854775808", .int(.min)),
      ("-9223372036854775809", -9_223_372_036_854_775_808.0), ("1e400", .double(.infinity)),
      ("-1e400", .double(-.infinity)), ("1e-400", 0.0), ("\"\\u0000\"", "\0"),
      ("\"\\uD83D\\uDE00\\/\"", "😀/"), ("\"\\u00e9\\u00E9\"", "éé"),
      (
        "{\"[01]\":1,\"[-0]\":2,\"[9223372036854775808]\":3}",
        ["[01]": 1, "[-0]": 2, "[9223372036854775808]": 3]
      ),
      ("{\"b\":1,\"a\":2}", ["a": 2, "b": 1]),
      (
        "1" + String(repeating: "0", count: 400),
        .double(.infinity)
      ),
    ] as [(String, Value)])
  func `JSON that isn't canonical is read all the same`(text: String, value: Value) throws {
    #expect(try Value(parsing: text) == value)
  }

  @Test func `bytes that aren't UTF-8 are refused`() {
    let bytes: [UInt8] = [0x22, 0xC3, 0xA9, 0xFF, 0x22]
    #expect(throws: ParseError(reason: .invalidUTF8, offset: 3, line: 1, column: 3)) {
      try Value(parsing: bytes)
    }
  }

  @Test func `nesting is allowed up to the limit and no deeper`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    let deepest = try Value(parsing: nested(Value.depthMax))
    #expect(deepest.canonicalText == nested(Value.depthMax))
    let error = ParseError(
      reason: .depthExceeded(max: Value.depthMax), offset: Value.depthMax, line: 1,
      column: Value.depthMax + 1)
    #expect(throws: error) { try Value(parsing: nested(Value.depthMax + 1)) }
    #expect(throws: error) {
      try Value(parsing: String(repeating: "[", count: 1_000_000))
    }
    var limits = ParseLimits()
    limits.depthMax = 1
    #expect(try Value(parsing: "[1]", limits: limits) == [1])
    #expect(throws: ParseError(reason: .depthExceeded(max: 1), offset: 1, line: 1, column: 2)) {
      try Value(parsing: "[{}]", limits: limits)
    }
  }

  @Test func `more values or bytes than allowed are refused`() throws {
    let limits = ParseLimits(depthMax: 9, nodeCountMax: 3, byteCountMax: 10)
    #expect(try Value(parsing: "[1,2]", limits: limits) == [1, 2])
    #expect(throws: ParseError(reason: .nodeCountExceeded(max: 3), offset: 5, line: 1, column: 6)) {
      try Value(parsing: "[1,2,3]", limits: limits)
    }
    #expect(
      throws: ParseError(reason: .byteCountExceeded(max: 10), offset: 10, line: 1, column: 11)
    ) {
      try Value(parsing: "[1,    2   ]", limits: limits)
    }
  }

  @Test(
    arguments: [
      ("1 rest", 1, 1), ("  {\"a\":1}x", ["a": 1], 9), ("\"é\"é", "é", 4), ("12,", 12, 2),
    ] as [(String, Value, Int)])
  func `a value at the front is read and measured`(text: String, value: Value, count: Int) throws {
    let prefix = try Value.parsingPrefix(of: text)
    #expect(prefix.value == value)
    #expect(prefix.byteCount == count)
  }

  @Test func `a front that isn't a value is refused`() {
    #expect(throws: ParseError(reason: .unexpectedByte(0x78), offset: 0, line: 1, column: 1)) {
      try Value.parsingPrefix(of: "x 1")
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `damaged texts are refused or read but never written differently`(seed: UInt64) {
    var values = RandomValues(seed: seed)
    for _ in 0..<100 {
      var bytes = Array(values.value(depth: 3).canonicalText.utf8)
      for _ in 0..<(1 + values.random.below(3)) where !bytes.isEmpty {
        let index = values.random.below(bytes.count)
        if values.random.below(2) == 0 {
          bytes[index] = Array("[]{}\",:\\0-e.u ".utf8)[values.random.below(14)]
        } else {
          bytes.remove(at: index)
        }
      }
      guard let value = try? Value(parsing: bytes) else { continue }
      let again = try? Value(parsing: value.canonicalText)
      #expect(again == .some(value), "seed \(seed)")
    }
  }

  @Test(arguments: [.min, -1, 0] as [Int])
  func `a limit below one refuses everything that it counts`(limit: Int) {
    let fields: [WritableKeyPath<ParseLimits, Int>] = [\.depthMax, \.nodeCountMax, \.byteCountMax]
    for field in fields {
      var limits = ParseLimits()
      limits[keyPath: field] = limit
      #expect(throws: ParseError.self) { try Value(parsing: "[1]", limits: limits) }
    }
  }
}
