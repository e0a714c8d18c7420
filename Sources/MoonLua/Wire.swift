import CMoonLua
import MoonValues

/// Encodes values as flat bytes, in the format of `moon_tag`.
struct WireWriter: ~Copyable {
  private(set) var buffer = moon_buffer()

  /// `owner` is the machine that its memory counts for.
  init(owner: OpaquePointer? = nil) {
    buffer.owner = owner
  }

  deinit {
    var buffer = buffer
    // The machine may be closed already.
    buffer.owner = nil
    moon_buffer_free(&buffer)
  }

  var bytes: UnsafePointer<UInt8>? { UnsafePointer(buffer.bytes) }
  var count: Int { buffer.length }

  /// Whether memory ran out and the bytes are incomplete.
  var hasFailed: Bool { buffer.failed }

  mutating func clear() {
    if buffer.capacity > Int(MOON_BUFFER_KEPT_MAX) { moon_buffer_free(&buffer) }
    moon_buffer_clear(&buffer)
  }

  mutating func write(_ value: Value) {
    value.write(to: &buffer)
  }

  mutating func write(_ data: HostData) {
    data.write(to: &buffer)
  }

  /// Appends the bytes of another writer from a position on.
  mutating func append(_ other: borrowing WireWriter, from start: Int = 0) {
    guard let bytes = other.bytes, !other.hasFailed else { return }
    moon_buffer_append(&buffer, bytes + start, other.count - start)
  }

  mutating func writeDraft(_ index: UInt32) {
    buffer.append(MOON_DRAFT, index)
  }

  mutating func writeFunction(_ reference: Int32) {
    buffer.append(MOON_FUNCTION, UInt32(bitPattern: reference))
  }

  mutating func writeContext() { append(MOON_CONTEXT, .empty) }
  mutating func writeNil() { append(MOON_NIL, .empty) }

  private mutating func append(_ tag: moon_tag, _ bytes: UnsafeRawBufferPointer) {
    buffer.append(tag, bytes)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate static var empty: Self { Self(start: nil, count: 0) }
}

extension moon_buffer {
  /// Sets `failed` if memory runs out; C raises the error.
  fileprivate mutating func append(_ tag: moon_tag, _ raw: UnsafeRawBufferPointer) {
    let size = raw.count + 1
    if capacity - length < size { moon_buffer_reserve(&self, size) }
    guard !failed, let bytes else { return }
    bytes[length] = UInt8(tag.rawValue)
    if let source = raw.baseAddress {
      UnsafeMutableRawPointer(bytes + length + 1).copyMemory(from: source, byteCount: raw.count)
    }
    length += size
  }

  fileprivate mutating func append<T: BitwiseCopyable>(_ tag: moon_tag, _ scalar: T) {
    let size = MemoryLayout<T>.size + 1
    if capacity - length < size { moon_buffer_reserve(&self, size) }
    guard !failed, let bytes else { return }
    bytes[length] = UInt8(tag.rawValue)
    UnsafeMutableRawPointer(bytes + length + 1).storeBytes(of: scalar, as: T.self)
    length += size
  }

  fileprivate mutating func append(_ text: Text) {
    if let packed = text.packed { return append(packed: packed.0, packed.1) }
    append(MOON_TEXT, UInt32(truncatingIfNeeded: text.utf8Count))
    text.withUTF8 { bytes in moon_buffer_append(&self, bytes.baseAddress, bytes.count) }
  }

  /// Appends a small text.
  ///
  /// Both words are stored whole; the length limits what is read.
  fileprivate mutating func append(packed high: UInt64, _ low: UInt64) {
    let count = Int(low & 0xFF)
    if capacity - length < 21 { moon_buffer_reserve(&self, 21) }
    guard !failed, let bytes else { return }
    let place = UnsafeMutableRawPointer(bytes + length)
    place.storeBytes(of: UInt8(MOON_TEXT.rawValue), as: UInt8.self)
    place.storeBytes(of: UInt32(truncatingIfNeeded: count), toByteOffset: 1, as: UInt32.self)
    place.storeBytes(of: high.bigEndian, toByteOffset: 5, as: UInt64.self)
    place.storeBytes(of: low.bigEndian, toByteOffset: 13, as: UInt64.self)
    length &+= 5 &+ count
  }
}

extension Value {
  /// Appends the value in the format of `moon_tag`.
  func write(to buffer: inout moon_buffer) {
    switch self {
    case .null: buffer.append(MOON_NULL, .empty)
    case .bool(let flag):
      buffer.append(flag ? MOON_TRUE : MOON_FALSE, .empty)
    case .int(let integer): buffer.append(MOON_INTEGER, integer)
    case .double(let number): buffer.append(MOON_NUMBER, number)
    case .string(let text): buffer.append(text)
    case .list(let list):
      buffer.append(MOON_LIST, UInt32(truncatingIfNeeded: list.count))
      list.forEachSlot { $0.pointee.write(to: &buffer) }
    case .map(let map):
      buffer.append(MOON_MAP, UInt32(truncatingIfNeeded: map.count))
      map.forEachSlot { key, slot in
        switch key {
        case .int(let integer): buffer.append(MOON_INTEGER, integer)
        case .small(let high, let low): buffer.append(packed: high, low)
        case .large(let text): buffer.append(text)
        }
        slot.pointee.write(to: &buffer)
      }
    }
  }
}

extension HostData {
  /// Appends the data in the format of `moon_tag`.
  func write(to buffer: inout moon_buffer) {
    switch self {
    case .value(let value): value.write(to: &buffer)
    case .bytes(let bytes):
      buffer.append(MOON_TEXT, UInt32(clamping: bytes.count))
      bytes.withUnsafeBytes { moon_buffer_append(&buffer, $0.baseAddress, $0.count) }
    case .list(let elements):
      buffer.append(MOON_LIST, UInt32(clamping: elements.count))
      for element in elements { element.write(to: &buffer) }
    case .fields(let fields):
      buffer.append(MOON_MAP, UInt32(clamping: fields.count))
      for field in fields {
        buffer.append(Text(field.name))
        field.content.write(to: &buffer)
      }
    }
  }
}
