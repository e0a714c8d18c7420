extension Value {
  /// The maximum number of bytes that ``writeCanonical(to:)`` passes at once.
  package static let canonicalChunkByteCountMax = 64 << 10

  /// Writes ``canonicalText`` in pieces, so that it needn't fit in memory as a whole.
  ///
  /// - Parameter sink: Called with the next bytes, at most ``canonicalChunkByteCountMax`` of them,
  ///   which are valid only during the call. A piece may end within a character.
  /// - Throws: The error that `sink` throws, after which it isn't called again.
  /// - Complexity: O(size of the value) in time and O(depth of the value) in memory.
  package func writeCanonical<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    var chunk = CanonicalChunk(capacity: min(canonicalByteCount, Self.canonicalChunkByteCountMax))
    try chunk.write(self, sink)
    try chunk.flush(sink)
  }

  /// Appends the bytes of ``canonicalText``.
  ///
  /// - Complexity: O(size of the value).
  package func writeCanonical(into bytes: inout [UInt8]) {
    // An array that grows doubles, unless it is told to hold just what comes next.
    let count = storedByteCount
    if bytes.capacity - bytes.count < count {
      bytes.reserveCapacity(max(bytes.count + count, 2 * bytes.capacity))
    }
    writeCanonical { (piece) throws(Never) in bytes.append(contentsOf: piece) }
  }

  /// Appends the bytes of ``canonicalText``.
  ///
  /// - Complexity: O(size of the value).
  package func writeCanonical(into text: inout TextBytes) {
    switch self {
    case .int(let integer): CanonicalText.write(integer, into: &text)
    case .string(let string): CanonicalText.write(string, into: &text)
    default:
      var chunk = CanonicalChunk(continuing: text)
      chunk.write(self) { (_: UnsafeRawBufferPointer) throws(Never) in }
      text = chunk.end()
    }
  }
}

/// The bytes of a canonical text that have been written but not passed on.
struct CanonicalChunk: ~Copyable {
  private var bytes: TextBytes
  private let byteCountMax: Int

  /// Reserves memory for a number of bytes.
  init(capacity: Int) {
    byteCountMax = Value.canonicalChunkByteCountMax
    bytes = TextBytes(capacity: capacity)
  }

  /// Takes the bytes of a text until ``end()``, and passes none on.
  init(continuing text: consuming TextBytes) {
    byteCountMax = .max
    bytes = text
  }

  /// Gives the bytes back.
  consuming func end() -> TextBytes { bytes }

  mutating func flush<E: Error>(
    _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    guard bytes.count > 0 else { return }
    try sink(UnsafeRawBufferPointer(bytes.bytes))
    bytes.removeBytes(from: 0)
  }

  mutating func write<E: Error>(
    _ value: Value, _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    try makeRoom(for: CanonicalText.numberByteCountMax, sink)
    switch value {
    case .null: bytes.append("null")
    case .bool(true): bytes.append("true")
    case .bool(false): bytes.append("false")
    case .int(let integer): CanonicalText.write(integer, into: &bytes)
    case .double(let double): CanonicalText.write(double, into: &bytes)
    case .string(let text): try write(text, sink)
    case .list(let list): try writeItems(of: list.node, "[", "]", sink)
    case .map(let map): try writeItems(of: map.node, "{", "}", sink)
    }
  }

  private mutating func writeItems<E: Error>(
    of node: Node?, _ open: Unicode.Scalar, _ close: Unicode.Scalar,
    _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    try append(open, sink)
    if let node { try writeItems(of: node, isFirst: true, sink) }
    try append(close, sink)
  }

  /// Writes the items below a node, with a comma before each but the first of a list or map.
  private mutating func writeItems<E: Error>(
    of node: Node, isFirst: Bool, _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    for slot in 0..<node.slotCount {
      let isFirst = isFirst && slot == 0
      if node.height > 0 {
        try writeItems(of: node.child(slot), isFirst: isFirst, sink)
        continue
      }
      if !isFirst { try append(",", sink) }
      if let keys = node.keys {
        try write(keys, slot, sink)
        try append(":", sink)
      }
      try write(node.values[slot], sink)
    }
  }

  private mutating func write<E: Error>(
    _ keys: KeyBlock, _ slot: Int, _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    try makeRoom(for: CanonicalText.escapeByteCountMax * (Text.smallCountMax + 3), sink)
    if let (high, low) = keys.plainText(at: slot) {
      return CanonicalText.write(plain: high, low, into: &bytes)
    }
    switch keys.key(at: slot) {
    case .string(let text) where text.utf8Count > Text.smallCountMax:
      try write(text, isKey: true, sink)
    case let key: CanonicalText.write(key, into: &bytes)
    }
  }

  /// Writes a text in quotes, in parts that are sure to fit.
  private mutating func write<E: Error>(
    _ text: Text, isKey: Bool = false, _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    try append("\"", sink)
    if isKey, text.withUTF8({ BracketedKey.matches($0) }) { try append("[", sink) }
    let partMax = Value.canonicalChunkByteCountMax / CanonicalText.escapeByteCountMax
    let count = text.utf8Count
    var offset = 0
    while offset < count {
      let end = min(offset + partMax, count)
      try makeRoom(for: (end - offset) * CanonicalText.escapeByteCountMax, sink)
      text.withUTF8 {
        CanonicalText.writeEscaped(UnsafeBufferPointer(rebasing: $0[offset..<end]), into: &bytes)
      }
      offset = end
    }
    try append("\"", sink)
  }

  private mutating func append<E: Error>(
    _ sign: Unicode.Scalar, _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    try makeRoom(for: 1, sink)
    bytes.append(UInt8(ascii: sign))
  }

  /// Passes the bytes on if the piece has no room for the given number of bytes.
  private mutating func makeRoom<E: Error>(
    for count: Int, _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    if bytes.count > byteCountMax - count { try flush(sink) }
  }
}
