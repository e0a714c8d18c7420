package import MoonValues

/// A result of a chunk: a value, or something that only Lua can hold.
package enum Form: Sendable {
  case value(Value)
  case function(LuaFunction)
  /// A table with functions or keys of several kinds, in key order.
  case table([Entry])
  /// A description of something that can't leave the machine: "a thread".
  case opaque(String)

  package struct Entry: Sendable {
    package let key: Form
    package let value: Form

    package init(key: Form, value: Form) {
      self.key = key
      self.value = value
    }
  }

  /// The entries under string keys, if this is a table or a map.
  package var fields: [(name: String, form: Form)]? {
    switch self {
    case .table(let entries):
      entries.compactMap { entry in
        guard case .value(.string(let name)) = entry.key else { return nil }
        return (name.string, entry.value)
      }
    case .value(.map(let map)):
      map.map { (name: $0.key.description, form: Form.value($0.value)) }
    default: nil
    }
  }

  /// The elements, if this is a list or an empty table.
  package var elements: [Form]? {
    switch self {
    case .value(.list(let list)): list.map { .value($0) }
    case .value(.map(let map)) where map.isEmpty: []
    case .table(let entries):
      entries.enumerated().allSatisfy { offset, entry in
        if case .value(.int(Int64(offset + 1))) = entry.key { true } else { false }
      } ? entries.map(\.value) : nil
    default: nil
    }
  }

  /// Its type, for people.
  package var kind: String {
    switch self {
    case .value(.null): "nil"
    case .value(.bool): "a boolean"
    case .value(.int), .value(.double): "a number"
    case .value(.string): "a string"
    case .value(.list), .value(.map), .table: "a table"
    case .function: "a function"
    case .opaque(let text): text
    }
  }
}

/// A function of a machine, valid as long as the machine.
package struct LuaFunction: Equatable, Sendable {
  let reference: Int32
  /// Where its definition begins.
  package let place: SourcePlace
  /// The number of named parameters.
  package let parameterCount: Int
  package let isVariadic: Bool

  /// Whether it receives an argument at this position, counted from 1.
  package func takes(_ position: Int) -> Bool { isVariadic || parameterCount >= position }
}
