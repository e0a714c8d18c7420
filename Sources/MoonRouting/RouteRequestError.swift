/// What is wrong with a URL.
///
/// Offsets count bytes from 0.
public enum RouteRequestError: Error, Hashable, Sendable {
  /// There are more bytes than ``RouteRequest/byteCountMax``.
  case tooLong(max: Int)
  /// The path has more components than ``RouteRequest/segmentCountMax``.
  case tooManySegments(max: Int)
  /// The query and the fragment have more entries than ``RouteRequest/queryCountMax``.
  case tooManyParameters(max: Int)
  /// A byte, or the bytes that an escape stands for, aren't UTF-8.
  case invalidUTF8(offset: Int)
  /// A `%` isn't followed by two hexadecimal digits.
  case malformedEscape(offset: Int)
  /// A control character, or a second `#`.
  case unexpectedByte(UInt8, offset: Int)
  /// The port isn't a number.
  case invalidPort(offset: Int)
}
