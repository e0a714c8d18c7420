package import MoonValues

/// Makes a program's types of values, without a text in between; the counterpart of
/// ``ValueEncoder``.
///
/// Integers that a floating-point type can hold exactly are numbers, too, and so are whole numbers
/// integers, since scripts write both. Fields that a type doesn't ask for are ignored.
package struct ValueDecoder: Sendable {
  /// Makes a decoder.
  package init() {}

  /// Returns what a value stands for.
  ///
  /// - Complexity: O(parts).
  /// - Throws: ``ValueCodingError`` with the path of what doesn't fit.
  package func decode<T: Decodable>(
    _ type: T.Type = T.self, from value: Value
  ) throws(ValueCodingError) -> T {
    do {
      return try PlacedDecoder(value).decode(type)
    } catch {
      throw ValueCodingError(reading: error, at: Path())
    }
  }
}

/// The decoder that a type's initializer gets: a value with its place.
final class PlacedDecoder: Decoder {
  let value: Value
  private let parent: PlacedDecoder?
  private let key: (any CodingKey)?
  private let depth: Int

  init(_ value: Value) {
    self.value = value
    parent = nil
    key = nil
    depth = 0
  }

  init(_ value: Value, in parent: PlacedDecoder, under key: (any CodingKey)?) {
    self.value = value
    self.parent = parent
    self.key = key
    depth = parent.depth + 1
  }

  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    var place: PlacedDecoder? = self
    while let decoder = place {
      if let key = decoder.key { keys.append(key) }
      place = decoder.parent
    }
    return keys.reversed()
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func path(to key: (any CodingKey)? = nil) -> Path {
    Path((codingPath + [key].compactMap(\.self)).map(Path.Component.init))
  }

  func container<K: CodingKey>(keyedBy type: K.Type) throws -> KeyedDecodingContainer<K> {
    guard let map = value.asMap else { throw wrongType("a map", value) }
    return KeyedDecodingContainer(FieldsDecoding<K>(decoder: self, map: map))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let list = value.asList else { throw wrongType("a list", value) }
    return ElementsDecoding(decoder: self, list: list)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { ScalarDecoding(decoder: self) }

  /// Decodes the value of this place.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let plain = try PlainCoding.decode(type, from: value, at: { path() }) { return plain }
    if let foreign = PlainCoding.foreignKeys(of: type) {
      throw ValueCodingError.keysNotText(path(), found: foreign).decodingError
    }
    guard depth < ValueEncoder.callDepthMax else {
      throw ValueCodingError.tooDeep(path(), max: Value.depthMax).decodingError
    }
    do {
      return try T(from: self)
    } catch {
      // An error of the type's own says nothing about the place.
      if error is DecodingError || error is ValueCodingError { throw error }
      throw ValueCodingError.refused(path(), reason: "\(error)").decodingError
    }
  }

  // MARK: Scalars

  func wrongType(
    _ expected: String, _ found: Value, under key: (any CodingKey)? = nil
  ) -> DecodingError {
    ValueCodingError.wrongType(path(to: key), expected: expected, found: found.kind).decodingError
  }

  func bool(_ value: Value, under key: (any CodingKey)? = nil) throws -> Bool {
    guard case .bool(let bool) = value else { throw wrongType("a boolean", value, under: key) }
    return bool
  }

  func string(_ value: Value, under key: (any CodingKey)? = nil) throws -> String {
    guard case .string(let text) = value else { throw wrongType("a string", value, under: key) }
    return text.string
  }

  func double(_ value: Value, under key: (any CodingKey)? = nil) throws -> Double {
    switch value {
    case .double(let number): return number
    case .int(let integer):
      if let number = Double(exactly: integer) { return number }
      throw outOfRange("a number", value, key)
    default: throw wrongType("a number", value, under: key)
    }
  }

  /// Returns the nearest number; one that is too large doesn't fit.
  func float(_ value: Value, under key: (any CodingKey)? = nil) throws -> Float {
    let number = try double(value, under: key)
    let float = Float(number)
    guard float.isFinite || !number.isFinite else { throw outOfRange("a Float", value, key) }
    return float
  }

  func integer<I: FixedWidthInteger>(
    _ value: Value, under key: (any CodingKey)? = nil
  ) throws -> I {
    let exact: I?
    switch value {
    case .int(let integer): exact = I(exactly: integer)
    case .double(let number): exact = I(exactly: number)
    default: throw wrongType("an integer", value, under: key)
    }
    guard let exact else { throw outOfRange("\(I.self)", value, key) }
    return exact
  }

  private func outOfRange(
    _ expected: String, _ value: Value, _ key: (any CodingKey)?
  ) -> DecodingError {
    ValueCodingError.outOfRange(path(to: key), expected: expected, found: value.canonicalText)
      .decodingError
  }
}

