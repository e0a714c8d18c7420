import Synchronization

extension Text: ExpressibleByStringLiteral {
  /// Makes a text from a literal.
  ///
  /// A short one is packed by the compiler. The texts of one long literal share their bytes, if the
  /// literal is in ``SharedLiterals``.
  @inlinable
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
  private typealias Place = Atomic<UnsafeRawPointer?>

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

  /// The binary logarithm of the number of places.
  private static let bitCount: UInt64 = 8

  // Written once, before anyone can read it. The places are atomic.
  nonisolated(unsafe) private static let places: UnsafeMutablePointer<Place> = {
    let count = 1 << bitCount
    let places = UnsafeMutablePointer<Place>.allocate(capacity: count)
    for index in 0..<count { (places + index).initialize(to: Place(nil)) }
    return places
  }()

  /// Returns the text of a literal, which stays at its address as long as the program runs.
  @usableFromInline
  static func text(_ literal: UnsafeBufferPointer<UInt8>) -> LargeText {
    // Fibonacci hashing (Knuth), of an address.
    let hash = UInt64(UInt(bitPattern: literal.baseAddress)) &* 0x9E37_79B9_7F4A_7C15
    let place = places + Int(hash &>> (64 - bitCount))
    guard let address = place.pointee.load(ordering: .acquiring) else {
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
    _ place: UnsafeMutablePointer<Place>, _ literal: UnsafeBufferPointer<UInt8>
  ) -> LargeText {
    let text = LargeText.make(copying: literal)
    let owned = Unmanaged.passRetained(Entry(literal, text))
    let (isFirst, _) = place.pointee.compareExchange(
      expected: nil, desired: UnsafeRawPointer(owned.toOpaque()), ordering: .acquiringAndReleasing)
    if !isFirst { owned.release() }
    return text
  }
}
