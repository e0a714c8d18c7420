import MoonLua
import MoonStore

/// What goes wrong in the registrations that a session calls.
extension Session {
  /// A fault for the one who dispatched, counted.
  func fault(
    _ error: any Error, _ owner: ModuleName, _ registration: Registration, _ action: Action?
  ) -> Fault {
    let fault = described(error, owner, registration, action)
    count(fault, of: owner, weight: Self.weight(of: error))
    return fault
  }

  /// Notes a fault that nobody waits for, and counts it.
  func note(
    _ error: any Error, _ owner: ModuleName, _ registration: Registration, _ action: Action?
  ) {
    let fault = described(error, owner, registration, action)
    faults.append(fault)
    report(.fault(id, fault))
    count(fault, of: owner, weight: Self.weight(of: error))
  }

  /// Lets a registration work.
  ///
  /// - Throws: ``Fault`` of what it threw, counted.
  func call<Result>(
    _ registration: Registration, of owner: ModuleName, on action: Action? = nil,
    _ body: (SessionContext) throws -> Result
  ) throws(Fault) -> Result {
    do {
      return try working(registration, owner, body)
    } catch {
      throw fault(error, owner, registration, action)
    }
  }

  /// Lets a registration work that nobody waits for; nil after a fault, which is noted.
  @discardableResult
  func attempt<Result>(
    _ registration: Registration, of owner: ModuleName, on action: Action? = nil,
    _ body: (SessionContext) throws -> Result
  ) -> Result? {
    do {
      return try working(registration, owner, body)
    } catch {
      note(error, owner, registration, action)
      return nil
    }
  }

  private func working<Result>(
    _ registration: Registration, _ owner: ModuleName, _ body: (SessionContext) throws -> Result
  ) throws -> Result {
    let outer = activeKind
    activeKind = registration.kind
    bindings.session = self
    defer { activeKind = outer }
    let result = try body(context(of: owner, registration.kind))
    forget(owner, registration)
    return result
  }

  /// Ends a row of faults.
  func forget(_ owner: ModuleName, _ registration: Registration) {
    if !modules.suspension.isIdle { modules.suspension.forget(owner, registration) }
  }

  private func described(
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
    fault.excerpt = entry?.generation?.excerpt(at: fault.place)
    return fault
  }

  private static func weight(of error: any Error) -> Int {
    (error as? LuaError)?.isFatal == true ? Suspension.killWeight : 1
  }

  private func count(_ fault: Fault, of owner: ModuleName, weight: Int) {
    let inARow = modules.countFault(
      of: owner, in: fault.registration, weight: weight, max: faultsMax(owner))
    if let inARow { report(.suspended(owner, by: fault, inARow: inARow)) }
  }
}
