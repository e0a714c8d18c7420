package import MoonActions
import MoonValues

extension PayloadSchema {
  /// Makes the schema of the fields that a type decodes; nil if it isn't a structure, or if its
  /// fields can't be found out.
  ///
  /// It asks the type to decode a value, and notes what the type asks for. An enumeration within
  /// it needs to be `CaseIterable`, or be optional, since nothing else makes a value of it.
  package init?(of type: any Decodable.Type) {
    guard let fields = SchemaQuestions(within: []).ask(type).type.soleRecord else { return nil }
    self = fields
  }

  /// Makes the schema of the values of a case; nil if the type isn't an enumeration with that case.
  init?<T: Decodable>(ofCase name: String, of type: T.Type) {
    let decoder = SchemaDecoder(within: [ObjectIdentifier(type)], case: name)
    guard (try? T(from: decoder)) != nil,
      let fields = decoder.notes.type(isComplete: true).soleRecord
    else { return nil }
    self = fields
  }
}

extension PayloadSchema.FieldType {
  /// The fields, if the type is a structure.
  var soleRecord: PayloadSchema? {
    if alternatives.count == 1, case .record(let schema) = alternatives[0] { schema } else { nil }
  }

  fileprivate init(_ kind: Kind) { self.init([.kind(kind)]) }
}

/// What is found out about a type that isn't known: what it asks a decoder for.
private struct SchemaQuestions {
  /// The types that ask for this one.
  let outer: [ObjectIdentifier]

  init(within outer: [ObjectIdentifier]) { self.outer = outer }

  /// Returns the type of the fields that hold a type, and a value of it; nil if there is none.
  func ask<T: Decodable>(_ type: T.Type) -> (type: PayloadSchema.FieldType, value: T?) {
    if let kind = PlainCoding.fieldKind(of: type) {
      return (PayloadSchema.FieldType(kind), PlainCoding.example(of: type))
    }
    guard !outer.contains(ObjectIdentifier(type)) else {
      return (PayloadSchema.FieldType(.any), nil)
    }
    if let cases = Cases.all(of: type), let value = cases.first as? T {
      return (cases.type, value)
    }
    let decoder = SchemaDecoder(within: outer + [ObjectIdentifier(type)])
    let value = try? T(from: decoder)
    if let optional = type as? any OptionalCoding.Type {
      return (ask(any: optional.wrappedType), value)
    }
    let inner = SchemaQuestions(within: decoder.outer)
    if let list = type as? any ElementsCoding.Type {
      return (PayloadSchema.FieldType([.list(of: inner.ask(any: list.elementType))]), value)
    }
    if let map = type as? any DictionaryCoding.Type, map.foreignKeys == nil {
      return (PayloadSchema.FieldType([.map(of: inner.ask(any: map.elementType))]), value)
    }
    return (decoder.notes.type(isComplete: value != nil), value)
  }

  private func ask(any type: Any.Type) -> PayloadSchema.FieldType {
    (type as? any Decodable.Type).map { ask($0).type } ?? PayloadSchema.FieldType(.any)
  }
}

/// The cases of an enumeration, as they are encoded.
private struct Cases {
  let first: Any
  let type: PayloadSchema.FieldType

  /// Returns the cases of a type; nil if it doesn't list them.
  static func all(of type: Any.Type) -> Cases? {
    guard let type = type as? any CaseIterable.Type else { return nil }
    return cases(of: type)
  }

  private static func cases<T: CaseIterable>(of type: T.Type) -> Cases? {
    guard let first = T.allCases.first else { return nil }
    let values = T.allCases.map {
      ($0 as? any Encodable).flatMap { try? ValueEncoder().encode($0) }
    }
    let words = values.compactMap { $0?.textValue }
    let field: PayloadSchema.FieldType
    if words.count == values.count {
      field = PayloadSchema.FieldType(words.map { .word($0) })
    } else if values.allSatisfy({ $0?.intValue != nil }) {
      field = PayloadSchema.FieldType(.integer)
    } else {
      field = PayloadSchema.FieldType(values.allSatisfy { $0?.mapValue != nil } ? .map : .any)
    }
    return Cases(first: first, type: field)
  }
}

