import MoonStore
import MoonValues

/// Telling those who observe the state.
extension Session {
  /// Tells observers of what has changed outside of any action, by a reload.
  func notify(changedSince old: Map) {
    guard !state.isIdentical(to: old) else { return }
    bindings.session = self
    notify(old, nil, modules.registry.observers)
  }

  func notify(_ old: Map, _ action: Action?, _ observers: [Registry.BoundObserver]) {
    let before = Value.map(old)
    let after = stateValue
    for bound in observers {
      let oldPart = before.value(at: bound.observer.path)
      let newPart = after.value(at: bound.observer.path)
      if Self.isSame(oldPart, newPart) { continue }
      tell(bound, newPart, oldPart, action)
    }
  }

  private static func isSame(_ left: Value?, _ right: Value?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.isIdentical(to: right) || left == right
    default: false
    }
  }

  private func tell(
    _ bound: Registry.BoundObserver, _ new: Value?, _ old: Value?, _ action: Action?
  ) {
    activeKind = .observer
    defer { activeKind = nil }
    do {
      try bound.observer.body(new, old, context(of: bound.owner, .observer))
      forget(bound.owner, bound.observer.registration)
    } catch {
      note(error, bound.owner, bound.observer.registration, action)
    }
  }

  func context(of module: ModuleName, _ kind: RegistrationKind) -> SessionContext {
    SessionContext(session: self, module: module, kind: kind)
  }
}
