public import MoonSession

/// The modules in Swift.
extension Host {
  /// Puts a module in Swift in service.
  ///
  /// It has the same rights as a module in Lua.
  ///
  /// - Throws: ``HostError/nameTaken(_:)``, ``HostError/refusedState(_:_:)``, or
  ///   ``HostError/keptOut(_:_:)``.
  public func add(_ module: sending Module) throws(HostError) {
    announce([try swiftModules.add(module, to: sessions.all)])
  }

  /// Replaces a module in Swift by another with its name, as a reload replaces a module in Lua.
  ///
  /// The slice is kept. If the new module has a higher version, its `migrate` converts the slice;
  /// without `migrate` the slice is put aside. The screens are remade. `onStop` and `onStart`
  /// aren't called.
  ///
  /// - Throws: ``HostError/notInService(_:)``, ``HostError/loadedFromFiles(_:)``,
  ///   ``HostError/refusedState(_:_:)``, ``HostError/keptOut(_:_:)``,
  ///   ``HostError/notMigrated(_:_:)``, or ``HostError/tooManyKeptSlices(_:)``. The former module
  ///   then stays in service.
  public func replace(_ module: sending Module) throws(HostError) {
    let former = try swiftModule(module.name)
    announce(try swiftModules.replace(former, by: module, in: sessions.all))
  }

  /// Removes a module in Swift from service.
  ///
  /// In each session its `onStop` runs, its slice is put aside, and its screens are marked as
  /// missing. If a module with the name is added later, it gets the slice back. A script that
  /// couldn't be loaded because of the name takes the module's place.
  ///
  /// - Throws: ``HostError/notInService(_:)`` or ``HostError/loadedFromFiles(_:)``.
  public func remove(_ name: ModuleName) throws(HostError) {
    let module = try swiftModule(name).module
    announce(swiftModules.remove(module, from: sessions.all))
    if reloader?.problems[name] != nil { reload(name) }
  }

  /// Adds an observer of modules: a function that receives each module before it is put in service.
  ///
  /// The observer is called for modules in Swift, and for each load of a module in Lua. It can add
  /// registrations, for example an observer to every module with a slice. It can refuse the module
  /// by throwing an error. Added registrations belong to the module and count towards its faults
  /// and limits. Modules that are already in service aren't passed, so add observers before
  /// ``load()``. Observers are called in the order in which they were added.
  public func addModuleObserver(_ body: @escaping @Sendable (inout Module) throws -> Void) {
    swiftModules.observers.add(body)
  }

  /// Publishes what has changed with the modules, and finishes the work that follows from it.
  ///
  /// New warnings follow the events. Returns all that it has published.
  @discardableResult
  func announce(_ events: [HostEvent]) -> [HostEvent] {
    let all =
      events.isEmpty ? events : events + reportedWarnings.take(after: events, in: modules, reloader)
    publish(all)
    settle(tellingChanges: true)
    return all
  }

  private func swiftModule(_ name: ModuleName) throws(HostError) -> ModuleSet.Entry {
    guard let entry = modules[name] else { throw .notInService(name) }
    guard reloader?.generations[name] == nil else { throw .loadedFromFiles(name) }
    return entry
  }

  /// Resumes a suspended module and remakes its screens; returns false if it isn't suspended.
  @discardableResult
  public func resume(_ name: ModuleName) -> Bool {
    guard modules.resume(name) else { return false }
    publish([.resumed(name)])
    for session in sessions.all {
      ScreenRemaking.remake(in: session, of: [name])
      session.enterService(of: [name])
    }
    settle()
    return true
  }
}
