import MoonActions
package import MoonValues

/// The types of the fields of a module's slice, which everything that makes the slice must keep to.
package struct SliceShape {
  /// The number of changes that are checked one by one; after more, the whole slice is.
  private static let changeCountMax = 64

  let schema: PayloadSchema
  /// The name of the slice, for messages.
  let name: String

  init(_ schema: PayloadSchema, of slice: String) {
    self.schema = schema
    name = slice
  }

  /// Returns why a value can't be the slice; nil if it can.
  ///
  /// `former` is the slice before, which had the shape; nil if there was none.
  ///
  /// - Complexity: O(what changed), if that is little and nothing is wrong.
  package func refusal(of slice: Value, since former: Value? = nil) -> SliceRefusal? {
    if let former, fits(slice, since: former) { return nil }
    var search = ProblemSearch()
    search.look(for: schema, in: slice, at: name)
    return search.problems.isEmpty ? nil : .misshapen(search.problems)
  }

  /// Returns whether a slice certainly has the shape that it had before.
  private func fits(_ slice: Value, since former: Value) -> Bool {
    let diff = Diff.changes(from: former, to: slice, limit: Self.changeCountMax)
    return !diff.isTruncated && diff.changes.allSatisfy(fits)
  }

  private func fits(_ change: Change) -> Bool {
    var field: PayloadSchema.Field?
    for component in change.path.components {
      let key: Key =
        switch component {
        case .key(let name): .string(name)
        case .index(let index): .int(index)
        }
      let type = field?.type ?? PayloadSchema.FieldType([.record(schema)])
      guard let part = type.part(under: key) else { return false }
      field = part
    }
    guard let field else { return false }
    guard let after = change.after else { return field.isOptional }
    return field.type.accepts(after) || field.isOptional && after == .null
  }
}
