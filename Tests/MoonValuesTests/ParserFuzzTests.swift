import Foundation
import MoonTestSupport
import MoonValues
import Testing

/// Random texts.
///
/// Errors are reported at the right position, and valid texts survive a round trip.
struct ParserFuzzTests {
  static let json = FuzzGrammar(
    seeds: [
      #"{"a":1,"b":[true,false,null],"c":{"d":"e\u00e9\n"}}"#,
      "[1,-2.5e10,0.1,1E-7,9007199254740993]",
      #"{"[1]":2,"[-5]":{},"[[x":[]}"#, #""😀\ud83d\ude00\\\"/""#, "-0", "  [ ]  ",
      "18446744073709551616",
      #"{"count":{"by":2},"list":["x",[],{}]}"#, "1e400",
    ],
    pieces: [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "\\u0000", "0", "1",
      "-",
      "+", ".", "e", "E9", "true", "false", "null", "nul", " ", "\n", "\t", "\"a\":", "\"[7]\":",
      "[[",
      "1e308", "9223372036854775807", "NaN",
    ])

  static let paths = FuzzGrammar(
    seeds: [
      "counter.log[3][\"a b\"]", "a", "", "[\"é\"].b", "_x9[-1].y", "a[9223372036854775807]",
    ],
    pieces: [
      "a", "b1", ".", "[", "]", "\"", "[1]", "[-1]", "[01]", "[\"", "\"]", "\\u00e9", "\\", " ",
      "9223372036854775808",
    ])

  @Test func `any bytes are a value or an error within them`() {
    let failure = Fuzzing("values", cases: 6000).firstFailure(
      make: { Self.json.text(&$0) }, check: { bytes, _ in Self.problem(ofJSON: bytes) })
    #expect(failure == nil, "\(failure ?? "")")
  }

  private static func problem(ofJSON bytes: [UInt8]) -> String? {
    // Foundation also accepts texts in other encodings, which it recognizes by their first bytes.
    let isOneEncoding = !bytes.contains(0) && !bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let isForeign =
      (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
    do throws(ParseError) {
      let value = try Value(parsing: bytes)
      let text = value.canonicalText
      guard let again = try? Value(parsing: text) else { return "can't read its own \(text)" }
      guard again == value else { return "\(text) reads as something else" }
      guard again.canonicalText == text else { return "\(text) and then \(again.canonicalText)" }
      guard let front = try? Value.parsingPrefix(of: text + " x"), front.value == value,
        front.byteCount == text.utf8.count
      else { return "the front of \(text) is another" }
      // Foundation's parser has no infinity.
      guard isForeign || text.contains("e999") || text.contains("1e9") else {
        return "Foundation doesn't take it"
      }
      return nil
    } catch {
      guard (0...bytes.count).contains(error.offset) else { return "offset \(error.offset)" }
      guard error.line >= 1, error.column >= 1, error.line <= bytes.count + 1 else {
        return "line \(error.line), column \(error.column)"
      }
      return isForeign && isOneEncoding && !error.reason.isOwnRule
        ? "Foundation takes it: \(error.reason)" : nil
    }
  }

  @Test func `any text is a path or an error within it`() {
    let failure = Fuzzing("paths", cases: 6000).firstFailure(
      make: { Self.paths.text(&$0) }, check: { bytes, _ in Self.problem(ofPath: bytes) })
    #expect(failure == nil, "\(failure ?? "")")
  }

  private static func problem(ofPath bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(PathError) {
      let path = try Path(parsing: text)
      guard path.components.count <= Path.componentCountMax else { return "too long" }
      guard let again = try? Path(parsing: path.description) else {
        return "can't read its own \(path)"
      }
      return again == path ? nil : "\(path) reads as \(again)"
    } catch {
      guard let column = error.column else { return nil }
      return (1...text.utf8.count + 1).contains(column) ? nil : "column \(column): \(error)"
    }
  }
}

extension ParseError.Reason {
  /// Whether other parsers may disagree.
  fileprivate var isOwnRule: Bool {
    switch self {
    case .duplicateKey, .depthExceeded, .loneSurrogate, .invalidUTF8: true
    // Foundation accepts a trailing comma.
    case .unexpectedByte(UInt8(ascii: "]")), .unexpectedByte(UInt8(ascii: "}")): true
    default: false
    }
  }
}

extension PathError {
  /// The position of the error, if it has one.
  fileprivate var column: Int? {
    switch self {
    case .unexpectedEnd(let column), .unexpectedByte(_, let column), .invalidString(_, let column),
      .invalidIndex(let column):
      column
    case .tooManyComponents: nil
    }
  }
}
