package import MoonValues

/// Makes values of what a program encodes, without a text in between.
///
/// Structures become maps, whose keys are the names of the fields, and sequences become lists. A
/// missing optional is left out of a map. Dates are seconds since 1970, data is text in Base64, and
/// a ``Value``, a ``Map``, a ``List`` and a ``Text`` are themselves, whatever their size, at no
/// cost.
package struct ValueEncoder: Sendable {
  /// The maximum number of parts of what is encoded; a ``Value`` in it counts as one.
  package static let partCountMax = 1_000_000
  /// The maximum nesting of types' functions, which call each other.
  static let callDepthMax = 2 * Value.depthMax

  /// Makes an encoder.
  package init() {}

  /// Returns the value of what is given.
  ///
  /// - Complexity: O(parts).
  /// - Throws: ``ValueCodingError`` with the path of what can't be encoded.
  package func encode<T: Encodable>(_ encoded: T) throws(ValueCodingError) -> Value {
    let encoder = NodeEncoder()
    let value: Value
    do {
      value = try encoder.value(of: encoded)
    } catch {
      throw ValueCodingError(reading: error, at: Path())
    }
    if value.depth > Value.depthMax { throw .tooDeep(Path(), max: Value.depthMax) }
    return value
  }
}

/// The value that a type's function is encoding, as far as it has come.
final class EncodedNode {
  /// A part of the value, which may be incomplete until the whole is.
  enum Part {
    case value(Value)
    case node(EncodedNode)

    var value: Value {
      switch self {
      case .value(let value): value
      case .node(let node): node.value
      }
    }
  }

  private enum Form {
    case nothing, scalar, map, list
  }

  private var form = Form.nothing
  private var scalar = Value.null
  private var entries: [(Key, Part)] = []
  private var elements: [Part] = []

  /// The value so far; an empty map if nothing was encoded.
  var value: Value {
    switch form {
    case .nothing: .map(Map())
    case .scalar: scalar
    case .map: .map(Map(entries.map { ($0.0, $0.1.value) }))
    case .list: .list(List(elements.map(\.value)))
    }
  }

  var elementCount: Int { elements.count }

  func becomeMap() { if form == .nothing { form = .map } }
  func becomeList() { if form == .nothing { form = .list } }

  func set(_ value: Value) {
    form = .scalar
    scalar = value
  }

  func add(_ part: Part, under key: Key) { entries.append((key, part)) }
  func append(_ part: Part) { elements.append(part) }
}

/// The encoder that a type's function gets.
final class NodeEncoder: Encoder {
  /// What is counted for all encoders of one value.
  private final class Count {
    var parts = 0
  }

  let node = EncodedNode()
  private let parent: NodeEncoder?
  private let key: (any CodingKey)?
  private let depth: Int
  private let count: Count

  init() {
    parent = nil
    key = nil
    depth = 0
    count = Count()
  }

  init(in parent: NodeEncoder, under key: (any CodingKey)?) {
    self.parent = parent
    self.key = key
    depth = parent.depth + 1
    count = parent.count
  }

  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    var place: NodeEncoder? = self
    while let encoder = place {
      if let key = encoder.key { keys.append(key) }
      place = encoder.parent
    }
    return keys.reversed()
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func path(to key: (any CodingKey)? = nil) -> Path {
    Path((codingPath + [key].compactMap(\.self)).map(Path.Component.init))
  }

  func container<K: CodingKey>(keyedBy type: K.Type) -> KeyedEncodingContainer<K> {
    node.becomeMap()
    return KeyedEncodingContainer(FieldsEncoding<K>(encoder: self, node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeList()
    return ElementsEncoding(encoder: self, node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ScalarEncoding(encoder: self)
  }

  /// Counts a part.
  func take(_ value: Value) throws -> Value {
    count.parts += 1
    guard count.parts <= ValueEncoder.partCountMax else {
      throw ValueCodingError.tooManyParts(max: ValueEncoder.partCountMax)
    }
    return value
  }

  func integer(_ integer: some BinaryInteger, under key: (any CodingKey)? = nil) throws -> Value {
    guard let exact = Int64(exactly: integer) else {
      throw ValueCodingError.outOfRange(
        path(to: key), expected: "a 64-bit integer", found: "\(integer)")
    }
    return try take(.int(exact))
  }

  func number(_ number: Double, under key: (any CodingKey)? = nil) throws -> Value {
    guard !number.isNaN else { throw ValueCodingError.notANumber(path(to: key)) }
    return try take(.double(number))
  }

  func text(_ text: String) throws -> Value { try take(.string(Text(text))) }

  /// Returns the value of something that encodes itself.
  func value<T: Encodable>(of encoded: T, under key: (any CodingKey)? = nil) throws -> Value {
    if let plain = PlainCoding.value(of: encoded) {
      if case .double(let number) = plain { return try self.number(number, under: key) }
      return try take(plain)
    }
    if let foreign = PlainCoding.foreignKeys(of: T.self) {
      throw ValueCodingError.keysNotText(path(to: key), found: foreign)
    }
    guard depth < ValueEncoder.callDepthMax else {
      throw ValueCodingError.tooDeep(path(to: key), max: Value.depthMax)
    }
    let encoder = NodeEncoder(in: self, under: key)
    try encoded.encode(to: encoder)
    return try take(encoder.node.value)
  }
}

/// Encodes the fields of a structure.
private struct FieldsEncoding<K: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: NodeEncoder
  let node: EncodedNode
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func add(_ value: Value, _ key: K) {
    node.add(.value(value), under: .string(Text(key.stringValue)))
  }

  // An optional that is explicitly nil is left out, as a missing one is.
  func encodeNil(forKey key: K) throws {}
  func encode(_ value: Bool, forKey key: K) throws { add(try encoder.take(.bool(value)), key) }
  func encode(_ value: String, forKey key: K) throws { add(try encoder.text(value), key) }
  func encode(_ value: Double, forKey key: K) throws {
    add(try encoder.number(value, under: key), key)
  }
  func encode(_ value: Float, forKey key: K) throws {
    add(try encoder.number(Double(value), under: key), key)
  }
  func encode(_ value: Int, forKey key: K) throws { try encodeInteger(value, key) }
  func encode(_ value: Int8, forKey key: K) throws { try encodeInteger(value, key) }
  func encode(_ value: Int16, forKey key: K) throws { try encodeInteger(value, key) }
  func encode(_ value: Int32, forKey key: K) throws { try encodeInteger(value, key) }
  func encode(_ value: Int64, forKey key: K) throws { try encodeInteger(value, key) }
  func encode(_ value: UInt, forKey key: K) throws { try encodeInteger(value, key) }
  func encode(_ value: UInt8, forKey key: K) throws { try encodeInteger(value, key) }
  func encode(_ value: UInt16, forKey key: K) throws { try encodeInteger(value, key) }
  func encode(_ value: UInt32, forKey key: K) throws { try encodeInteger(value, key) }
  func encode(_ value: UInt64, forKey key: K) throws { try encodeInteger(value, key) }
  func encode<T: Encodable>(_ value: T, forKey key: K) throws {
    add(try encoder.value(of: value, under: key), key)
  }

  private func encodeInteger(_ value: some BinaryInteger, _ key: K) throws {
    add(try encoder.integer(value, under: key), key)
  }

  func nestedContainer<N: CodingKey>(
    keyedBy type: N.Type, forKey key: K
  ) -> KeyedEncodingContainer<N> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: K) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested(SuperKey()) }
  func superEncoder(forKey key: K) -> any Encoder { nested(key) }

