/// Valid UTF-8 text, which is compared, ordered and hashed by its bytes.
///
/// `String` isn't suitable: it treats canonically equivalent texts as equal, so two different Lua
/// keys would become one. A text of at most 15 bytes is stored inline, a longer
/// one on the heap. Since this depends on the length alone, equal texts always have the same
/// representation.
public struct Text: Hashable, Comparable, Sendable {
  /// The number of bytes up to which a text is stored without an allocation.
  ///
  /// Two words less the byte that holds the length.
  @usableFromInline package static let smallCountMax = 15

  @usableFromInline
  package enum Storage {
    /// Bytes 0–7 big-endian in the first word, 8–14 in the high bytes of the second, whose low
    /// byte is the length: comparing words compares bytes.
    case small(UInt64, UInt64)
    case large(LargeText)
  }

  @usableFromInline package let storage: Storage

  @usableFromInline
  package init(storage: Storage) {
    self.storage = storage
  }

  /// Copies a string's UTF-8.
  ///
  /// - Complexity: O(length of `string`).
  public init(_ string: String) {
    var string = string
    self = string.withUTF8 { Text(validUTF8: $0) }
  }

  /// Copies a substring's UTF-8.
  ///
  /// - Complexity: O(length of `string`).
  public init(_ string: Substring) {
    var string = string
    self = string.withUTF8 { Text(validUTF8: $0) }
  }

  /// Copies bytes after checking them; nil if they aren't valid UTF-8.
  ///
  /// Surrogates, overlong forms and code points above U+10FFFF are invalid (RFC 3629 §4).
  ///
  /// - Complexity: O(number of bytes).
  package init?(utf8: UnsafeBufferPointer<UInt8>) {
    guard UTF8Validation.invalidOffset(in: utf8) == nil else { return nil }
    self.init(validUTF8: utf8)
  }

  /// Takes two words in the format of ``Storage/small(_:_:)``, unchecked.
  @inlinable @inline(__always)
  package init(packed: (UInt64, UInt64)) {
    storage = .small(packed.0, packed.1)
  }

  /// Copies bytes that the caller knows to be valid UTF-8.
  @usableFromInline
  package init(validUTF8 buffer: UnsafeBufferPointer<UInt8>) {
    if buffer.count <= Text.smallCountMax {
      let words = PackedText.words(of: buffer)
      storage = .small(words.0, words.1)
    } else {
      storage = .large(LargeText.make(copying: buffer))
    }
  }

  /// The text as a Swift string.
  ///
  /// - Complexity: O(``utf8Count``).
  public var string: String {
    withUTF8 { String(decoding: $0, as: UTF8.self) }
  }

  /// The number of bytes.
  public var utf8Count: Int {
    switch storage {
    case .small(_, let low): Int(low & 0xFF)
    case .large(let large): large.count
    }
  }

  /// Whether the text is empty.
  public var isEmpty: Bool { utf8Count == 0 }

  /// Calls `body` with the bytes, which are valid only during the call.
  ///
  /// - Throws: The error that `body` throws.
  package func withUTF8<R>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> R
  ) rethrows -> R {
    switch storage {
    case .small(let high, let low):
      let bytes = (high.bigEndian, low.bigEndian)
      return try withUnsafeBytes(of: bytes) { raw in
        try raw.withMemoryRebound(to: UInt8.self) { buffer in
          try body(UnsafeBufferPointer(rebasing: buffer[..<Int(low & 0xFF)]))
        }
      }
    case .large(let large):
      return try withExtendedLifetime(large) { try body(large.bytes) }
    }
  }

  /// Whether the text begins with the bytes of `prefix`.
  ///
  /// - Complexity: O(length of `prefix`).
  public func hasPrefix(_ prefix: Text) -> Bool {
    withUTF8 { bytes in
      prefix.withUTF8 { start in
        bytes.count >= start.count && bytes.prefix(start.count).elementsEqual(start)
      }
    }
  }

  /// The two words of a small text; nil for a large one.
  package var packed: (UInt64, UInt64)? {
    @inline(__always) get {
      if case .small(let high, let low) = storage { return (high, low) }
      return nil
    }
  }

  /// The stored bytes of a large text; valid as long as the text is retained.
  package var stableBytes: UnsafeBufferPointer<UInt8>? {
    if case .large(let large) = storage { return large.bytes }
    return nil
  }

  /// Whether both have the same inline bytes or are the same object.
  ///
  /// Reads no bytes from the heap.
  package func isIdentical(to other: Text) -> Bool {
    switch (storage, other.storage) {
    case (.small(let a, let b), .small(let c, let d)): a == c && b == d
    case (.large(let a), .large(let b)): a === b
    default: false
    }
  }

  /// Compares bytes.
  @inlinable
  public static func == (left: Text, right: Text) -> Bool {
    // Inlinable, so that comparing with the text of a literal is comparing two words. The bytes of
    // large texts are compared elsewhere, since the objects would be counted here.
    if case .small(let a, let b) = left.storage, case .small(let c, let d) = right.storage {
      return a == c && b == d
    }
    return areEqual(large: left, right)
  }

  @usableFromInline @inline(never)
  static func areEqual(large left: Text, _ right: Text) -> Bool {
    guard case .large(let a) = left.storage, case .large(let b) = right.storage else {
      return false
    }
    return a === b || a.hasSameBytes(as: b)
  }

  /// Orders by bytes, which for UTF-8 is the order of code points; a prefix comes first.
  public static func < (left: Text, right: Text) -> Bool {
    let first = left.orderingWords
    let second = right.orderingWords
    if first.0 != second.0 { return first.0 < second.0 }
    if first.1 != second.1 { return first.1 < second.1 }
    guard case .large(let a) = left.storage, case .large(let b) = right.storage else {
      return false
    }
    return a.precedes(b)
  }

  /// Feeds the bytes to `hasher`.
  public func hash(into hasher: inout Hasher) {
    switch storage {
    case .small(let high, let low):
      hasher.combine(high)
      hasher.combine(low)
    case .large(let large):
      hasher.combine(bytes: UnsafeRawBufferPointer(large.bytes))
    }
  }

  /// Words that order texts whose first fifteen bytes differ, and small before large otherwise.
  package var orderingWords: (UInt64, UInt64) {
    switch storage {
    case .small(let high, let low): (high, low)
    case .large(let large): large.orderingWords
    }
  }
}

extension Text {
  /// The 64-bit FNV-1a hash (draft-eastlake-fnv), which is the same on every machine and in every
  /// run.
  ///
  /// - Complexity: O(length).
  package var stableHash: UInt64 {
    withUTF8 { bytes in
      bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
  }
}

// Sendable: a `LargeText` is written once, before it is shared. It can't conform itself, because
// `ManagedBuffer` can't be Sendable.
extension Text.Storage: @unchecked Sendable {}

extension Text: CustomStringConvertible {
  /// The text itself, as a Swift string.
  public var description: String { string }
}

extension Text: ExpressibleByStringLiteral {
  /// Makes a text from a literal.
  ///
  /// A short one is packed by the compiler, if it is inlined.
  @inlinable @inline(__always)
  public init(stringLiteral value: StaticString) {
    let bytes = UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount)
    if bytes.count <= Text.smallCountMax {
      self.init(packed: PackedText.words(of: bytes))
    } else {
      self.init(validUTF8: bytes)
    }
  }
}
