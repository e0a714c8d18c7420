/// The fields of a node besides its slots; see the properties of ``Node``.
///
/// It has few fields, since a larger header is copied through memory when a node is made, at ten
/// times the cost.
struct NodeHeader {
  var keys: KeyBlock?
  var size: Size
  var shape: NodeShape
}

/// The small numbers of a node in one word.
struct NodeShape {
  private var bits: UInt64

  init(slotMax: Int, height: Int) {
    bits = UInt64(slotMax) &<< 40 | UInt64(height) &<< 48
  }

  /// Bits 0–31, enough for more values than fit into memory.
  var count: Int {
    get { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
    set { bits = bits & ~0xFFFF_FFFF | UInt64(UInt32(newValue)) }
  }

  /// Bits 32–39.
  var slotCount: Int {
    @inline(__always) get { byte(at: 32) }
    set { setByte(at: 32, to: newValue) }
  }

  /// Bits 40–47.
  var slotMax: Int {
    get { byte(at: 40) }
    set { setByte(at: 40, to: newValue) }
  }

  /// Bits 48–55.
  var height: Int {
    @inline(__always) get { byte(at: 48) }
  }

  @inline(__always)
  private func byte(at bit: UInt64) -> Int { Int(truncatingIfNeeded: bits &>> bit & 0xFF) }

  private mutating func setByte(at bit: UInt64, to value: Int) {
    bits = bits & ~(0xFF &<< bit) | UInt64(truncatingIfNeeded: value) &<< bit
  }
}
