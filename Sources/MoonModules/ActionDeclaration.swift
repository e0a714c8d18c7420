public import MoonActions
package import MoonValues

/// An action that a module declares as its own.
public struct ActionDeclaration: Sendable, Equatable {
  /// The type without the module's name: `add`.
  package let name: String
  /// The purpose of the action, in one sentence.
  package let description: String?
  /// The shape of the payload; nil allows any.
  package let schema: PayloadSchema?
  /// Whether the action was derived from the state; see ``Derivation``.
  package let isDerived: Bool
  /// The place of the declaration; nil if it isn't known.
  package var place: SourcePlace?

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

extension ActionDeclaration {
  /// Compares declarations regardless of their places.
  public static func == (left: Self, right: Self) -> Bool {
    left.name == right.name && left.description == right.description
      && left.schema == right.schema && left.isDerived == right.isDerived
  }
}

extension ActionDeclaration: Registrable {
  /// The action, by its name within the module.
  package var registration: Registration { Registration(.action, name, place: place) }
}
