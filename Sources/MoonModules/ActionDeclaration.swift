public import MoonActions

/// An action that a module declares as its own.
public struct ActionDeclaration: Sendable, Equatable {
  /// The type without the module's name: `add`.
  public let name: String
  /// The purpose of the action, in one sentence.
  public let description: String?
  /// The shape of the payload; nil allows any.
  public let schema: PayloadSchema?
  /// Whether the action was derived from the state; see ``Derivation``.
  public let isDerived: Bool

  /// Declares an action.
  public init(
    _ name: String, description: String? = nil, schema: PayloadSchema? = nil,
    isDerived: Bool = false
  ) {
    self.isDerived = isDerived
    self.name = name
    self.description = description
    self.schema = schema
  }
}

extension ActionDeclaration: Registrable {
  /// The action, by its name within the module.
  public var registration: Registration { Registration(.action, name) }
}
