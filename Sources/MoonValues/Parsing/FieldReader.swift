/// Reads a text of known form piece by piece, without making a value of the whole.
///
/// It is for canonical text. Where a function returns false or nil, the text has another form, or
/// an error, and is to be parsed as a whole.
package struct FieldReader: ~Copyable {
  private var parser: ValueParser

  /// Begins to read; nil if the text isn't UTF-8, or too long.
  package init?(_ bytes: UnsafeBufferPointer<UInt8>, limits: ParseLimits) {
    do throws(ParseError) {
      parser = try ValueParser(bytes, limits)
    } catch {
      return nil
    }
  }

  /// Whether everything was read.
  package var isAtEnd: Bool { parser.offset == parser.bytes.count }

  /// Passes a piece of the text; returns false and passes nothing if something else comes.
  @inline(__always)
  package mutating func pass(_ piece: StaticString) -> Bool {
    let count = piece.utf8CodeUnitCount
    guard parser.bytes.count &- parser.offset >= count else { return false }
    for index in 0..<count
    where parser.bytes[parser.offset &+ index] != piece.utf8Start[index] { return false }
    parser.offset &+= count
    return true
  }

  /// Reads a value within a number of lists and maps.
  package mutating func value(depth: Int) -> Value? {
    do throws(ParseError) {
      return try parser.parseValue(depth: depth)
    } catch {
      return nil
    }
  }
}