  private func nested(_ key: any CodingKey) -> NodeEncoder {
    let inner = NodeEncoder(in: encoder, under: key)
    node.add(.node(inner.node), under: .string(Text(key.stringValue)))
    return inner
  }
}

/// Encodes the elements of a list.
private struct ElementsEncoding: UnkeyedEncodingContainer {
  let encoder: NodeEncoder
  let node: EncodedNode
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { node.elementCount }
  private var key: PositionKey { PositionKey(count) }

  func encodeNil() throws { node.append(.value(try encoder.take(.null))) }
  func encode(_ value: Bool) throws { node.append(.value(try encoder.take(.bool(value)))) }
  func encode(_ value: String) throws { node.append(.value(try encoder.text(value))) }
  func encode(_ value: Double) throws {
    node.append(.value(try encoder.number(value, under: key)))
  }
  func encode(_ value: Float) throws { try encode(Double(value)) }
  func encode(_ value: Int) throws { try encodeInteger(value) }
  func encode(_ value: Int8) throws { try encodeInteger(value) }
  func encode(_ value: Int16) throws { try encodeInteger(value) }
  func encode(_ value: Int32) throws { try encodeInteger(value) }
  func encode(_ value: Int64) throws { try encodeInteger(value) }
  func encode(_ value: UInt) throws { try encodeInteger(value) }
  func encode(_ value: UInt8) throws { try encodeInteger(value) }
  func encode(_ value: UInt16) throws { try encodeInteger(value) }
  func encode(_ value: UInt32) throws { try encodeInteger(value) }
  func encode(_ value: UInt64) throws { try encodeInteger(value) }
  func encode<T: Encodable>(_ value: T) throws {
    node.append(.value(try encoder.value(of: value, under: key)))
  }

  private func encodeInteger(_ value: some BinaryInteger) throws {
    node.append(.value(try encoder.integer(value, under: key)))
  }

  func nestedContainer<N: CodingKey>(keyedBy type: N.Type) -> KeyedEncodingContainer<N> {
    nested().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }

  private func nested() -> NodeEncoder {
    let inner = NodeEncoder(in: encoder, under: key)
    node.append(.node(inner.node))
    return inner
  }
}

/// Encodes a value that is a single one.
private struct ScalarEncoding: SingleValueEncodingContainer {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() throws { encoder.node.set(try encoder.take(.null)) }
  func encode(_ value: Bool) throws { encoder.node.set(try encoder.take(.bool(value))) }
  func encode(_ value: String) throws { encoder.node.set(try encoder.text(value)) }
  func encode(_ value: Double) throws { encoder.node.set(try encoder.number(value)) }
  func encode(_ value: Float) throws { encoder.node.set(try encoder.number(Double(value))) }
  func encode(_ value: Int) throws { encoder.node.set(try encoder.integer(value)) }
  func encode(_ value: Int8) throws { encoder.node.set(try encoder.integer(value)) }
  func encode(_ value: Int16) throws { encoder.node.set(try encoder.integer(value)) }
  func encode(_ value: Int32) throws { encoder.node.set(try encoder.integer(value)) }
  func encode(_ value: Int64) throws { encoder.node.set(try encoder.integer(value)) }
  func encode(_ value: UInt) throws { encoder.node.set(try encoder.integer(value)) }
  func encode(_ value: UInt8) throws { encoder.node.set(try encoder.integer(value)) }
  func encode(_ value: UInt16) throws { encoder.node.set(try encoder.integer(value)) }
  func encode(_ value: UInt32) throws { encoder.node.set(try encoder.integer(value)) }
  func encode(_ value: UInt64) throws { encoder.node.set(try encoder.integer(value)) }
  func encode<T: Encodable>(_ value: T) throws {
    encoder.node.set(try encoder.value(of: value, under: nil))
  }
}
