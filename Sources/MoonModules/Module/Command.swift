public import MoonActions
package import MoonServiceKit
public import MoonValues

/// A named function of a module that answers whoever calls it, and may wait.
public struct Command: Registrable {
  /// A function that makes a run of the code for a payload; the first value that it returns is the
  /// answer.
  package typealias Body = (_ payload: Value) -> any EffectRun

  /// Decides whether the command answers a call with a payload.
  public typealias Condition = (
    _ payload: Value, _ context: SessionContext
  ) throws -> Bool

  /// The name within the module, `total`; or that of another module's command, `export/save`, which
  /// this one can answer, too.
  package let name: String
  /// The priority: of several commands with one name, those of higher priority are asked first.
  ///
  /// The default is 0.
  package let priority: Int
  /// The purpose of the command, in one sentence.
  package let description: String?
  /// The shape of the payload; nil allows any.
  package let schema: PayloadSchema?
  /// The kind, name and place of the registration.
  package let registration: Registration
  /// The types that it was made from, until it is put into a module; nil if there are none.
  package var typed: TypedParts?
  package let body: Body
  package let condition: Condition?

  /// The name by which it is called: `cart/total`.
  package func fullName(of owner: ModuleName) -> String {
    name.contains("/") ? name : "\(owner)/\(name)"
  }

  /// Makes a command whose code is in any language.
  package init(
    _ name: String, description: String? = nil, schema: PayloadSchema? = nil, priority: Int = 0,
    place: SourcePlace? = nil, when condition: Condition? = nil, runs body: @escaping Body
  ) {
    self.name = name
    self.priority = priority
    self.condition = condition
    self.description = description
    self.schema = schema
    registration = Registration(.command, name, place: place)
    self.body = body
  }

  /// Makes a command from a Swift function, which runs outside the host as an effect does.
  ///
  /// An error that the function throws is a fault of the module, and the caller receives it.
  public init(
    _ name: String, description: String? = nil, schema: PayloadSchema? = nil, priority: Int = 0,
    place: SourcePlace? = nil, when condition: Condition? = nil,
    _ body: @escaping @Sendable (_ payload: Value, _ context: EffectContext) async throws -> Value
  ) {
    self.init(
      name, description: description, schema: schema, priority: priority, place: place,
      when: condition
    ) { payload in
      SwiftRun { context in try await body(payload, context) }
    }
  }
}
