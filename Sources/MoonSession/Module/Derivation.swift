import MoonStore
public import MoonValues

/// Actions and reducers that follow from the shape of a module's state.
public struct Derivation: Sendable, Equatable {
  /// What an action does to a field, and the first word of its name.
  public enum Kind: String, Sendable, CaseIterable {
    /// `set_count {value}` puts a value into a field.
    case set
    /// `toggle_done` turns a boolean over.
    case toggle
    /// `append_items {value}` adds a value to the end of a list.
    case append
  }

  /// What the actions do.
  public let kind: Kind
  /// The fields of the state; nil for all that fit.
  public let fields: [String]?

  /// Derives actions for fields, or for all that fit.
  public init(_ kind: Kind, of fields: [String]? = nil) {
    self.kind = kind
    self.fields = fields
  }
}

/// Why actions can't be derived.
public enum DerivationError: Error, Sendable, Equatable {
  /// The module has no state with named fields.
  case noFields
  /// The state has no such field.
  case unknownField(String, nearest: String?)
  /// The field holds something else than the actions of that kind are for.
  case wrongField(String, Derivation.Kind, found: String)
  /// The field's name can't be a part of an action's.
  case wrongName(String)
}

extension DerivationError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .noFields: "the state has no fields with names"
    case .unknownField(let name, let nearest):
      "the state has no field '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    case .wrongField(let name, let kind, let found):
      "\(kind.rawValue) is for \(kind == .toggle ? "booleans" : "lists"), and \(name) is \(found)"
    case .wrongName(let name): "'\(name)' can't be a part of an action's name"
    }
  }
}

extension Module {
  /// Declares and reduces actions that follow from the state: `set_count` for a field `count`.
  ///
  /// What the module has already under such a name stays, and the action isn't derived. An empty
  /// map may become a list, since scripts can't tell the two apart.
  ///
  /// - Throws: ``DerivationError``; nothing was added then.
  public mutating func derive(
    _ derivations: [Derivation], place: SourcePlace? = nil
  ) throws(DerivationError) {
    guard let state = state?.mapValue, !state.isEmpty else { throw .noFields }
    var plans: [(kind: Derivation.Kind, field: Text, first: Value)] = []
    for derivation in derivations {
      for (field, first) in try derivation.fields(in: state) {
        plans.append((derivation.kind, field, first))
      }
    }
    for plan in plans { add(plan.kind, plan.field, plan.first, place) }
  }

  private mutating func add(
    _ kind: Derivation.Kind, _ field: Text, _ first: Value, _ place: SourcePlace?
  ) {
    let action = "\(kind.rawValue)_\(field)"
    let type = ActionPattern.exact(Text("\(name)/\(action)"))
    guard !reducers.contains(where: { $0.pattern == type }) else { return }
    if !actions.contains(where: { $0.name == action }) {
      actions.append(
        ActionDeclaration(
          action, description: kind.sentence(field), schema: kind.schema(first), isDerived: true))
    }
    let key = Key.string(field)
    reducers.append(
      Reducer(type, place: place) { slice, action in
        guard case .map(var fields) = slice else { throw WrongSlice() }
        fields[key] = try kind.changed(fields[key] ?? first, action.payload["value"], field)
        slice = .map(fields)
      })
  }
}

/// A slice has become a list since its actions were derived.
private struct WrongSlice: Error, CustomStringConvertible {
  var description: String { "the state has no fields any more" }
}

/// A field has become something else since its actions were derived.
private struct WrongField: Error, CustomStringConvertible {
  let field: Text
  let kind: Derivation.Kind
  let found: String

  var description: String {
    "\(DerivationError.wrongField(field.string, kind, found: found))"
  }
}

extension Derivation {
  /// The fields that actions are derived for, with what they hold at first.
  fileprivate func fields(in state: Map) throws(DerivationError) -> [(Text, Value)] {
    guard let fields else {
      return state.compactMap { key, value in
        guard case .string(let name) = key, kind.fits(value), Self.isWord(name.string) else {
          return nil
        }
        return (name, value)
      }
    }
    var found: [(Text, Value)] = []
    for name in fields {
      guard let value = state[.string(Text(name))] else {
        let names = state.keys.map(\.description)
        throw .unknownField(name, nearest: Spelling.nearest(to: name, in: names))
      }
      guard Self.isWord(name) else { throw .wrongName(name) }
      guard kind.fits(value) else { throw .wrongField(name, kind, found: value.kind) }
      found.append((Text(name), value))
    }
    return found
  }

  /// Whether a field's name can be a part of an action's.
  private static func isWord(_ name: String) -> Bool {
    !name.contains("/") && ActionPattern.isType("m/\(name)")
  }
}

extension Derivation.Kind {
  /// Whether it is for a field that holds a value at first.
  fileprivate func fits(_ value: Value) -> Bool {
    switch self {
    case .set: true
    case .toggle: value.boolValue != nil
    case .append: value.listValue != nil || value.mapValue?.isEmpty ?? false
    }
  }

  fileprivate func sentence(_ field: Text) -> String {
    switch self {
    case .set: "Sets \(field)"
    case .toggle: "Turns \(field) on or off"
    case .append: "Adds to the end of \(field)"
    }
  }

  fileprivate func schema(_ first: Value) -> PayloadSchema {
    let type: String
    switch self {
    case .toggle: return PayloadSchema(fields: [])
    case .append: type = "any"
    case .set: type = first.fieldType
    }
    return PayloadSchema(
      fields: [PayloadSchema.Field(name: "value", type: type)].compactMap(\.self))
  }

  /// What becomes of a field.
  fileprivate func changed(
    _ old: Value, _ value: Value?, _ field: Text
  ) throws(WrongField) -> Value {
    switch (self, old) {
    case (.set, _): return value ?? .null
    case (.toggle, .bool(let isOn)): return .bool(!isOn)
    case (.append, .list(var list)):
      list.append(value ?? .null)
      return .list(list)
    case (.append, .map(let map)) where map.isEmpty: return .list(List([value ?? .null]))
    default: throw WrongField(field: field, kind: self, found: old.kind)
    }
  }
}

extension Value {
  /// The type that a payload declares for such a value.
  fileprivate var fieldType: String {
    switch self {
    case .null: "any"
    case .bool: "boolean"
    case .int: "integer"
    case .double: "number"
    case .string: "string"
    case .list: "list"
    case .map(let map): map.isEmpty ? "list|map" : "map"
    }
  }
}
