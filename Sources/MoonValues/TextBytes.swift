/// The bytes of a text that is being written.
///
/// Its memory is its own, so that a short part is stored without a call and without asking whether
/// the memory is shared.
package struct TextBytes: ~Copyable {
  /// The memory that a small text may touch beyond its last byte.
  private static let slack = 16

  package private(set) var count = 0
  private var capacity: Int
  private var base: UnsafeMutablePointer<UInt8>

  /// Reserves memory for a number of bytes; there may be more.
  package init(capacity: Int) {
    self.capacity = max(capacity, 0) + Self.slack
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// The bytes so far, valid until the next change.
  package var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base, count: count)
  }

  /// A copy of the bytes.
  package var array: [UInt8] { Array(bytes) }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    base[count] = byte
    count &+= 1
  }

  /// Appends the bytes of a text that is known when the program is built.
  package mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func append(contentsOf other: UnsafeBufferPointer<UInt8>) {
    guard let start = other.baseAddress else { return }
    makeRoom(for: other.count)
    (base + count).update(from: start, count: other.count)
    count &+= other.count
  }

  /// Appends a text of at most fifteen bytes in the form that `Text` packs it in.
  @inline(__always)
  mutating func append(packed high: UInt64, _ low: UInt64) {
    makeRoom(for: 16)
    let end = UnsafeMutableRawPointer(base + count)
    end.storeBytes(of: high.bigEndian, as: UInt64.self)
    end.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    count &+= Int(truncatingIfNeeded: low & 0xFF)
  }

  /// Appends the decimal digits of a number, and zeros before them up to a length.
  mutating func append(digitsOf number: UInt64, count digitCount: Int) {
    makeRoom(for: digitCount)
    var rest = number
    var place = count &+ digitCount
    while place > count {
      place &-= 1
      base[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count &+= digitCount
  }

  /// Removes the bytes from a number on.
  package mutating func removeBytes(from start: Int) {
    precondition(start >= 0 && start <= count, "bytes that were written")
    count = start
  }

  @inline(__always)
  private mutating func makeRoom(for more: Int) {
    if capacity &- count < more { grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    capacity = max(2 * capacity, count + more + Self.slack)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    memory.update(from: base, count: count)
    base.deallocate()
    base = memory
  }
}
