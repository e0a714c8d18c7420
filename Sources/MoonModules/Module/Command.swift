public import MoonActions
public import MoonValues

/// A named function of a module that answers whoever calls it, and may wait.
public struct Command: Registrable {
  /// A function that makes a run of the code for a payload; the first value that it returns is the
  /// answer.
  package typealias Body = (_ payload: Value) -> any EffectRun

  /// The name within the module: `total`.
  public let name: String
  /// The purpose of the command, in one sentence.
  public let description: String?
  /// The shape of the payload; nil allows any.
  public let schema: PayloadSchema?
  /// The kind, name and place of the registration.
  public let registration: Registration
  package let body: Body

  /// Makes a command whose code is in any language.
  package init(
    _ name: String, description: String? = nil, schema: PayloadSchema? = nil,
    place: SourcePlace? = nil, runs body: @escaping Body
  ) {
    self.name = name
    self.description = description
    self.schema = schema
    registration = Registration(.command, name, place: place)
    self.body = body
  }

  /// Makes a command from a Swift function, which runs outside the host as an effect does.
  ///
  /// An error that the function throws is a fault of the module, and the caller receives it.
  public init(
    _ name: String, description: String? = nil, schema: PayloadSchema? = nil,
    place: SourcePlace? = nil,
    _ body: @escaping @Sendable (_ payload: Value, _ context: EffectContext) async throws -> Value
  ) {
    self.init(name, description: description, schema: schema, place: place) { payload in
      SwiftRun { context in try await body(payload, context) }
    }
  }
}
