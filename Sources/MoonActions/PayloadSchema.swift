public import MoonValues

/// The fields of an action's payload.
public struct PayloadSchema: Sendable, Equatable {
  /// One field of the payload.
  public struct Field: Sendable, Equatable {
    /// The key.
    public let name: String
    /// The type of the value.
    public let type: FieldType
    /// Whether the field may be left out.
    public let isOptional: Bool
  }

  /// The type of a field.
  ///
  /// In text: `integer`, `string|integer`, `string[]`, `any`.
  public struct FieldType: Sendable, Equatable, CustomStringConvertible {
    /// One of the alternatives.
    public enum Kind: String, Sendable, CaseIterable {
      case any, boolean, integer, number, string, list, map
    }

    let alternatives: [(kind: Kind, isList: Bool)]

    /// Returns whether both have the same alternatives in the same order.
    public static func == (left: Self, right: Self) -> Bool {
      left.description == right.description
    }

    /// The text it was read from, normalized.
    public var description: String {
      alternatives.map { $0.kind.rawValue + ($0.isList ? "[]" : "") }.joined(separator: "|")
    }

    func accepts(_ value: Value, orNull isOptional: Bool) -> Bool {
      accepts(value) || (isOptional && value == .null)
    }

    private func accepts(_ value: Value) -> Bool {
      alternatives.contains { kind, isList in
        guard isList else { return kind.accepts(value) }
        return value.listValue?.allSatisfy(kind.accepts) ?? (value.mapValue?.isEmpty ?? false)
      }
    }
  }

  /// The maximum number of problems reported for one payload.
  ///
  /// A script can cause any number of them.
  public static let problemCountMax = 20

  /// The fields by name.
  public let fields: [Field]
  /// The names of the fields as keys of payloads.
  private let keys: [Key]
  /// The fields in the order in which they are searched for, required ones first.
  private let searched: [Searched]

  /// The parts of a field that are needed to check a valid payload, without its name.
  private struct Searched {
    let name: Text
    let type: FieldType
    /// The only alternative of the type, if there is one and it isn't a list of something.
    ///
    /// Reading it counts no references.
    let kind: FieldType.Kind?
    let isOptional: Bool

    init(_ field: Field) {
      (name, type, isOptional) = (Text(field.name), field.type, field.isOptional)
      let first = type.alternatives.first
      kind = type.alternatives.count == 1 && first?.isList == false ? first?.kind : nil
    }
  }

  /// Makes a schema of fields; among several with one name, the first counts.
  public init(fields: [Field]) {
    var names: Set<Text> = []
    self.fields = fields.filter { names.insert(Text($0.name)).inserted }
      .sorted { $0.name < $1.name }
    keys = self.fields.map { .string(Text($0.name)) }
    let all = self.fields.map { Searched($0) }
    searched = all.filter { !$0.isOptional } + all.filter(\.isOptional)
  }

  /// Compares the fields, which determine everything else.
  public static func == (left: PayloadSchema, right: PayloadSchema) -> Bool {
    left.fields == right.fields
  }

  /// Returns the first ``problemCountMax`` problems of a payload; empty if it is valid.
  ///
  /// - Complexity: O(fields × log entries), and O(entries) more if one is unknown.
  public func problems(in payload: Value) -> [PayloadProblem] {
    let entries: Map
    switch payload {
    case .null: entries = Map()
    case .map(let map): entries = map
    case .list(let list) where list.isEmpty: entries = Map()
    default: return [.notFields(payload)]
    }
    if isValid(entries) { return [] }
    var problems: [PayloadProblem] = []
    var knownCount = 0
    // By index, so that the fields of a valid payload aren't copied.
    for index in fields.indices {
      guard let value = entries[keys[index]] else {
        if !fields[index].isOptional { problems.append(.missing(fields[index])) }
        continue
      }
      knownCount += 1
      if !fields[index].accepts(value) { problems.append(.wrongType(fields[index], value)) }
    }
    if knownCount < entries.count { noteUnknown(in: entries, &problems) }
    return problems.count > Self.problemCountMax
      ? Array(problems.prefix(Self.problemCountMax)) : problems
  }

