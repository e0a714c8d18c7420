/// The tokens of a Swift file, without comments, the text of literals and blanks.
///
/// Code in an interpolation counts. The reader knows only as much grammar as it needs to find the
/// end of a comment, a string or a regular expression.
struct SwiftTokens {
  /// A word, a number, or one punctuation character.
  struct Token: Equatable, Sendable {
    let text: String
    /// The line number, from 1.
    let line: Int

    var isWord: Bool { text.utf8.first.map { SwiftTokens.isWordByte($0) } ?? false }
    /// Whether it is capitalized like a type.
    var isTypeName: Bool { text.first?.isUppercase ?? false }
  }

  private(set) var all: [Token] = []
  private let bytes: [UInt8]
  private var at = 0
  private var line = 1

  init(of text: String) {
    bytes = Array(text.utf8)
    readCode(inInterpolation: false)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool { wordBytes[Int(byte)] }

  private static let wordBytes: [Bool] = (0...UInt8.max).map { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  // MARK: Reading

  private func starts(with text: StaticString, at place: Int) -> Bool {
    place + text.utf8CodeUnitCount <= bytes.count
      && text.withUTF8Buffer { bytes[place...].starts(with: $0) }
  }

  private func starts(with text: StaticString) -> Bool { starts(with: text, at: at) }

  private mutating func skip(_ count: Int = 1) {
    for _ in 0..<count where at < bytes.count {
      if bytes[at] == UInt8(ascii: "\n") { line += 1 }
      at += 1
    }
  }

  private mutating func readCode(inInterpolation: Bool) {
    var depth = 0
    while at < bytes.count {
      if skipsCommentOrLiteral() { continue }
      let byte = bytes[at]
      if Self.isWordByte(byte) {
        let start = at
        while at < bytes.count, Self.isWordByte(bytes[at]) { at += 1 }
        append(bytes[start..<at])
      } else if byte == UInt8(ascii: "`") {
        let end = bytes[(at + 1)...].firstIndex(of: byte) ?? bytes.count - 1
        append(bytes[(at + 1)..<end])
        skip(end + 1 - at)
      } else {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        if inInterpolation, depth < 0 { return }
        if byte > UInt8(ascii: " ") { append(bytes[at...at]) }
        skip()
      }
    }
  }

  private mutating func append(_ text: ArraySlice<UInt8>) {
    all.append(Token(text: String(decoding: text, as: UTF8.self), line: line))
  }

  private mutating func skipsCommentOrLiteral() -> Bool {
    switch bytes[at] {
    case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "#"): break
    default: return false
    }
    if starts(with: "//") {
      at = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    } else if starts(with: "/*") {
      skipComment()
    } else if starts(with: "\"") {
      skipString(hashes: 0)
    } else if starts(with: "'") {
      // A character literal of C.
      skipExpression(closing: Array("'".utf8), opening: 1)
    } else if starts(with: "#") {
      let hashes = bytes[at...].prefix { $0 == UInt8(ascii: "#") }.count
      if starts(with: "\"", at: at + hashes) {
        skip(hashes)
        skipString(hashes: hashes)
      } else if starts(with: "/", at: at + hashes) {
        skipExpression(closing: Array("/".utf8) + bytes[at..<(at + hashes)], opening: hashes + 1)
      } else {
        return false
      }
    } else if starts(with: "/"), beginsExpression {
      skipExpression(closing: [UInt8(ascii: "/")], opening: 1)
    } else {
      return false
    }
    return true
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      let opens = starts(with: "/*")
      let closes = starts(with: "*/")
      depth += opens ? 1 : closes ? -1 : 0
      skip(opens || closes ? 2 : 1)
    } while depth > 0 && at < bytes.count
  }

  private mutating func skipString(hashes: Int) {
    let quotes = starts(with: "\"\"\"") ? 3 : 1
    let marks = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let closing = [UInt8](repeating: UInt8(ascii: "\""), count: quotes) + marks
    let escape = [UInt8(ascii: "\\")] + marks
    skip(quotes)
    while at < bytes.count, bytes[at] != closing[0] || !bytes[at...].starts(with: closing) {
      guard bytes[at] == escape[0], bytes[at...].starts(with: escape) else {
        skip()
        continue
      }
      skip(escape.count)
      let interpolates = starts(with: "(")
      skip()
      if interpolates {
        readCode(inInterpolation: true)
        skip()
      }
    }
    skip(closing.count)
  }

  /// Whether a slash begins a regular expression, rather than being an operator.
  private var beginsExpression: Bool {
    guard let next = bytes[(at + 1)...].first, next > UInt8(ascii: " "),
      bytes[(at + 1)...].prefix(while: { $0 != UInt8(ascii: "\n") }).contains(UInt8(ascii: "/"))
    else { return false }
    return all.last.map { ["(", ",", "=", ":", "[", "{", "return"].contains($0.text) } ?? true
  }

  private mutating func skipExpression(closing: [UInt8], opening: Int) {
    skip(opening)
    while at < bytes.count, !bytes[at...].starts(with: closing) {
      skip(starts(with: "\\") ? 2 : 1)
    }
    skip(closing.count)
  }
}
