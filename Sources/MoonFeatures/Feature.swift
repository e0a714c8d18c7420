import MoonModules
public import MoonServiceKit
import MoonValues

/// A module in Swift: its state as a type, and what it registers.
///
/// ```swift
/// struct Thermometer: Feature {
///   struct State: FeatureState { var celsius = 20.0 }
///   struct Measure: TypedAction { var celsius: Double }  // thermometer/measure
///
///   var body: some Registrations {
///     Reducer { (state: inout State, action: Measure) in state.celsius = action.celsius }
///   }
/// }
/// ```
///
/// A host treats it as it does a module in Lua. A feature keeps no state of its own, since several
/// sessions share it: its state is the slice of the module in each session.
public protocol Feature: Sendable {
  /// The type of the slice; ``NoState`` if the feature has none.
  associatedtype State: FeatureState = NoState
  /// The type of ``body``, which Swift finds out.
  associatedtype Body: Registrations

  /// The name of the module: by default that of the type, in lowercase with underscores.
  var name: String { get }
  /// The purpose of the feature, in one sentence; none by default.
  var description: String? { get }
  /// The version of the shape of the state, from 1; see ``Migration``.
  var version: Int64 { get }
  /// The permissions that the feature requests; none by default.
  var needs: [Scope] { get }
  /// What the feature registers.
  ///
  /// It is read once for each host that the feature is added to.
  @RegistrationsBuilder var body: Body { get }
}

extension Feature {
  /// The name of the type, in lowercase with underscores.
  public var name: String { TypeName.snakeCase(TypeName.parts(of: Self.self).last ?? "") }
  /// No description.
  public var description: String? { nil }
  /// The first version.
  public var version: Int64 { Module.firstVersion }
  /// No permissions.
  public var needs: [Scope] { [] }
}
