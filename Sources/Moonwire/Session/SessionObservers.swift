import Logging
import MoonLua
import MoonStore
import MoonValues

/// Telling those who observe the state, and what goes wrong with registrations.
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
      if !modules.suspension.isIdle {
        modules.suspension.forget(bound.owner, bound.observer.registration)
      }
    } catch {
      note(fault(error, bound.owner, bound.observer.registration, action))
    }
  }

  func context(of module: ModuleName, _ kind: RegistrationKind) -> SessionContext {
    SessionContext(session: self, module: module, kind: kind)
  }

  /// Lets a registration work.
  ///
  /// - Throws: ``Fault`` of what it threw.
  func call<Result>(
    _ registration: Registration, of owner: ModuleName, on action: Action? = nil,
    _ body: (SessionContext) throws -> Result
  ) throws(Fault) -> Result {
    let outer = activeKind
    activeKind = registration.kind
    defer { activeKind = outer }
    do {
      let result = try body(context(of: owner, registration.kind))
      if !modules.suspension.isIdle { modules.suspension.forget(owner, registration) }
      return result
    } catch {
      throw fault(error, owner, registration, action)
    }
  }

  func fault(
    _ error: any Error, _ owner: ModuleName, _ registration: Registration, _ action: Action?
  ) -> Fault {
    let entry = modules[owner]
    var fault: Fault
    if let error = error as? LuaError {
      fault = Fault(
        error, module: owner.text, generation: entry?.number ?? 0, registration: registration,
        action: action)
      if error.isFatal { modules.killed.insert(owner) }
    } else {
      fault = Fault(
        describing: error, module: owner.text, generation: entry?.number ?? 0,
        registration: registration, action: action)
    }
    let weight = (error as? LuaError)?.isFatal == true ? Suspension.killWeight : 1
    if modules.countFault(of: owner, in: registration, weight: weight, max: faultsMax) {
      bindings.log(
        .error, "suspended after too many faults in a row: reload it or resume it",
        from: owner.text)
    }
    fault.excerpt = entry?.generation?.excerpt(at: fault.place)
    return fault
  }

  func note(_ fault: Fault) {
    faults.append(fault)
    report(.fault(id, fault))
  }
}
