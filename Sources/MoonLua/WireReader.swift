import CMoonLua
import MoonValues

/// Decodes flat bytes in the format of `moon_tag`.
///
/// The encoder in C guarantees that they are well-formed and nested no deeper than
/// ``Value/depthMax``.
struct WireReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// The machine whose drafts may be within values.
  ///
  /// A function in its place would be an allocation for each call.
  let machine: Machine

  init(_ bytes: UnsafeRawBufferPointer, of machine: Machine) {
    self.bytes = bytes
    self.machine = machine
  }

  init(_ buffer: moon_buffer, of machine: Machine) {
    self.init(UnsafeRawBufferPointer(start: buffer.bytes, count: buffer.length), of: machine)
  }

  var isAtEnd: Bool { offset >= bytes.count }

  /// The index of the next value, if that is a draft.
  mutating func takeDraft() -> UInt32? {
    guard !isAtEnd, bytes[offset] == UInt8(MOON_DRAFT.rawValue) else { return nil }
    offset += 1
    // With the type inferred from the result, `take` would read an optional, of one byte more.
    let index: UInt32 = take()
    return index
  }

  /// The next value; nil for nil in Lua.
  mutating func takeValue() -> Value? {
    switch takeTag() {
    case MOON_FALSE: return .bool(false)
    case MOON_TRUE: return .bool(true)
    case MOON_INTEGER: return .int(take())
    case MOON_NUMBER: return .double(take())
    case MOON_TEXT: return .string(takeText())
    case MOON_NULL: return .null
    case MOON_DRAFT: return machine.drafts.folded(take())
    case MOON_LIST:
      let count = Int(take() as UInt32)
      var elements = ContiguousArray<Value>()
      elements.reserveCapacity(count)
      for _ in 0..<count { elements.append(takeValue() ?? .null) }
      return .list(List(elements))
    case MOON_MAP:
      let count = Int(take() as UInt32)
      var entries: [(Key, Value)] = []
      entries.reserveCapacity(count)
      for _ in 0..<count {
        guard let key = takeKey(), let value = takeValue() else { continue }
        entries.append((key, value))
      }
      return .map(Map(entries))
    default: return nil
    }
  }

  /// The next value, including functions and mixed tables; nil for nil in Lua.
  mutating func takeForm() -> Form? {
    guard !isAtEnd else { return nil }
    switch moon_tag(UInt32(bytes[offset])) {
    case MOON_FUNCTION:
      offset += 1
      let reference: Int32 = take()
      let line: UInt32 = take()
      let parameters: UInt8 = take()
      let isVariadic: UInt8 = take()
      _ = takeTag()
      let place = SourcePlace(file: takeText().string, line: Int(line))
      return .function(
        LuaFunction(
          reference: reference, place: place, parameterCount: Int(parameters),
          isVariadic: isVariadic != 0))
    case MOON_OPAQUE:
      offset += 1
      return .opaque(takeText().string)
    case MOON_LIST:
      offset += 1
      let count = Int(take() as UInt32)
      let forms = (0..<count).map { _ in takeForm() ?? .value(.null) }
      let values = forms.compactMap(\.plainValue)
      if values.count == count { return .value(.list(List(values))) }
      return .table(
        forms.enumerated().map { Form.Entry(key: .value(.int(Int64($0 + 1))), value: $1) })
    case MOON_MAP, MOON_FORM:
      let isMixed = bytes[offset] == UInt8(MOON_FORM.rawValue)
      offset += 1
      let count = Int(take() as UInt32)
      var entries: [Form.Entry] = []
      for _ in 0..<count {
        guard let key = takeForm(), let value = takeForm() else { continue }
        entries.append(Form.Entry(key: key, value: value))
      }
      return Self.table(entries, isMixed: isMixed)
    case MOON_NIL:
      offset += 1
      return .opaque("nil")
    default:
      return takeValue().map { .value($0) }
    }
  }

  private static func table(_ entries: [Form.Entry], isMixed: Bool) -> Form {
    var pairs: [(Key, Value)] = []
    for entry in entries {
      guard !isMixed, let key = entry.key.plainKey, let value = entry.value.plainValue else {
        return .table(
          entries.sorted { ($0.key.plainKey ?? .int(.min)) < ($1.key.plainKey ?? .int(.min)) })
      }
      pairs.append((key, value))
    }
    return .value(.map(Map(pairs)))
  }

  private mutating func takeTag() -> moon_tag {
    guard !isAtEnd else { return MOON_NIL }
    defer { offset += 1 }
    return moon_tag(UInt32(bytes[offset]))
  }

  private mutating func take<T: BitwiseCopyable>() -> T {
    defer { offset += MemoryLayout<T>.size }
    return bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
  }

  private mutating func takeText() -> Text {
    let count = Int(take() as UInt32)
    defer { offset += count }
    return bytes[offset..<offset + count].withMemoryRebound(to: UInt8.self) {
      Text(validUTF8: $0)
    }
  }

  private mutating func takeKey() -> Key? {
    switch takeValue() {
    case .int(let integer): .int(integer)
    case .string(let text): .string(text)
    default: nil
    }
  }
}

extension Form {
  fileprivate var plainValue: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  fileprivate var plainKey: Key? {
    switch plainValue {
    case .int(let integer): .int(integer)
    case .string(let text): .string(text)
    default: nil
    }
  }
}
