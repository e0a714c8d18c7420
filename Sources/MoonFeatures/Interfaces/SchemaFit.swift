import MoonActions
import MoonValues

extension PayloadSchema {
  /// The reason that values of a schema aren't all values of another one.
  enum Misfit {
    /// The other schema requires a field that may be missing.
    case lacking(String)
    /// The other schema has no such field.
    case unknown(String)
    /// A field has another type.
    case otherType(String, given: String, taken: String)
  }

  /// Returns the first reason that values of this schema aren't values of another one; nil if there
  /// is none, or if it isn't known.
  ///
  /// `isClosed` means that the other schema takes no further fields.
  func misfit(for other: PayloadSchema, isClosed: Bool, within path: String = "") -> Misfit? {
    for taken in other.fields {
      guard let given = fields.first(where: { $0.name == taken.name }) else {
        if taken.isOptional { continue }
        return .lacking(path + taken.name)
      }
      if given.isOptional, !taken.isOptional { return .lacking(path + taken.name) }
      if let inner = given.type.soleRecord, let outer = taken.type.soleRecord {
        let within = "\(path)\(taken.name)."
        if let misfit = inner.misfit(for: outer, isClosed: isClosed, within: within) {
          return misfit
        }
      } else if !given.type.fits(taken.type, isClosed: isClosed) {
        return .otherType(
          path + taken.name, given: given.type.description, taken: taken.type.description)
      }
    }
    guard isClosed else { return nil }
    let names = Set(other.fields.map(\.name))
    return fields.first { !names.contains($0.name) }.map { .unknown(path + $0.name) }
  }
}

extension PayloadSchema.FieldType {
  /// Whether values of this type are values of another one, as far as both are known.
  fileprivate func fits(_ other: Self, isClosed: Bool) -> Bool {
    alternatives.allSatisfy { given in
      other.alternatives.contains { given.fits($0, isClosed: isClosed) }
    }
  }
}

extension PayloadSchema.FieldType.Alternative {
  fileprivate func fits(_ other: Self, isClosed: Bool) -> Bool {
    switch (self, other) {
    case (.kind(.any), _), (_, .kind(.any)): true
    case (.kind(.integer), .kind(.number)): true
    case (.kind(let given), .kind(let taken)): given == taken
    case (.word(let given), .word(let taken)): given == taken
    // A text may be one of the words.
    case (.word, .kind(let kind)), (.kind(let kind), .word): kind == .string
    case (.list(let given), .list(let taken)), (.map(let given), .map(let taken)):
      given.fits(taken, isClosed: isClosed)
    case (.list, .kind(let kind)), (.kind(let kind), .list): kind == .list
    case (.record(let given), .record(let taken)):
      given.misfit(for: taken, isClosed: isClosed) == nil
    case (.map, .record), (.record, .map): true
    case (.map, .kind(let kind)), (.record, .kind(let kind)), (.kind(let kind), .map),
      (.kind(let kind), .record):
      kind == .map
    default: false
    }
  }
}
