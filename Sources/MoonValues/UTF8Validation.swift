/// Validation of UTF-8 (RFC 3629 §4).
package enum UTF8Validation {
  /// Whether all bytes together are valid UTF-8.
  ///
  /// - Complexity: O(number of bytes); ASCII goes eight bytes at a time.
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    invalidOffset(in: bytes) == nil
  }

  /// The offset of the first ill-formed sequence; nil if there is none.
  package static func invalidOffset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let raw = UnsafeRawBufferPointer(bytes)
    let count = bytes.count
    var index = 0
    while index < count {
      if index &+ 8 <= count,
        raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index &+= 8
        continue
      }
      let length = sequenceLength(at: index, in: bytes)
      if length == 0 { return index }
      index &+= length
    }
    return nil
  }

  /// The length of the well-formed sequence at `index`, or 0.
  private static func sequenceLength(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let lead = bytes[index]
    if lead < 0x80 { return 1 }
    let left = bytes.count &- index
    // The range of the second byte excludes overlong forms, surrogates and code points above
    // U+10FFFF.
    switch lead {
    case 0xC2...0xDF:
      return left >= 2 && isContinuation(bytes[index &+ 1]) ? 2 : 0
    case 0xE0...0xEF:
      guard left >= 3 else { return 0 }
      let lowest: UInt8 = lead == 0xE0 ? 0xA0 : 0x80
      let highest: UInt8 = lead == 0xED ? 0x9F : 0xBF
      let second = bytes[index &+ 1]
      return second >= lowest && second <= highest && isContinuation(bytes[index &+ 2]) ? 3 : 0
    case 0xF0...0xF4:
      guard left >= 4 else { return 0 }
      let lowest: UInt8 = lead == 0xF0 ? 0x90 : 0x80
      let highest: UInt8 = lead == 0xF4 ? 0x8F : 0xBF
      let second = bytes[index &+ 1]
      return second >= lowest && second <= highest && isContinuation(bytes[index &+ 2])
        && isContinuation(bytes[index &+ 3]) ? 4 : 0
    default:
      return 0
    }
  }

  @inline(__always)
  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