/// Decodes the fields of a structure.
private struct FieldsDecoding<K: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: PlacedDecoder
  let map: Map
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [K] { map.keys.compactMap { K(stringValue: $0.description) } }

  private func value(_ key: K) -> Value? { map[.string(Text(key.stringValue))] }

  private func required(_ key: K, _ expected: @autoclosure () -> String) throws -> Value {
    guard let value = value(key) else {
      throw ValueCodingError.missing(decoder.path(to: key), expected: expected()).decodingError
    }
    return value
  }

  func contains(_ key: K) -> Bool { value(key) != nil }
  func decodeNil(forKey key: K) throws -> Bool { value(key) ?? .null == .null }

  func decode(_ type: Bool.Type, forKey key: K) throws -> Bool {
    try decoder.bool(try required(key, "a boolean"), under: key)
  }
  func decode(_ type: String.Type, forKey key: K) throws -> String {
    try decoder.string(try required(key, "a string"), under: key)
  }
  func decode(_ type: Double.Type, forKey key: K) throws -> Double {
    try decoder.double(try required(key, "a number"), under: key)
  }
  func decode(_ type: Float.Type, forKey key: K) throws -> Float {
    try decoder.float(try required(key, "a number"), under: key)
  }
  func decode(_ type: Int.Type, forKey key: K) throws -> Int { try integer(key) }
  func decode(_ type: Int8.Type, forKey key: K) throws -> Int8 { try integer(key) }
  func decode(_ type: Int16.Type, forKey key: K) throws -> Int16 { try integer(key) }
  func decode(_ type: Int32.Type, forKey key: K) throws -> Int32 { try integer(key) }
  func decode(_ type: Int64.Type, forKey key: K) throws -> Int64 { try integer(key) }
  func decode(_ type: UInt.Type, forKey key: K) throws -> UInt { try integer(key) }
  func decode(_ type: UInt8.Type, forKey key: K) throws -> UInt8 { try integer(key) }
  func decode(_ type: UInt16.Type, forKey key: K) throws -> UInt16 { try integer(key) }
  func decode(_ type: UInt32.Type, forKey key: K) throws -> UInt32 { try integer(key) }
  func decode(_ type: UInt64.Type, forKey key: K) throws -> UInt64 { try integer(key) }
  func decode<T: Decodable>(_ type: T.Type, forKey key: K) throws -> T {
    try inner(key, expected: PlainCoding.phrase(of: type)).decode(type)
  }

  private func integer<I: FixedWidthInteger>(_ key: K) throws -> I {
    try decoder.integer(try required(key, "an integer"), under: key)
  }

  private func inner(_ key: K, expected: @autoclosure () -> String) throws -> PlacedDecoder {
    PlacedDecoder(try required(key, expected()), in: decoder, under: key)
  }

  func nestedContainer<N: CodingKey>(
    keyedBy type: N.Type, forKey key: K
  ) throws -> KeyedDecodingContainer<N> {
    try inner(key, expected: "a map").container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: K) throws -> any UnkeyedDecodingContainer {
    try inner(key, expected: "a list").unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    PlacedDecoder(map["super"] ?? .null, in: decoder, under: SuperKey())
  }

  func superDecoder(forKey key: K) throws -> any Decoder {
    PlacedDecoder(value(key) ?? .null, in: decoder, under: key)
  }
}

/// Decodes the elements of a list.
private struct ElementsDecoding: UnkeyedDecodingContainer {
  let decoder: PlacedDecoder
  let list: List
  private(set) var currentIndex = 0

  init(decoder: PlacedDecoder, list: List) {
    self.decoder = decoder
    self.list = list
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { list.count }
  var isAtEnd: Bool { currentIndex >= list.count }

  /// Returns what `read` makes of the next element, which is skipped if it succeeds.
  private mutating func next<T>(
    _ expected: @autoclosure () -> String, _ read: (PlacedDecoder, Value, PositionKey) throws -> T
  ) throws -> T {
    let key = PositionKey(currentIndex)
    guard !isAtEnd else {
      throw ValueCodingError.missing(decoder.path(to: key), expected: expected()).decodingError
    }
    let made = try read(decoder, list[currentIndex], key)
    currentIndex += 1
    return made
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, list[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try next("a boolean") { try $0.bool($1, under: $2) }
  }
  mutating func decode(_ type: String.Type) throws -> String {
    try next("a string") { try $0.string($1, under: $2) }
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    try next("a number") { try $0.double($1, under: $2) }
  }
  mutating func decode(_ type: Float.Type) throws -> Float {
    try next("a number") { try $0.float($1, under: $2) }
  }
  mutating func decode(_ type: Int.Type) throws -> Int { try integer() }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try next(PlainCoding.phrase(of: type)) { try PlacedDecoder($1, in: $0, under: $2).decode(type) }
  }

  private mutating func integer<I: FixedWidthInteger>() throws -> I {
    try next("an integer") { try $0.integer($1, under: $2) }
  }

  mutating func nestedContainer<N: CodingKey>(
    keyedBy type: N.Type
  ) throws -> KeyedDecodingContainer<N> {
    try next("a map") {
      try PlacedDecoder($1, in: $0, under: $2).container(keyedBy: type)
    }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next("a list") { try PlacedDecoder($1, in: $0, under: $2).unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next("anything") { PlacedDecoder($1, in: $0, under: $2) }
  }
}

/// Decodes a value that is a single one.
private struct ScalarDecoding: SingleValueDecodingContainer {
  let decoder: PlacedDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool(decoder.value) }
  func decode(_ type: String.Type) throws -> String { try decoder.string(decoder.value) }
  func decode(_ type: Double.Type) throws -> Double { try decoder.double(decoder.value) }
  func decode(_ type: Float.Type) throws -> Float { try decoder.float(decoder.value) }
  func decode(_ type: Int.Type) throws -> Int { try decoder.integer(decoder.value) }
  func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(decoder.value) }
  func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(decoder.value) }
  func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(decoder.value) }
  func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(decoder.value) }
  func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(decoder.value) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(decoder.value) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(decoder.value) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(decoder.value) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(decoder.value) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try PlacedDecoder(decoder.value, in: decoder, under: nil).decode(type)
  }
}
