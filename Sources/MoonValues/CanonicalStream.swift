extension Value {
  /// The maximum number of bytes that ``writeCanonical(to:)`` passes at once.
  public static let canonicalChunkByteCountMax = 64 << 10

  /// Writes ``canonicalText`` in pieces, so that it needn't fit in memory as a whole.
  ///
  /// - Parameter sink: Called with the next bytes, at most ``canonicalChunkByteCountMax`` of them,
  ///   which are valid only during the call. A piece may end within a character.
  /// - Throws: The error that `sink` throws, after which it isn't called again.
  /// - Complexity: O(size of the value) in time and O(depth of the value) in memory.
  public func writeCanonical<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    var chunk = CanonicalChunk(capacity: min(canonicalByteCount, Self.canonicalChunkByteCountMax))
    try chunk.write(self, sink)
    try chunk.flush(sink)
  }

  /// Appends the bytes of ``canonicalText``.
  ///
  /// - Complexity: O(size of the value).
  public func writeCanonical(into bytes: inout [UInt8]) {
    // Only what stores its size says it at once. An array that grows doubles, unless it is told to
    // hold just what comes next.
    let isStored = if case .map = self { true } else if case .list = self { true } else { false }
    let count = isStored ? canonicalByteCount : 0
    if bytes.capacity - bytes.count < count {
      bytes.reserveCapacity(max(bytes.count + count, 2 * bytes.capacity))
    }
    var chunk = CanonicalChunk(continuing: &bytes)
    chunk.write(self) { (_: UnsafeRawBufferPointer) throws(Never) in }
    chunk.end(&bytes)
  }
}

/// The bytes of a canonical text that have been written but not passed on.
struct CanonicalChunk {
  private var bytes: [UInt8] = []
  private let byteCountMax: Int

  /// Reserves memory for a number of bytes.
  init(capacity: Int) {
    byteCountMax = Value.canonicalChunkByteCountMax
    bytes.reserveCapacity(capacity)
  }

  /// Takes the bytes of an array until ``end(_:)``, and passes none on.
  init(continuing text: inout [UInt8]) {
    byteCountMax = .max
    swap(&bytes, &text)
  }

  /// Gives the bytes back.
  mutating func end(_ text: inout [UInt8]) { swap(&bytes, &text) }

  mutating func flush<E: Error>(
    _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    guard !bytes.isEmpty else { return }
    try bytes.withUnsafeBufferPointer { buffer throws(E) in
      try sink(UnsafeRawBufferPointer(buffer))
    }
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func write<E: Error>(
    _ value: Value, _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    try makeRoom(for: CanonicalText.numberByteCountMax, sink)
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(true): bytes.append(contentsOf: "true".utf8)
    case .bool(false): bytes.append(contentsOf: "false".utf8)
    case .int(let integer): CanonicalText.write(integer, into: &bytes)
    case .double(let double): CanonicalText.write(double, into: &bytes)
    case .string(let text): try write(text, sink)
    case .list(let list):
      try writeItems(list, "[", "]", sink) { chunk, value throws(E) in
        try chunk.write(value, sink)
      }
    case .map(let map):
      try writeItems(map, "{", "}", sink) { chunk, entry throws(E) in
        try chunk.write(entry.key, sink)
        try chunk.append(":", sink)
        try chunk.write(entry.value, sink)
      }
    }
  }

  private mutating func writeItems<E: Error, Items: Sequence>(
    _ items: Items, _ open: Unicode.Scalar, _ close: Unicode.Scalar,
    _ sink: (UnsafeRawBufferPointer) throws(E) -> Void,
    _ write: (inout CanonicalChunk, Items.Element) throws(E) -> Void
  ) throws(E) {
    try append(open, sink)
    var isFirst = true
    for item in items {
      if !isFirst { try append(",", sink) }
      isFirst = false
      try write(&self, item)
    }
    try append(close, sink)
  }

  private mutating func write<E: Error>(
    _ key: Key, _ sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    switch key {
    case .string(let text) where text.utf8Count > Text.smallCountMax:
      try write(text, isKey: true, sink)
    default:
      try makeRoom(for: CanonicalText.escapeByteCountMax * (Text.smallCountMax + 3), sink)
      CanonicalText.write(key, into: &bytes)
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
