/// Why a text isn't a value, and where.
public struct ParseError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The text ends inside a value, or there is no value.
    case unexpectedEnd
    /// A byte that isn't allowed here.
    case unexpectedByte(UInt8)
    /// Something other than white space follows the value.
    case trailingText
    /// A number that JSON doesn't allow, such as `01` or `1.`.
    case invalidNumber
    /// A backslash followed by a character that JSON doesn't allow.
    case invalidEscape
    /// Half of a surrogate pair.
    case loneSurrogate
    /// A raw control character inside a string.
    case controlCharacter(UInt8)
    /// Bytes that aren't UTF-8.
    case invalidUTF8
    /// A key that the map already has.
    ///
    /// The position is that of the second one.
    case duplicateKey(Key)
    /// More nested lists and maps than allowed.
    case depthExceeded(max: Int)
    /// More values than allowed, each list, map and scalar counted.
    case nodeCountExceeded(max: Int)
    /// A longer text than allowed.
    case byteCountExceeded(max: Int)
  }

  /// What is wrong.
  public let reason: Reason
  /// The offset in bytes from the beginning.
  package let offset: Int
  /// The line, from 1.
  public let line: Int
  /// The column in code points, from 1.
  public let column: Int

  /// Makes an error from its parts.
  package init(reason: Reason, offset: Int, line: Int, column: Int) {
    self.reason = reason
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Finds line and column of an offset.
  init(_ reason: Reason, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.init(reason: reason, offset: offset, line: line, column: column)
  }
}

extension ParseError: CustomStringConvertible {
  /// The position and the reason: `line 2, column 5: the JSON ends too early`.
  public var description: String { "line \(line), column \(column): \(reason)" }
}

extension ParseError.Reason: CustomStringConvertible {
  /// What is wrong, in a few words.
  public var description: String {
    switch self {
    case .unexpectedEnd: "the JSON ends too early"
    case .unexpectedByte(let byte): "\(Wording.character(byte)) can't stand here in JSON"
    case .trailingText: "something follows the JSON"
    case .invalidNumber: "JSON has no such number"
    case .invalidEscape: "JSON has no such escape"
    case .loneSurrogate: "half of a surrogate pair"
    case .controlCharacter: "a control character must be escaped in JSON"
    case .invalidUTF8: "this isn't UTF-8"
    case .duplicateKey(let key): "the key \(key) is there twice"
    case .depthExceeded(let max): "lists and maps are nested deeper than \(max)"
    case .nodeCountExceeded(let max): "there are more than \(max) values"
    case .byteCountExceeded(let max): "it is longer than \(max) bytes"
    }
  }
}
