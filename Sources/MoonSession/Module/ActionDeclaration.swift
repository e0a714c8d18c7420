public import MoonStore

/// An action that a module declares as its own.
public struct ActionDeclaration: Sendable, Equatable {
  /// Its type without the module's name: `add`.
  public let name: String
  /// What it does, in a sentence.
  public let description: String?
  /// What its payload must look like; nil for anything.
  public let schema: PayloadSchema?

  /// Declares an action.
  public init(_ name: String, description: String? = nil, schema: PayloadSchema? = nil) {
    self.name = name
    self.description = description
    self.schema = schema
  }
}

extension ActionDeclaration: Registrable {
  /// The action under the name it has within its module.
  public var registration: Registration { Registration(.action, name) }
}
