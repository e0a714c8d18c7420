import Moonwire

/// A reader of a state's text, slice by slice, so that only a slice that exceeds a limit is lost.
struct StateReader {
  /// A slice that couldn't be read.
  struct UnreadableSlice: Equatable, Sendable {
    let slice: String
    /// The limit that the slice exceeds, and the position in the text.
    let error: ParseError
  }

  /// Reads a state.
  ///
  /// The limits apply to each slice.
  ///
  /// - Throws: ``ParseError`` if the text isn't JSON.
  /// - Complexity: O(length), and O(n log n) for maps whose keys aren't in order.
  static func contents(
    of bytes: [UInt8], limits: ParseLimits = ParseLimits()
  ) throws(ParseError) -> RestoreFile.Contents {
    var reader = StateReader(bytes: bytes.withoutByteOrderMark, limits: limits)
    return try reader.contents()
  }

  private let bytes: [UInt8]
  private let limits: ParseLimits
  private var offset = 0
  private var slices: [(Key, Value)] = []
  private var unreadable: [UnreadableSlice] = []

  private init(bytes: [UInt8], limits: ParseLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  private mutating func contents() throws(ParseError) -> RestoreFile.Contents {
    guard try readSlices() else {
      // Not a map, or not JSON: parse the text as a whole, which finds the error, if any.
      return RestoreFile.Contents(
        state: try Value(parsing: bytes, limits: limits), unreadable: [])
    }
    return RestoreFile.Contents(state: .map(Map(slices)), unreadable: unreadable)
  }

  /// Reads all slices; returns false if the text isn't one map with distinct keys.
  private mutating func readSlices() throws(ParseError) -> Bool {
    var keys: Set<Key> = []
    guard take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return isAtEnd }
    repeat {
      guard let range = valueRange(), bytes[range.lowerBound] == UInt8(ascii: "\""),
        let key = key(in: range), keys.insert(key).inserted, take(UInt8(ascii: ":")),
        let range = valueRange()
      else { return false }
      try readSlice(key, in: range)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) && isAtEnd
  }

  /// Reads the next key, with its canonical text.
  private func key(in range: Range<Int>) -> Key? {
    let map = [UInt8(ascii: "{")] + bytes[range] + Array(":0}".utf8)
    return (try? Value(parsing: map))?.mapValue?.keys.first { _ in true }
  }

  private mutating func readSlice(_ key: Key, in range: Range<Int>) throws(ParseError) {
    do throws(ParseError) {
      slices.append((key, try Value(parsing: Array(bytes[range]), limits: limits)))
    } catch {
      let error = located(error, from: range.lowerBound)
      switch error.reason {
      case .depthExceeded, .nodeCountExceeded,
        .byteCountExceeded
      where key != SavedState.headerKey:
        let name = if case .string(let name) = key { name.string } else { key.description }
        unreadable.append(UnreadableSlice(slice: name, error: error))
      default: throw error
      }
    }
  }

  /// Converts the position of an error in a piece of the text to one in the whole text.
  private func located(_ error: ParseError, from start: Int) -> ParseError {
    let before = bytes[..<start]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.count { $0 == UInt8(ascii: "\n") }
    let column = before[lineStart...].count { $0 & 0xC0 != 0x80 }
    return ParseError(
      reason: error.reason, offset: start + error.offset, line: line + error.line,
      column: error.line == 1 ? column + error.column : error.column)
  }

  // MARK: Bytes

  private var isAtEnd: Bool { bytes[offset...].allSatisfy(Self.isSpace) }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      || byte == UInt8(ascii: "\t")
  }

  /// Skips the next value, looking only at brackets and quotes; nil if it has no end.
  private mutating func valueRange() -> Range<Int>? {
    skipSpace()
    let start = offset
    var depth = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""): guard passString() else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}") where depth == 0, UInt8(ascii: ",") where depth == 0,
        UInt8(ascii: ":") where depth == 0:
        return start < offset ? start..<offset : nil
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      offset += 1
    }
    return nil
  }

  /// Skips a string up to its closing quote.
  private mutating func passString() -> Bool {
    offset += 1
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "\"") { return true }
      offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    return false
  }
}
