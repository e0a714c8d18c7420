package import MoonValues

extension PayloadSchema {
  /// The type of a field.
  ///
  /// In text: `integer`, `string|integer`, `string[]`, `todo|done`, `{name = string, age =
  /// integer?}`, `{[string] = integer}`.
  public struct FieldType: Sendable, Equatable, CustomStringConvertible {
    /// A kind of value.
    package enum Kind: String, Sendable, CaseIterable {
      case any, boolean, integer, number, string, list, map
    }

    /// One of the alternatives.
    package enum Alternative: Sendable, Equatable {
      /// Any value of a kind.
      case kind(Kind)
      /// A text of an enumeration.
      case word(Text)
      /// A list of values of one type.
      case list(of: FieldType)
      /// A map from texts to values of one type.
      case map(of: FieldType)
      /// A map with certain fields.
      case record(PayloadSchema)
    }

    /// The alternatives, of which a value has one.
    package let alternatives: [Alternative]

    /// Makes a type of alternatives.
    package init(_ alternatives: [Alternative]) { self.alternatives = alternatives }

    /// The text it was read from, normalized.
    public var description: String {
      alternatives.map(\.description).joined(separator: "|")
    }
  }
}

extension PayloadSchema.FieldType {
  /// The only alternative, if there is one and it is a kind.
  var soleKind: Kind? {
    if alternatives.count == 1, case .kind(let kind) = alternatives[0] { kind } else { nil }
  }

  /// Whether all alternatives are texts of an enumeration.
  var isWords: Bool {
    alternatives.allSatisfy { if case .word = $0 { true } else { false } }
  }

  /// The type after "must be": `a string`, `"todo" or "done"`.
  var phrase: String {
    if isWords {
      return Wording.list(alternatives.map { "\"\($0.plainText)\"" }, "or")
    }
    return switch soleKind {
    case .any?: "anything but null"
    case .integer?: "an integer"
    case let kind?: "a \(kind.rawValue)"
    case nil: description
    }
  }

  /// Whether a value has the type, with no nulls to leave out.
  package func accepts(_ value: Value) -> Bool { alternatives.contains { $0.accepts(value) } }

  /// Returns a value without the optional fields in it that are null.
  func withoutNulls(_ value: Value) -> Value {
    switch value {
    case .list, .map: break
    default: return value
    }
    for alternative in alternatives {
      let kept = alternative.withoutNulls(value)
      if alternatives.count == 1 || alternative.accepts(kept) { return kept }
    }
    return value
  }

  /// Returns the type of what a value of this type has under a key; nil if there is no such part,
  /// or if that isn't certain.
  package func part(under key: Key) -> PayloadSchema.Field? {
    guard alternatives.count == 1 else { return nil }
    switch (alternatives[0], key) {
    case (.list(let type), .int): return PayloadSchema.Field("", type)
    case (.map(let type), .string): return PayloadSchema.Field("", type, isOptional: true)
    case (.record(let schema), .string(let name)): return schema.field(name)
    default: return nil
    }
  }
}

extension PayloadSchema.FieldType.Alternative: CustomStringConvertible {
  /// The alternative in the words of a declaration.
  package var description: String {
    switch self {
    case .kind(let kind): kind.rawValue
    case .word(let word): Self.needsQuotes(word) ? "'\(word)'" : word.string
    case .list(let type):
      type.alternatives.count == 1 ? "\(type)[]" : "(\(type))[]"
    case .map(let type): "{[string] = \(type)}"
    case .record(let schema):
      "{"
        + schema.fields.map { "\($0.name) = \($0.type)\($0.isOptional ? "?" : "")" }
        .joined(separator: ", ") + "}"
    }
  }

  fileprivate var plainText: String {
    if case .word(let word) = self { word.string } else { description }
  }

  /// Whether a word of an enumeration would be read as something else.
  private static func needsQuotes(_ word: Text) -> Bool {
    let text = word.string
    return text.isEmpty || PayloadSchema.FieldType.kind(text) != nil
      || text.contains { "[]?|'\"".contains($0) }
  }

  func accepts(_ value: Value) -> Bool {
    switch self {
    case .kind(let kind): return kind.accepts(value)
    case .word(let word): return value.textValue == word
    case .list(let type):
      // What a list of anything contains isn't looked at, since nulls can't be left out there.
      if type.soleKind == .any { return PayloadSchema.FieldType.Kind.list.accepts(value) }
      return value.listValue?.allSatisfy(type.accepts) ?? (value.mapValue?.isEmpty ?? false)
    case .map(let type):
      guard let map = value.mapValue else { return value.listValue?.isEmpty ?? false }
      return map.allSatisfy { key, element in
        if case .int = key { false } else { type.soleKind == .any || type.accepts(element) }
      }
    case .record(let schema):
      if let map = value.mapValue { return schema.isValid(map) }
      return value.listValue?.isEmpty ?? false && schema.isValid(Map())
    }
  }

  fileprivate func withoutNulls(_ value: Value) -> Value {
    switch (self, value) {
    case (.list(let type), .list(let list)) where !type.isFlat:
      return .list(List(list.map(type.withoutNulls)))
    case (.map(let type), .map(let map)) where !type.isFlat:
      return .map(Map(map.map { ($0.key, type.withoutNulls($0.value)) }))
    case (.record(let schema), .map): return schema.withoutNulls(value)
    default: return value
    }
  }
}

extension PayloadSchema.FieldType {
  /// Whether no value of the type has fields.
  fileprivate var isFlat: Bool {
    alternatives.allSatisfy { alternative in
      switch alternative {
      case .kind, .word: true
      case .list(let type), .map(let type): type.isFlat
      case .record: false
      }
    }
  }
}

extension PayloadSchema.FieldType.Kind {
  func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (.any, .null): false
    case (.any, _): true
    case (.boolean, .bool), (.integer, .int), (.number, .int), (.number, .double),
      (.string, .string), (.list, .list), (.map, .map):
      true
    case (.list, .map(let map)): map.isEmpty  // an empty table is both
    case (.map, .list(let list)): list.isEmpty
    default: false
    }
  }
}
