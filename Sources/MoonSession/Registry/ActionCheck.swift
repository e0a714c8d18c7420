import MoonStore
import MoonValues

/// What an action has to be like to be taken in.
extension ModuleSet {
  /// What an action's type sets in motion.
  ///
  /// `cause` says who dispatches it; nil for whom it notes itself.
  ///
  /// - Throws: ``DispatchError`` if nobody knows the type, its payload isn't what was declared, or
  ///   only the host makes such actions.
  func listeners(to action: Action, cause: Cause?) throws(DispatchError) -> Listeners {
    if !suspension.modules.isEmpty { try checkService(of: action) }
    let listeners = listeners(to: action.type)
    if listeners.isHosts || !listeners.isKnown, (cause ?? action.meta.cause) != .host {
      throw listeners.isHosts
        ? .madeByHostOnly(action.type.string) : unknown(action.type.string)
    }
    if let schema = listeners.schema {
      let problems = schema.problems(in: action.payload)
      guard problems.isEmpty else {
        throw .invalidPayload(type: action.type.string, problems: problems, declared: schema)
      }
    }
    return listeners
  }

  private func unknown(_ type: String) -> DispatchError {
    guard ActionPattern.isType(type) else { return .malformedType(type) }
    return .unknownType(
      type, nearest: Spelling.nearest(to: type, in: registry.types.sorted()))
  }

  /// Refuses actions of suspended modules.
  private func checkService(of action: Action) throws(DispatchError) {
    let owner = ModuleName(String(action.type.string.prefix { $0 != "/" }))
    if let owner, suspension.modules.contains(owner) { throw .suspended(owner) }
  }
}
