package import MoonActions
package import MoonModules
import MoonServiceKit
package import MoonValues

/// The checks that an action must pass before it is accepted.
extension ModuleSet {
  /// Returns whether a module, or the host itself, knows a type of action.
  package func knows(_ type: Text) -> Bool { listeners(to: type).isKnown }

  /// Returns whether any registration listens to a type of action.
  package func hears(_ type: Text) -> Bool { listeners(to: type).hasListeners }

  /// Returns whether only the host makes actions of a type: those that announce events.
  package func areMadeByHost(_ type: Text) -> Bool { listeners(to: type).isHostOnly }

  /// Checks an action with the cause in its notes.
  ///
  /// - Throws: ``DispatchError``
  package func check(_ action: Action) throws(DispatchError) {
    _ = try listeners(to: action, cause: nil)
  }

  /// Checks an action and returns the listeners to its type.
  ///
  /// `cause` is the source of the action; nil means the one in its metadata.
  ///
  /// - Throws: ``DispatchError`` if no module knows the type, the payload doesn't match its schema,
  ///   or only the host may make such actions.
  func listeners(to action: Action, cause: Cause?) throws(DispatchError) -> Listeners {
    var action = action
    return try accept(&action, cause: cause)
  }

  /// Checks an action like ``listeners(to:cause:)``, and leaves out the nulls of optional fields.
  func accept(_ action: inout Action, cause: Cause? = nil) throws(DispatchError) -> Listeners {
    if !suspension.modules.isEmpty { try checkService(of: action) }
    let listeners = listeners(to: action.type)
    if listeners.isHostOnly || !listeners.isKnown, !(cause.map { $0 == .host } ?? action.isOfHost) {
      throw listeners.isHostOnly
        ? .reservedForHost(action.type.string) : unknown(action.type.string)
    }
    if action.typedPayload == nil, !listeners.simplyAccept(action.payload) {
      try Self.check(&action, by: listeners.schema)
    }
    return listeners
  }

  private static func check(
    _ action: inout Action, by schema: PayloadSchema?
  ) throws(DispatchError) {
    guard let schema else { return }
    let payload = schema.withoutNulls(action.payload)
    if !payload.isIdentical(to: action.payload) { action.payload = payload }
    let problems = schema.problems(in: action.payload)
    guard problems.isEmpty else {
      throw .invalidPayload(type: action.type.string, problems: problems, declared: schema)
    }
  }

  private func unknown(_ type: String) -> DispatchError {
    guard ActionPattern.isType(type) else { return .malformedType(type) }
    if let owner = ModuleName(String(type.prefix { $0 != "/" })), let absence = absence(of: owner) {
      return .notInService(owner, type: type, absence)
    }
    return .unknownType(type, nearest: registry.nearestType(to: type))
  }

  /// Throws if the action's module is suspended.
  private func checkService(of action: Action) throws(DispatchError) {
    let owner = ModuleName(String(action.type.string.prefix { $0 != "/" }))
    if let owner, suspension.modules.contains(owner) { throw .suspended(owner) }
  }
}
