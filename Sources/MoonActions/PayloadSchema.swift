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

    /// Makes a field.
    package init(_ name: String, _ type: FieldType, isOptional: Bool = false) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
    }
  }

  /// The maximum number of problems reported for one payload.
  ///
  /// A script can cause any number of them.
  package static let problemCountMax = 20

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
    /// The only alternative of the type, if there is one and it is a kind.
    ///
    /// Reading it counts no references.
    let kind: FieldType.Kind?
    let isOptional: Bool

    init(_ field: Field) {
      (name, type, isOptional) = (Text(field.name), field.type, field.isOptional)
      kind = type.soleKind
    }
  }

  /// Makes a schema of fields; among several with one name, the first counts.
  package init(fields: [Field]) {
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
  /// Null is as good as nothing for an optional field, which ``withoutNulls(_:)`` leaves out.
  ///
  /// - Complexity: O(fields × log entries), and O(entries) more if one is unknown. What fields
  ///   contain is visited as far as their types say something about it.
  package func problems(in payload: Value) -> [PayloadProblem] {
    var search = ProblemSearch()
    search.look(for: self, in: payload)
    return search.problems
  }

  /// Returns whether a payload has no problems, and no nulls to leave out.
  ///
  /// Optional fields are searched for last, and only until each entry has its field, since most
  /// payloads have few of them.
  func isValid(_ entries: Map) -> Bool {
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
      guard searched[index].type.accepts(place.pointee) else { return false }
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

  /// Returns a payload without the optional fields that are null.
  ///
  /// - Complexity: As that of ``problems(in:)``.
  package func withoutNulls(_ payload: Value) -> Value {
    guard case .map(var entries) = payload else { return payload }
    for index in fields.indices {
      guard let value = entries[keys[index]] else { continue }
      if value == .null, fields[index].isOptional {
        entries[keys[index]] = nil
      } else {
        let kept = fields[index].type.withoutNulls(value)
        if !kept.isIdentical(to: value) { entries[keys[index]] = kept }
      }
    }
    return .map(entries)
  }

  /// Returns the field with a name; nil if there is none.
  func field(_ name: Text) -> Field? {
    keys.firstIndex(of: .string(name)).map { fields[$0] }
  }
}

/// One thing that is wrong with a payload.
///
/// The name of a field within another one is its path, such as `tags[2]`.
public enum PayloadProblem: Sendable, Equatable {
  /// The payload isn't a table with fields.
  case notFields(Value)
  /// A field isn't there.
  case missing(PayloadSchema.Field)
  /// A field holds a value of another type.
  case wrongType(PayloadSchema.Field, Value)
  /// A field isn't in the schema.
  case unknown(String, nearest: String?)
  /// A field should name a module, and there is none of that name.
  case noModule(field: String, String, nearest: String?)
}

extension PayloadProblem: CustomStringConvertible {
  /// A few words.
  public var description: String {
    switch self {
    case .notFields(let value): "expected a table with fields, got \(value.kind)"
    case .missing(let field): "'\(field.name)' is missing (\(field.type))"
    case .wrongType(let field, let value) where Self.isWithin(field.name):
      "\(field.name) is \(value.shown), and must be \(field.type.phrase)"
    case .wrongType(let field, let value):
      "'\(field.name)' must be \(field.type), not \(field.type.isWords ? value.shown : value.kind)"
    case .unknown(let name, let nearest):
      "there is no field '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    case .noModule(let field, let name, let nearest):
      "'\(field)' names a module, and there is no module \(name)"
        + (nearest.map { "; did you mean \($0)?" } ?? "")
    }
  }

  /// Whether a name is the path to something within a field.
  private static func isWithin(_ name: String) -> Bool {
    name.utf8.contains(UInt8(ascii: ".")) || name.utf8.contains(UInt8(ascii: "["))
  }
}

extension Value {
  /// The maximum number of characters of a text in a message.
  private static let shownLengthMax = 40

  /// The value in a message if it is short, else its kind.
  fileprivate var shown: String {
    switch self {
    case .bool, .int, .double: return canonicalText
    case .string(let text):
      let text = text.string
      return text.count <= Self.shownLengthMax ? canonicalText : kind
    case .null, .list, .map: return kind
    }
  }
}
