public import MoonModules
public import MoonValues

/// A command whose payload is a Swift type, with the type of its answer.
///
/// ```swift
/// struct Total: TypedCommand {
///   typealias Answer = Double
///   var rate: Double
/// }
/// ```
///
/// In a type `Cart`, this is `cart/total`, with the payload `{rate = 1.5}`.
public protocol TypedCommand: Codable, Sendable {
  /// What the command answers.
  associatedtype Answer: Codable & Sendable
  /// The name: by default made of those of the types, as for a ``TypedAction``.
  static var name: Text { get }
}

extension TypedCommand {
  /// The name, made of the names of the types.
  public static var name: Text {
    Text(TypeName.parts(of: Self.self).suffix(2).map(TypeName.snakeCase).joined(separator: "/"))
  }
}

extension Command {
  /// Makes a command of a type, which is named as the last part of the type's name.
  ///
  /// It runs outside the host as an effect does.
  public init<C: TypedCommand>(
    description: String? = nil, place: SourcePlace? = nil,
    _ body: @escaping @Sendable (_ command: C, _ context: EffectContext) async throws -> C.Answer
  ) {
    let name = C.name.string.split(separator: "/").last.map(String.init) ?? ""
    self.init(name, description: description, place: place, body)
  }
}
