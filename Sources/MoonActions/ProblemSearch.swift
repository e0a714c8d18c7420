package import MoonValues

/// The search for what is wrong with a value of a declared type.
package struct ProblemSearch {
  /// The problems found, at most ``PayloadSchema/problemCountMax``.
  package private(set) var problems: [PayloadProblem] = []

  package init() {}

  private var isFull: Bool { problems.count >= PayloadSchema.problemCountMax }

  private mutating func note(_ problem: PayloadProblem) {
    if !isFull { problems.append(problem) }
  }

  /// Looks at a value that should have the fields of a schema; `path` leads to it.
  package mutating func look(
    for schema: PayloadSchema, in value: Value, at path: String = ""
  ) {
    let entries: Map
    switch value {
    case .null where path.isEmpty: entries = Map()
    case .map(let map): entries = map
    case .list(let list) where list.isEmpty: entries = Map()
    default:
      return note(
        path.isEmpty
          ? .notFields(value)
          : .wrongType(PayloadSchema.Field(path, .init([.record(schema)])), value))
    }
    if schema.isValid(entries) { return }
    var knownCount = 0
    // By index, so that the fields of a valid payload aren't copied.
    for index in schema.fields.indices {
      guard let value = entries[.string(Text(schema.fields[index].name))] else {
        if !schema.fields[index].isOptional {
          note(.missing(schema.fields[index].named(Self.path(path, schema.fields[index].name))))
        }
        continue
      }
      knownCount += 1
      if value == .null, schema.fields[index].isOptional { continue }
      look(
        for: schema.fields[index].named(Self.path(path, schema.fields[index].name)), in: value)
    }
    if knownCount < entries.count { noteUnknown(in: entries, schema, path) }
  }

  /// Looks at the value of a field, whose name is the path to it.
  package mutating func look(for field: PayloadSchema.Field, in value: Value) {
    if isFull || field.type.accepts(value) { return }
    for alternative in field.type.alternatives {
      switch (alternative, value) {
      case (.list(let type), .list(let list)):
        for (index, element) in list.enumerated() where !isFull {
          look(for: PayloadSchema.Field("\(field.name)[\(index + 1)]", type), in: element)
        }
        return
      case (.map(let type), .map(let map)):
        for (key, element) in map where !isFull { look(for: type, in: element, key, of: field) }
        return
      case (.record(let schema), .map): return look(for: schema, in: value, at: field.name)
      default: continue
      }
    }
    note(.wrongType(field, value))
  }

  private mutating func look(
    for type: PayloadSchema.FieldType, in element: Value, _ key: Key, of field: PayloadSchema.Field
  ) {
    switch key {
    case .string(let name):
      look(for: PayloadSchema.Field(Self.path(field.name, name.string), type), in: element)
    case .int(let index): note(.unknown("\(field.name)[\(index)]", nearest: nil))
    }
  }

  private mutating func noteUnknown(in entries: Map, _ schema: PayloadSchema, _ path: String) {
    // Not compared as `String`, since strings with different bytes may be equal.
    let names = Set(schema.fields.map { Text($0.name) })
    for (key, _) in entries where !isFull {
      switch key {
      case .string(let name) where names.contains(name): continue
      case .string(let name):
        let nearest = Spelling.nearest(to: name.string, in: schema.fields.map(\.name))
        note(.unknown(Self.path(path, name.string), nearest: nearest))
      case .int(let index): note(.unknown("\(path)[\(index)]", nearest: nil))
      }
    }
  }

  /// Returns the path to a named part.
  private static func path(_ path: String, _ name: String) -> String {
    if path.isEmpty { return name }
    return "\(path)\(Path([.key(Text("x")), .key(Text(name))]).description.dropFirst())"
  }
}

extension PayloadSchema.Field {
  fileprivate func named(_ path: String) -> Self { Self(path, type, isOptional: isOptional) }
}