/// The decoder of a value that doesn't exist: it notes what it is asked for.
private final class SchemaDecoder: Decoder {
  /// What a type has asked for.
  final class Notes {
    private var fields: [PayloadSchema.Field] = []
    private var single: PayloadSchema.FieldType?
    private var hasFields = false

    func noteRecord() { hasFields = true }

    func note(_ name: String, _ type: PayloadSchema.FieldType, isOptional: Bool = false) {
      fields.append(PayloadSchema.Field(name, type, isOptional: isOptional))
    }

    func note(single type: PayloadSchema.FieldType) { single = type }

    /// The type of the field; of a structure only that it is one, unless all fields are known.
    func type(isComplete: Bool) -> PayloadSchema.FieldType {
      if let single { return single }
      guard hasFields || isComplete else { return PayloadSchema.FieldType(.any) }
      return isComplete
        ? PayloadSchema.FieldType([.record(PayloadSchema(fields: fields))])
        : PayloadSchema.FieldType(.map)
    }
  }

  /// The reason that a type can't go on to its next field.
  struct Unknown: Error {}

  let outer: [ObjectIdentifier]
  let notes = Notes()
  /// The name of the case, if the type is an enumeration that is asked about one.
  let name: String?

  init(within outer: [ObjectIdentifier], case name: String? = nil) {
    self.outer = outer
    self.name = name
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<K: CodingKey>(keyedBy type: K.Type) -> KeyedDecodingContainer<K> {
    notes.noteRecord()
    return KeyedDecodingContainer(FieldQuestions<K>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    notes.note(single: PayloadSchema.FieldType(.list))
    return NoElements()
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleQuestion(decoder: self)
  }

  /// Asks a type, and returns a value of it with what is known.
  func ask<T: Decodable>(_ type: T.Type) -> (type: PayloadSchema.FieldType, value: T?) {
    SchemaQuestions(within: outer).ask(type)
  }
}

/// Notes the fields that a structure asks for.
private struct FieldQuestions<K: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SchemaDecoder
  var codingPath: [any CodingKey] { [] }
  /// The case that the type is asked about.
  var allKeys: [K] { [decoder.name.flatMap { K(stringValue: $0) }].compactMap(\.self) }

  private func note(_ key: K, _ kind: PayloadSchema.FieldType.Kind, isOptional: Bool = false) {
    decoder.notes.note(key.stringValue, PayloadSchema.FieldType(kind), isOptional: isOptional)
  }

  private func noteOptional<T>(
    _ key: K, _ kind: PayloadSchema.FieldType.Kind, _: T.Type
  ) -> T? {
    note(key, kind, isOptional: true)
    return nil
  }

  private func required<T>(_ key: K, _ kind: PayloadSchema.FieldType.Kind, _ value: T) -> T {
    note(key, kind)
    return value
  }

  func contains(_ key: K) -> Bool { true }
  func decodeNil(forKey key: K) throws -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type, forKey key: K) throws -> T {
    let (field, value) = decoder.ask(type)
    decoder.notes.note(key.stringValue, field, isOptional: type is any OptionalCoding.Type)
    guard let value else { throw SchemaDecoder.Unknown() }
    return value
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: K) throws -> T? {
    decoder.notes.note(key.stringValue, decoder.ask(type).type, isOptional: true)
    return nil
  }

  func decode(_ type: Bool.Type, forKey key: K) -> Bool { required(key, .boolean, false) }
  func decode(_ type: String.Type, forKey key: K) -> String { required(key, .string, "") }
  func decode(_ type: Double.Type, forKey key: K) -> Double { required(key, .number, 0) }
  func decode(_ type: Float.Type, forKey key: K) -> Float { required(key, .number, 0) }
  func decode(_ type: Int.Type, forKey key: K) -> Int { required(key, .integer, 0) }
  func decode(_ type: Int8.Type, forKey key: K) -> Int8 { required(key, .integer, 0) }
  func decode(_ type: Int16.Type, forKey key: K) -> Int16 { required(key, .integer, 0) }
  func decode(_ type: Int32.Type, forKey key: K) -> Int32 { required(key, .integer, 0) }
  func decode(_ type: Int64.Type, forKey key: K) -> Int64 { required(key, .integer, 0) }
  func decode(_ type: UInt.Type, forKey key: K) -> UInt { required(key, .integer, 0) }
  func decode(_ type: UInt8.Type, forKey key: K) -> UInt8 { required(key, .integer, 0) }
  func decode(_ type: UInt16.Type, forKey key: K) -> UInt16 { required(key, .integer, 0) }
  func decode(_ type: UInt32.Type, forKey key: K) -> UInt32 { required(key, .integer, 0) }
  func decode(_ type: UInt64.Type, forKey key: K) -> UInt64 { required(key, .integer, 0) }

