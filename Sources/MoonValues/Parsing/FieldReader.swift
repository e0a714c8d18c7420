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
  package mutating func pass(_ piece: StaticString) -> Bool {
    let count = piece.utf8CodeUnitCount
    guard parser.bytes.count &- parser.offset >= count, let base = parser.bytes.baseAddress,
      Self.areEqual(base + parser.offset, piece.utf8Start, count)
    else { return false }
    parser.offset &+= count
    return true
  }

  /// Whether two texts have the same bytes.
  private static func areEqual(
    _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int
  ) -> Bool {
    guard count >= 8 else { return (0..<count).allSatisfy { left[$0] == right[$0] } }
    let (left, right) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
    // Words, the last of which may overlap the one before.
    var offset = 0
    var differences: UInt64 = 0
    while offset < count {
      let place = min(offset, count &- 8)
      differences |=
        left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        ^ right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      offset &+= 8
    }
    return differences == 0
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
