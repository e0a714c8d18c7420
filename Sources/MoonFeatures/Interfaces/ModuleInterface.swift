import MoonModules

/// What a program expects of a module that it doesn't contain, usually one in Lua.
///
/// ```swift
/// enum Heating: ModuleInterface {
///   struct State: Decodable, Sendable { var target: Double, on: Bool }
///   struct Set: TypedAction { var celsius: Double }  // heating/set
///
///   static let actions: [any TypedAction.Type] = [Set.self]
/// }
/// ```
///
/// A host that knows of the interface compares the module with it whenever the module is loaded. A
/// module that doesn't fit isn't put in service, and a previous one that fits stays there.
public protocol ModuleInterface: SendableMetatype {
  /// What the program reads of the slice; ``NoState`` if it reads nothing.
  associatedtype State: Decodable & Sendable = NoState

  /// The name of the module: by default that of the type, in lowercase with underscores.
  static var module: String { get }
  /// The actions of the module that the program dispatches; none by default.
  static var actions: [any TypedAction.Type] { get }
  /// The commands of the module that the program calls; none by default.
  static var commands: [any TypedCommand.Type] { get }
}

extension ModuleInterface {
  /// The name of the type, in lowercase with underscores.
  public static var module: String { TypeName.snakeCase(TypeName.parts(of: Self.self).last ?? "") }
  /// No actions.
  public static var actions: [any TypedAction.Type] { [] }
  /// No commands.
  public static var commands: [any TypedCommand.Type] { [] }
}
