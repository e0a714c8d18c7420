import Moonwire

/// What the program expects of `heating.lua`.
enum Heating: ModuleInterface {
  struct State: Decodable, Sendable {
    var target: Double
    var on: Bool
  }
  struct Set: TypedAction { var celsius: Double }

  static let actions: [any TypedAction.Type] = [Set.self]
}
