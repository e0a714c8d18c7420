/// The bytes of a text that is too long to be stored in place.
///
/// They are written once, before the object leaves `make`.
@usableFromInline
package final class LargeText: ManagedBuffer<LargeText.Header, UInt8> {
  @usableFromInline
  package struct Header {
    let count: Int
    /// The number of bytes within quotes, of a text longer than ``escapedAtOnceMax``.
    let escapedByteCount: Int
  }

  /// The length up to which escapes are counted on demand: most short texts never become part of a
  /// tree.
  private static let escapedAtOnceMax = 128

  package static func make(copying source: UnsafeBufferPointer<UInt8>) -> LargeText {
    let buffer = LargeText.create(minimumCapacity: source.count) { _ in
      Header(
        count: source.count,
        escapedByteCount: source.count > escapedAtOnceMax
          ? CanonicalText.escapedByteCount(of: source) : 0)
    }
    if let address = source.baseAddress {
      buffer.withUnsafeMutablePointerToElements {
        $0.initialize(from: address, count: source.count)
      }
    }
    return unsafeDowncast(buffer, to: LargeText.self)
  }

  package var count: Int { withUnsafeMutablePointerToHeader { $0.pointee.count } }

  /// The number of bytes that the text takes within quotes.
  ///
  /// O(1).
  var escapedByteCount: Int {
    let known = withUnsafeMutablePointerToHeader { $0.pointee.escapedByteCount }
    return known > 0 ? known : CanonicalText.escapedByteCount(of: bytes)
  }

  /// The bytes, valid as long as the object is.
  package var bytes: UnsafeBufferPointer<UInt8> {
    withUnsafeMutablePointers { UnsafeBufferPointer(start: $1, count: $0.pointee.count) }
  }

  /// The first fifteen bytes as in a small text, with a lowest byte above every small length.
  package var orderingWords: (UInt64, UInt64) {
    let raw = UnsafeRawBufferPointer(bytes)
    let high = UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self))
    let low = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return (high, low | 0xFF)
  }

  package func hasSameBytes(as other: LargeText) -> Bool {
    let count = count
    guard count == other.count else { return false }
    let left = UnsafeRawBufferPointer(bytes)
    let right = UnsafeRawBufferPointer(other.bytes)
    var offset = 0
    // Words, the last of which may overlap the one before: a large text has at least two.
    while offset &+ 8 < count {
      let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
      offset &+= 8
    }
    return left.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      == right.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
  }

  package func precedes(_ other: LargeText) -> Bool {
    bytes.lexicographicallyPrecedes(other.bytes)
  }
}

/// Packs at most fifteen bytes into two words, in the format of `Text.Storage.small`.
@usableFromInline
package enum PackedText {
  @inlinable @inline(__always)
  package static func words(of buffer: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64) {
    let count = buffer.count
    guard count > 0 else { return (0, 0) }
    let raw = UnsafeRawBufferPointer(buffer)
    if count >= 8 {
      let high = UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self))
      let tail = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
      return (high, tail << UInt64(8 * (16 - count)) | UInt64(count))
    }
    if count >= 4 {
      let start = UInt64(UInt32(bigEndian: raw.loadUnaligned(as: UInt32.self)))
      let end = UInt64(
        UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)))
      return (start << 32 | end << UInt64(8 * (8 - count)), UInt64(count))
    }
    // The first byte, the one in the middle and the last, of which some are the same. Not a loop,
    // so that the compiler packs literals.
    let middle = count >> 1
    let high =
      UInt64(raw[0]) << 56 | UInt64(raw[middle]) << UInt64(56 - 8 * middle)
      | UInt64(raw[count - 1]) << UInt64(64 - 8 * count)
    return (high, UInt64(count))
  }
}
