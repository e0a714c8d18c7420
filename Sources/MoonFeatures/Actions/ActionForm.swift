import MoonActions
import MoonModules
import MoonValues
import Synchronization

/// How the values of a type become actions, and the other way round.
final class ActionForm: Sendable {
  private enum Cases {
    /// A structure: the whole value is the payload.
    case none
    /// The cases are texts, since they have no values.
    case words(prefix: String)
    /// The cases are maps with the name as the only key.
    case maps(prefix: String)
  }

  /// The key of a value without a label.
  private static let unlabelledKey: Key = "_0"
  /// What it is called in payloads.
  private static let valueKey: Key = "value"

  /// The actions that are values of the type; nil if its name isn't one of an action.
  let pattern: ActionPattern?
  /// The type as text.
  let type: Text
  private let cases: Cases
  /// The keys of the cases by type, for the cases that are known.
  private let keys: [Text: String]
  /// The types whose only value has no label.
  private let unlabelled: Set<Text>
  /// The actions, with the schemas of their payloads.
  let actions: [TypedParts.ListenedAction]

  /// The forms of all types that were used so far.
  private static let forms = Mutex<[ObjectIdentifier: ActionForm]>([:])

  /// Returns the form of a type, which is made once.
  static func of<A: TypedAction>(_ type: A.Type) -> ActionForm {
    let id = ObjectIdentifier(type)
    if let form = forms.withLock({ $0[id] }) { return form }
    let form = ActionForm(type)
    return forms.withLock { forms in
      if let first = forms[id] { return first }
      forms[id] = form
      return form
    }
  }

  private init<A: TypedAction>(_ actionType: A.Type) {
    type = actionType.type
    pattern = ActionPattern(type.string, owner: "")
    let examples = actionType.examples.compactMap { try? ValueEncoder().encode($0) }
    guard !actionType.examples.isEmpty else {
      cases = .none
      keys = [:]
      unlabelled = []
      actions = [
        TypedParts.ListenedAction(
          type: type, schema: PayloadSchema(of: actionType), origin: String(reflecting: actionType))
      ]
      return
    }
    let prefix = String(type.string.prefix { $0 != "*" })
    cases = examples.first?.textValue != nil ? .words(prefix: prefix) : .maps(prefix: prefix)
    var keys: [Text: String] = [:]
    var unlabelled: Set<Text> = []
    var actions: [TypedParts.ListenedAction] = []
    for example in examples {
      guard let key = example.caseKey else { continue }
      let type = Text(prefix + TypeName.snakeCase(key))
      guard keys.updateValue(key, forKey: type) == nil else { continue }
      if example.mapValue?.entry(at: 0).value.mapValue?.keys == [Self.unlabelledKey] {
        unlabelled.insert(type)
      }
      actions.append(
        TypedParts.ListenedAction(
          type: type, schema: Self.schema(ofCase: key, of: actionType, example),
          origin: String(reflecting: actionType)))
    }
    self.keys = keys
    self.unlabelled = unlabelled
    self.actions = actions
  }

  /// Makes the action of a value.
  ///
  /// - Throws: ``ValueCodingError``.
  func action<A: TypedAction>(_ typed: A) throws(ValueCodingError) -> Action {
    let value = try ValueEncoder().encode(typed)
    switch cases {
    case .none: return Action(type, value.mapValue?.isEmpty == true ? .null : value)
    case .words(let prefix), .maps(let prefix):
      let name = value.caseKey ?? ""
      let type = Text(prefix + TypeName.snakeCase(name))
      guard keys[type] != nil else { throw .noExample(of: name, type: "\(A.self)") }
      return Action(type, Self.payload(of: value))
    }
  }

  /// Returns the fields of the payload of a case, as far as they are known.
  private static func schema<A: TypedAction>(
    ofCase key: String, of type: A.Type, _ example: Value
  ) -> PayloadSchema {
    guard let schema = PayloadSchema(ofCase: key, of: type) else {
      return PayloadSchema(example: payload(of: example))
    }
    guard schema.fields.count == 1, let sole = schema.fields.first,
      Text(sole.name) == Text("_0")
    else { return schema }
    return PayloadSchema(
      fields: [PayloadSchema.Field("value", sole.type, isOptional: sole.isOptional)])
  }

  /// Returns the value of an action; nil if the action is none of the cases.
  ///
  /// - Throws: `Refusal` if the payload doesn't decode, which isn't a fault of the module: whoever
  ///   dispatches the action learns why.
  func value<A: TypedAction>(_ type: A.Type, of action: Action) throws(Refusal) -> A? {
    do throws(ValueCodingError) {
      return try decoded(type, action)
    } catch {
      throw Refusal("the payload doesn't fit \(action.type): \(error)")
    }
  }

  private func decoded<A: TypedAction>(
    _: A.Type, _ action: Action
  ) throws(ValueCodingError) -> A? {
    switch cases {
    case .none: return try ValueDecoder().decode(A.self, from: action.scriptPayload)
    case .words:
      guard let key = keys[action.type] else { return nil }
      return try ValueDecoder().decode(A.self, from: .string(Text(key)))
    case .maps:
      guard let key = keys[action.type] else { return nil }
      var payload = action.scriptPayload.mapValue ?? Map()
      if let value = payload[Self.valueKey], payload.count == 1, unlabelled.contains(action.type) {
        payload = Map([(Self.unlabelledKey, value)])
      }
      let value: Value = .map(Map([(.string(Text(key)), .map(payload))]))
      return try ValueDecoder().decode(A.self, from: value)
    }
  }

  /// Returns the payload of the encoded value of an enumeration.
  private static func payload(of value: Value) -> Value {
    guard let payload = value.mapValue?.entry(at: 0).value.mapValue, !payload.isEmpty else {
      return .null
    }
    if let sole = payload[unlabelledKey], payload.count == 1 { return .map([valueKey: sole]) }
    return .map(payload)
  }
}

extension Value {
  /// The name of the case, in the encoded value of an enumeration.
  fileprivate var caseKey: String? {
    switch self {
    case .string(let text): text.string
    case .map(let map) where map.count == 1: map.entry(at: 0).key.description
    default: nil
    }
  }
}
