import Moonwire

/// A scanner of the bytes of a line.
package struct PromptScanner {
  private(set) var offset = 0
  private let bytes: [UInt8]

  init(_ line: String) {
    bytes = Array(line.utf8)
  }

  /// The next byte; nil at the end.
  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  var isAtEnd: Bool { offset == bytes.count }

  /// The rest of the line.
  var rest: String { String(decoding: bytes[offset...], as: UTF8.self) }

  /// The rest of the line, without trailing white space.
  var trimmedRest: String {
    let end = bytes[offset...].lastIndex { !Self.isSpace($0) } ?? offset - 1
    return String(decoding: bytes[offset..<(end + 1)], as: UTF8.self)
  }

  mutating func advance(by count: Int = 1) {
    offset = min(offset + count, bytes.count)
  }

  mutating func skipSpace() {
    while let byte, Self.isSpace(byte) { offset += 1 }
  }

  /// Reads the text up to white space.
  mutating func word() -> String {
    let start = offset
    while let byte, !Self.isSpace(byte) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Reads the text up to white space or one of these bytes.
  mutating func word(upTo stop: UInt8) -> String {
    let start = offset
    while let byte, !Self.isSpace(byte), byte != stop { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Whether the next byte opens a quoted text.
  var isAtQuote: Bool { byte == UInt8(ascii: "\"") || byte == Self.apostrophe }

  private static let apostrophe = UInt8(ascii: "'")

  /// Reads a text in single quotes, as in shells: `'Max M'`.
  ///
  /// A backslash has its meaning in JSON, and `\'` is the quote itself. Returns nil and reads
  /// nothing unless the text is closed and ends there, so `it's` and `'tis` are bare words.
  mutating func singleQuoted(before stop: UInt8? = nil) -> String? {
    guard byte == Self.apostrophe else { return nil }
    var json = [UInt8(ascii: "\"")]
    var index = offset + 1
    while index < bytes.count, bytes[index] != Self.apostrophe {
      let isEscape = bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count
      if isEscape, bytes[index + 1] == Self.apostrophe {
        json.append(Self.apostrophe)
      } else if bytes[index] == UInt8(ascii: "\"") {
        json += [UInt8(ascii: "\\"), bytes[index]]
      } else {
        json += bytes[index..<(index + (isEscape ? 2 : 1))]
      }
      index += isEscape ? 2 : 1
    }
    guard index < bytes.count else { return nil }
    let next = index + 1 < bytes.count ? bytes[index + 1] : nil
    guard next.map({ $0 == stop || (stop == nil && Self.isSpace($0)) }) ?? (stop == nil) else {
      return nil
    }
    json.append(UInt8(ascii: "\""))
    let text = try? Value(parsing: String(decoding: json, as: UTF8.self)).stringValue
    if text != nil { offset = index + 1 }
    return text
  }

  /// Makes an error at an offset, or at the current position.
  func error(_ reason: PromptLineError.Reason, at offset: Int? = nil) -> PromptLineError {
    let before = bytes.prefix(max(0, offset ?? self.offset))
    let lines = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let column = (lines.last ?? []).count { $0 & 0xC0 != 0x80 } + 1
    return PromptLineError(reason: reason, column: column, line: max(1, lines.count))
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
  }
}

/// The reading of commands' arguments.
extension PromptScanner {
  /// Checks that nothing follows a command.
  func checkEnd(after command: CommandManual) throws(PromptLineError) {
    guard trimmedRest.isEmpty else { throw error(.unexpectedArgument(command)) }
  }

  /// Reads the rest as a path into the state.
  func path() throws(PromptLineError) -> Path {
    let text = trimmedRest
    do throws(PathError) {
      return try Path(parsing: text)
    } catch {
      throw self.error(.notAPath(text, error), at: offset + error.offset)
    }
  }

  /// Reads the rest as the name of a module; nil if it is empty.
  func moduleName() throws(PromptLineError) -> String? {
    let text = trimmedRest
    if text.isEmpty { return nil }
    guard ModuleName(text) != nil else { throw error(.notAModuleName(text)) }
    return text
  }

  /// Reads the rest as a number of lines; nil if it is empty.
  func count() throws(PromptLineError) -> Int? {
    let text = trimmedRest
    if text.isEmpty { return nil }
    guard let count = Int(text), count > 0 else { throw error(.notACount(text)) }
    return count
  }
}

extension PathError {
  /// The offset of the mistake in bytes.
  fileprivate var offset: Int {
    switch self {
    case .unexpectedEnd(let column), .unexpectedByte(_, let column),
      .invalidString(_, let column), .invalidIndex(let column):
      column - 1
    case .tooManyComponents: 0
    }
  }
}