  func decodeIfPresent(_ type: Bool.Type, forKey key: K) -> Bool? {
    noteOptional(key, .boolean, type)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: K) -> String? {
    noteOptional(key, .string, type)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: K) -> Double? {
    noteOptional(key, .number, type)
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: K) -> Float? {
    noteOptional(key, .number, type)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: K) -> Int? {
    noteOptional(key, .integer, type)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: K) -> Int8? {
    noteOptional(key, .integer, type)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: K) -> Int16? {
    noteOptional(key, .integer, type)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: K) -> Int32? {
    noteOptional(key, .integer, type)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: K) -> Int64? {
    noteOptional(key, .integer, type)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: K) -> UInt? {
    noteOptional(key, .integer, type)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: K) -> UInt8? {
    noteOptional(key, .integer, type)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: K) -> UInt16? {
    noteOptional(key, .integer, type)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: K) -> UInt32? {
    noteOptional(key, .integer, type)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: K) -> UInt64? {
    noteOptional(key, .integer, type)
  }

  func nestedContainer<N: CodingKey>(
    keyedBy type: N.Type, forKey key: K
  ) throws -> KeyedDecodingContainer<N> {
    // The values of the case.
    if key.stringValue == decoder.name { return decoder.container(keyedBy: type) }
    note(key, .map)
    return SchemaDecoder(within: decoder.outer).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: K) throws -> any UnkeyedDecodingContainer {
    note(key, .list)
    return NoElements()
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: K) throws -> any Decoder {
    note(key, .any)
    return SchemaDecoder(within: decoder.outer)
  }
}

/// Notes the single value that a type asks for.
private struct SingleQuestion: SingleValueDecodingContainer {
  let decoder: SchemaDecoder
  var codingPath: [any CodingKey] { [] }

  private func note<T>(_ kind: PayloadSchema.FieldType.Kind, _ value: T) -> T {
    decoder.notes.note(single: PayloadSchema.FieldType(kind))
    return value
  }

  func decodeNil() -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let (field, value) = decoder.ask(type)
    decoder.notes.note(single: field)
    guard let value else { throw SchemaDecoder.Unknown() }
    return value
  }

  func decode(_ type: Bool.Type) -> Bool { note(.boolean, false) }
  func decode(_ type: String.Type) -> String { note(.string, "") }
  func decode(_ type: Double.Type) -> Double { note(.number, 0) }
  func decode(_ type: Float.Type) -> Float { note(.number, 0) }
  func decode(_ type: Int.Type) -> Int { note(.integer, 0) }
  func decode(_ type: Int8.Type) -> Int8 { note(.integer, 0) }
  func decode(_ type: Int16.Type) -> Int16 { note(.integer, 0) }
  func decode(_ type: Int32.Type) -> Int32 { note(.integer, 0) }
  func decode(_ type: Int64.Type) -> Int64 { note(.integer, 0) }
  func decode(_ type: UInt.Type) -> UInt { note(.integer, 0) }
  func decode(_ type: UInt8.Type) -> UInt8 { note(.integer, 0) }
  func decode(_ type: UInt16.Type) -> UInt16 { note(.integer, 0) }
  func decode(_ type: UInt32.Type) -> UInt32 { note(.integer, 0) }
  func decode(_ type: UInt64.Type) -> UInt64 { note(.integer, 0) }
}

/// A list without elements.
private struct NoElements: UnkeyedDecodingContainer {
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  mutating func decodeNil() throws -> Bool { throw SchemaDecoder.Unknown() }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { throw SchemaDecoder.Unknown() }
  mutating func nestedContainer<N: CodingKey>(
    keyedBy type: N.Type
  ) throws -> KeyedDecodingContainer<N> { throw SchemaDecoder.Unknown() }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw SchemaDecoder.Unknown()
  }
  mutating func superDecoder() throws -> any Decoder { throw SchemaDecoder.Unknown() }
}
