/// The reason that a text isn't a usable URL.
///
/// Offsets count bytes from 0.
public enum RouteRequestError: Error, Hashable, Sendable {
  /// There are more than 16,384 bytes.
  case tooLong(max: Int)
  /// The path has more than 256 components.
  case tooManySegments(max: Int)
  /// The query and the fragment have more than 256 entries.
  case tooManyParameters(max: Int)
  /// A byte, or the bytes that an escape encodes, aren't UTF-8.
  case invalidUTF8(offset: Int)
  /// A `%` isn't followed by two hexadecimal digits.
  case malformedEscape(offset: Int)
  /// There is a control character or a second `#`.
  case unexpectedByte(UInt8, offset: Int)
  /// The port isn't a number.
  case invalidPort(offset: Int)
}

extension RouteRequestError: CustomStringConvertible {
  /// The problem with the URL, in a few words.
  public var description: String {
    switch self {
    case .tooLong(let max): "it is longer than \(max) bytes"
    case .tooManySegments(let max): "its path has more than \(max) components"
    case .tooManyParameters(let max): "it has more than \(max) parameters"
    case .invalidUTF8(let offset): "the bytes at \(offset + 1) aren't UTF-8"
    case .malformedEscape(let offset):
      "the % at character \(offset + 1) isn't followed by two hexadecimal digits"
    case .unexpectedByte(let byte, let offset):
      byte == UInt8(ascii: "#")
        ? "it has a second # at character \(offset + 1)"
        : "it has a control character at character \(offset + 1)"
    case .invalidPort(let offset): "the port at character \(offset + 1) isn't a number"
    }
  }
}
