public import MoonActions
public import MoonServiceKit
public import MoonValues

/// A function that starts and stops modules, or replaces the action, when an action comes.
public struct ModuleMapper: Registrable {
  /// A function that receives the action before it is reduced.
  ///
  /// The host carries out the mappings that it returns, in order.
  public typealias Body = (
    _ action: Action, _ context: SessionContext
  ) throws -> [ModuleMapping]

  /// The actions that the mapper sees; `*` excludes the host's own, `nav/…` and `host/…`.
  package var pattern: ActionPattern
  /// The kind, name and place of the registration.
  package var registration: Registration
  /// The types that it was made from, until it is put into a module; nil if there are none.
  package var typed: TypedParts?
  package let body: Body

  /// Makes a module mapper.
  public init(
    _ pattern: ActionPattern = .all, place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.pattern = pattern
    registration = Registration(.moduleMapper, pattern.description, place: place)
    self.body = body
  }
}

/// One answer of a module mapper to an action.
public enum ModuleMapping: Sendable, Equatable {
  /// Dispatches the module's action `start`.
  case start(ModuleName, Value)
  /// Dispatches the module's action `stop`.
  case stop(ModuleName, Value)
  /// Carries out this action instead of the one that came.
  case replace(Action)
}

extension ModuleMapper: TypedListener {}
