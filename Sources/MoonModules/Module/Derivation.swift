import MoonActions
package import MoonValues

/// A request to derive actions and reducers from the fields of a module's state.
public struct Derivation: Sendable, Equatable {
  /// The effect of a derived action on its field, which is also the first word of its name.
  public enum Kind: String, Sendable, CaseIterable {
    /// `set_count {value}` sets a field to a value.
    case set
    /// `toggle_done` inverts a boolean.
    case toggle
    /// `append_items {value}` appends a value to a list.
    case append
  }

  /// The effect of the actions.
  package let kind: Kind
  /// The fields; nil means all fields that suit the kind.
  package let fields: [String]?

  /// Requests actions for some fields, or for all that suit the kind.
  public init(_ kind: Kind, of fields: [String]? = nil) {
    self.kind = kind
    self.fields = fields
  }
}

/// The reason that actions can't be derived.
package enum DerivationError: Error, Sendable, Equatable {
  /// The state has no named fields.
  case noFields
  /// The state has no field of this name; `nearest` is a field with similar spelling.
  case unknownField(String, nearest: String?)
  /// The field's value doesn't suit the kind.
  case wrongField(String, Derivation.Kind, found: String)
  /// The field's name can't be part of an action's name.
  case wrongName(String)
}

extension DerivationError: CustomStringConvertible {
  /// The problem, as a phrase.
  package var description: String {
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
  /// Declares actions derived from the fields of the state, and reducers for them: `set_count` for
  /// a field `count`.
  ///
  /// An action isn't derived if the module already has a reducer for it. An empty map can become a
  /// list, since Lua doesn't distinguish the two.
  ///
  /// - Throws: ``DerivationError``; the module is then unchanged.
  package mutating func derive(
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
        guard case .map(var fields) = slice else {
          throw CodeFailure(.raised("the state has no fields any more"))
        }
        fields[key] = try kind.changed(fields[key] ?? first, action.payload["value"], field)
        slice = .map(fields)
      })
  }
}

extension Derivation {
  /// Returns the fields that actions are derived for, with their initial values.
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

  /// Returns whether a field's name can be part of an action's name.
  private static func isWord(_ name: String) -> Bool {
    !name.contains("/") && ActionPattern.isType("m/\(name)")
  }
}

extension Derivation.Kind {
  /// Returns whether the kind suits a field with this initial value.
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

  /// Returns the new value of a field.
  fileprivate func changed(
    _ old: Value, _ value: Value?, _ field: Text
  ) throws(DerivationError) -> Value {
    switch (self, old) {
    case (.set, _): return value ?? .null
    case (.toggle, .bool(let isOn)): return .bool(!isOn)
    case (.append, .list(var list)):
      list.append(value ?? .null)
      return .list(list)
    case (.append, .map(let map)) where map.isEmpty: return .list(List([value ?? .null]))
    default: throw .wrongField(field.string, self, found: old.kind)
    }
  }
}

extension Value {
  /// The type that a payload's schema declares for such a value.
  fileprivate var fieldType: String {
    switch self {
    case .null: "any?"
    case .bool: "boolean"
    case .int: "integer"
    case .double: "number"
    case .string: "string"
    case .list: "list"
    case .map(let map): map.isEmpty ? "list|map" : "map"
    }
  }
}
