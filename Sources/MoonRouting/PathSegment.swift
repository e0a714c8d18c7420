import MoonValues

/// One component of a path: its place, and its bytes packed for lookup.
///
/// Up to 15 bytes are stored in the two words, with their number in the highest byte, so comparing
/// words compares bytes. For a longer component the first word is a hash and the second is the
/// length, so a comparison must also look at the bytes.
struct PathSegment: Sendable {
  var word0: UInt64
  var word1: UInt64
  var start: Int32
  var end: Int32

  /// The highest byte of a component whose bytes don't fit.
  static let longMark: UInt64 = 0xFF << 56

  /// The number of bytes that fit into the words.
  static let packedCountMax = 15

  var count: Int { Int(end &- start) }
  var range: Range<Int> { Int(start)..<Int(end) }
  @inline(__always) var isLong: Bool { word1 >= Self.longMark }

  /// The component as a text if it needs no decoding; nil if it is long, or has a `%`, `+` or `#`.
  ///
  /// The words of a text are those of the component in reverse byte order. The path must be that of
  /// a ``RouteRequest``, which is ASCII.
  @inline(__always) var plainText: Text? {
    guard !isLong, !ByteBlock.areSet(ByteBlock(word0).codes | ByteBlock(word1).codes) else {
      return nil
    }
    return Text(packed: (word0.byteSwapped, word1.byteSwapped))
  }

  /// Packs the bytes of `base` from `start` to `end`; there must be that many.
  @inline(__always)
  init(_ base: UnsafeRawPointer, from start: Int, to end: Int) {
    self.start = Int32(truncatingIfNeeded: start)
    self.end = Int32(truncatingIfNeeded: end)
    let count = end &- start
    if count <= 8 {
      if end >= 8 {
        // Loading the preceding bytes as well needs no branch on the length.
        let word = base.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self)
        word0 = word &>> (UInt64(truncatingIfNeeded: 8 &- count) &* 8)
      } else {
        word0 = Self.tail(base, from: start, to: end)
      }
      word1 = UInt64(truncatingIfNeeded: count) &<< 56
    } else if count <= Self.packedCountMax {
      word0 = base.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      let word = base.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self)
      word1 =
        word &>> (UInt64(truncatingIfNeeded: 16 &- count) &* 8)
        | UInt64(truncatingIfNeeded: count) &<< 56
    } else {
      word0 = Self.hash(base, from: start, to: end)
      word1 = Self.longMark | UInt64(truncatingIfNeeded: count)
    }
  }

  private static func tail(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> UInt64 {
    var word: UInt64 = 0
    var index = end
    while index > start {
      index &-= 1
      word = word &<< 8 | UInt64(base.load(fromByteOffset: index, as: UInt8.self))
    }
    return word
  }

  private static func hash(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: end &- start)
    var index = start
    while index &+ 8 <= end {
      hash = mix(hash ^ base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index &+= 8
    }
    // Rereads the last bytes if the length isn't a multiple of eight; there are at least sixteen.
    return mix(hash ^ base.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self))
  }

  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

/// Finds the components of paths, in a buffer that is reused.
///
/// Each matching thread has its own.
package struct PathScan: ~Copyable {
  let segments: UnsafeMutablePointer<PathSegment>
  let capacity: Int
  private(set) var count = 0
  private(set) var byteCount = 0

  /// The components found last.
  @inline(__always) var found: UnsafeBufferPointer<PathSegment> {
    UnsafeBufferPointer(start: segments, count: count)
  }

  /// Makes room for as many components as a table can tell apart.
  package init() {
    // One more than any pattern has: a longer path matches only wildcards.
    capacity = RoutePattern.componentCountMax + 1
    segments = .allocate(capacity: capacity)
  }

  deinit {
    segments.deallocate()
  }

  /// Finds the components, except empty ones and those beyond the capacity.
  @inline(__always)
  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) {
    byteCount = bytes.count
    guard let base = bytes.baseAddress else {
      count = 0
      return
    }
    count = PathScan.split(UnsafeRawPointer(base), bytes.count, into: segments, capacity)
  }

  /// Returns the bytes in the scanned path of a capture of the match found last.
  package func range(of capture: PathMatch.Capture) -> Range<Int> {
    if capture.isWildcard {
      return capture.segment < count
        ? Int(segments[capture.segment].start)..<byteCount : byteCount..<byteCount
    }
    return segments[capture.segment].range
  }

  /// Writes the components of `count` bytes, at most `capacity` of them, and returns their number.
  @inline(__always)
  static func split(
    _ base: UnsafeRawPointer, _ count: Int, into segments: UnsafeMutablePointer<PathSegment>,
    _ capacity: Int
  ) -> Int {
    var found = 0
    var start = 0
    var offset = 0
    while offset < count {
      var slashes = slashes(base, at: offset, count)
      while slashes != 0 {
        let end = offset &+ slashes.trailingZeroBitCount &>> 3
        slashes &= slashes &- 1
        if end > start {
          (segments + found).initialize(to: PathSegment(base, from: start, to: end))
          found &+= 1
          if found == capacity { return found }
        }
        start = end &+ 1
      }
      offset &+= 8
    }
    if count > start {
      (segments + found).initialize(to: PathSegment(base, from: start, to: count))
      found &+= 1
    }
    return found
  }

  /// The high bit of every byte that is a slash among the eight from `offset`.
  @inline(__always)
  private static func slashes(_ base: UnsafeRawPointer, at offset: Int, _ count: Int) -> UInt64 {
    let left = count &- offset
    let word: UInt64
    if left >= 8 {
      word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    } else if count >= 8 {
      word =
        base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        &>> (UInt64(truncatingIfNeeded: 8 &- left) &* 8)
    } else {
      var bytes: UInt64 = 0
      var index = count
      while index > offset {
        index &-= 1
        bytes = bytes &<< 8 | UInt64(base.load(fromByteOffset: index, as: UInt8.self))
      }
      word = bytes
    }
    // A byte of zero bits keeps its high bit clear in the sum; no carry crosses bytes.
    let different = word ^ 0x2F2F_2F2F_2F2F_2F2F
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    return ~(((different & low) &+ low) | different | low)
  }
}
