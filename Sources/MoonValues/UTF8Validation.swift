/// Validation of UTF-8 (RFC 3629 §4).
package enum UTF8Validation {
  /// The offset of the first ill-formed sequence; nil if there is none.
  ///
  /// - Complexity: O(number of bytes).
  package static func invalidOffset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }
}