  /// Returns whether a payload has no problems.
  ///
  /// Optional fields are searched for last, and only until each entry has its field, since most
  /// payloads have few of them.
  private func isValid(_ entries: Map) -> Bool {
    let count = entries.count
    var knownCount = 0
    for index in searched.indices {
      let isOptional = searched[index].isOptional
      if knownCount == count, isOptional { return true }
      guard let place = entries.place(of: searched[index].name) else {
        if isOptional { continue }
        return false
      }
      if let kind = searched[index].kind, kind.accepts(place.pointee) {
        knownCount += 1
        continue
      }
      guard searched[index].type.accepts(place.pointee, orNull: isOptional) else { return false }
      knownCount += 1
    }
    return knownCount == count
  }

  /// Returns whether a payload is obviously valid; may be false for a valid one.
  ///
  /// It is asked first, since it makes no list.
  package func isSimplyValid(_ payload: Value) -> Bool {
    guard case .map(let entries) = payload else { return false }
    return isValid(entries)
  }

  private func noteUnknown(in entries: Map, _ problems: inout [PayloadProblem]) {
    // Not compared as `String`, since strings with different bytes may be equal.
    let names = Set(fields.map { Text($0.name) })
    for (key, _) in entries {
      guard problems.count < Self.problemCountMax else { return }
      switch key {
      case .string(let name) where names.contains(name): continue
      case .string(let name):
        let nearest = Spelling.nearest(to: name.string, in: fields.map(\.name))
        problems.append(.unknown(name.string, nearest: nearest))
      case .int(let index): problems.append(.unknown("[\(index)]", nearest: nil))
      }
    }
  }
}

/// One thing that is wrong with a payload.
public enum PayloadProblem: Sendable, Equatable {
  /// The payload isn't a table with fields.
  case notFields(Value)
  /// A field isn't there.
  case missing(PayloadSchema.Field)
  /// A field holds a value of another type.
  case wrongType(PayloadSchema.Field, Value)
  /// A field isn't in the schema.
  case unknown(String, nearest: String?)
}

extension PayloadSchema.Field {
  /// Reads `integer`, `string|integer?`, `string[]`; nil if the text isn't a type.
  public init?(name: String, type text: String) {
    self.name = name
    isOptional = text.hasSuffix("?")
    let body = isOptional ? text.dropLast() : Substring(text)
    var alternatives: [(kind: PayloadSchema.FieldType.Kind, isList: Bool)] = []
    for part in body.split(separator: "|", omittingEmptySubsequences: false) {
      let isList = part.hasSuffix("[]")
      let word = isList ? part.dropLast(2) : part
      let known = word == "table" ? "map" : word == "bool" ? "boolean" : String(word)
      guard let kind = PayloadSchema.FieldType.Kind(rawValue: known) else { return nil }
      alternatives.append((kind, isList))
    }
    guard !alternatives.isEmpty else { return nil }
    type = PayloadSchema.FieldType(alternatives: alternatives)
  }

  fileprivate func accepts(_ value: Value) -> Bool { type.accepts(value, orNull: isOptional) }
}

extension PayloadSchema.FieldType.Kind {
  func accepts(_ value: Value) -> Bool {
    switch (self, value) {
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

extension PayloadProblem: CustomStringConvertible {
  /// A few words.
  public var description: String {
    switch self {
    case .notFields(let value): "expected a table with fields, got \(value.kind)"
    case .missing(let field): "'\(field.name)' is missing (\(field.type))"
    case .wrongType(let field, let value):
      "'\(field.name)' must be \(field.type), not \(value.kind)"
    case .unknown(let name, let nearest):
      "there is no field '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }
  }
}
