import MoonPrompt
import Moonwire

/// A method of the protocol: what calls it, and what it does.
///
/// ``Methods/all`` lists them; the guide and the checks of parameters derive from it.
package struct Method: Sendable {
  /// A named parameter.
  package struct Parameter: Sendable {
    package let name: String
    /// The type, as actions declare those of their fields: `integer?`.
    package let type: String
    let field: PayloadSchema.Field?

    init(_ name: String, _ type: String) {
      (self.name, self.type) = (name, type)
      field = PayloadSchema.Field(name: name, type: type)
    }

    /// The session; without it, the one that the host serves.
    static let session = Parameter("session", "integer?")
  }

  /// What a method gives back, and what begins once its reply is on its way.
  struct Answer: Sendable {
    let value: Value
    var then: (@Sendable () -> Void)?

    init(_ value: Value, then: (@Sendable () -> Void)? = nil) {
      (self.value, self.then) = (value, then)
    }
  }

  typealias Body = @Sendable (MethodCall) async throws(ProtocolError) -> Answer

  package let name: String
  package let parameters: [Parameter]
  /// The members of the result.
  package let result: String
  /// What it does, in a few words.
  package let help: String
  let schema: PayloadSchema
  let body: Body

  init(
    _ name: String, _ parameters: [Parameter] = [], result: String, help: String,
    body: @escaping Body
  ) {
    self.name = name
    self.parameters = parameters
    self.result = result
    self.help = help
    self.body = body
    schema = PayloadSchema(fields: parameters.compactMap(\.field))
  }

  /// Makes a method that carries out a command of the prompt, whose record is the result.
  init(
    _ name: String, _ parameters: [Parameter] = [], command: String, help: String,
    arguments: @escaping @Sendable (Map) throws(ProtocolError) -> String = { _ in "" }
  ) {
    self.init(
      name, parameters + [.session], result: "the record of `:\(command)`", help: help
    ) { call throws(ProtocolError) in
      let line = ":\(command) \(try arguments(call.parameters))"
      return Method.Answer(try await call.record(of: line))
    }
  }

  /// Checks the parameters.
  ///
  /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/invalidParameters``
  func check(_ parameters: Map) throws(ProtocolError) {
    guard let problem = schema.problems(in: .map(parameters)).first else { return }
    throw ProtocolError(.invalidParameters, "\(name): \(problem)")
  }
}
