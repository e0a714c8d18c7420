extension Text: ExpressibleByStringLiteral {
  /// Makes a text from a literal.
  ///
  /// A short one is packed by the compiler, if it is inlined. The texts of one long literal share
  /// their bytes, if the literal is in ``SharedLiterals``.
  @inlinable @inline(__always)
  public init(stringLiteral value: StaticString) {
    let bytes = UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount)
    if bytes.count <= Text.smallCountMax {
      self.init(packed: PackedText.words(of: bytes))
    } else {
      self.init(storage: .large(SharedLiterals.text(bytes)))
    }
  }
}

/// The long texts of literals, such as the types of actions that a program dispatches.
///
/// Making and freeing a text takes 500 instructions, and finding it here 60. The table has a place
/// for each of a few hundred literals, by their addresses. A place is filled once and never
/// emptied: the first literal there stays, and the texts of others with its hash are made anew.
@usableFromInline
enum SharedLiterals {
  /// A literal and its text.
  private final class Entry {
    let address: UnsafePointer<UInt8>?
    let count: Int
    let text: LargeText

    init(_ literal: UnsafeBufferPointer<UInt8>, _ text: LargeText) {
      address = literal.baseAddress
      count = literal.count
      self.text = text
    }
  }

  private static let places = SharedPlaces()

  /// Returns the text of a literal, which stays at its address as long as the program runs.
  @usableFromInline
  static func text(_ literal: UnsafeBufferPointer<UInt8>) -> LargeText {
    let place = places.place(of: UInt64(UInt(bitPattern: literal.baseAddress)))
    guard let address = SharedPlaces.object(at: place) else {
      return fill(place, literal)
    }
    let known = Unmanaged<Entry>.fromOpaque(address)._withUnsafeGuaranteedRef { entry in
      // A literal may begin within a longer one and end with it, so both count.
      entry.address == literal.baseAddress && entry.count == literal.count ? entry.text : nil
    }
    return known ?? LargeText.make(copying: literal)
  }

  @inline(never)
  private static func fill(
    _ place: SharedPlaces.Place, _ literal: UnsafeBufferPointer<UInt8>
  ) -> LargeText {
    let text = LargeText.make(copying: literal)
    SharedPlaces.fill(place, with: Entry(literal, text))
    return text
  }
}
