public import MoonSession
import MoonValues

/// The modules in Swift.
extension Host {
  /// Puts a module in Swift in service, on the same terms as modules in Lua.
  ///
  /// - Throws: ``HostError/nameTaken(_:)``, ``HostError/refusedState(_:_:)``, or
  ///   ``HostError/keptOut(_:_:)``.
  public func add(_ module: sending Module) throws(HostError) {
    guard modules[module.name] == nil else { throw .nameTaken(module.name) }
    let entry = ModuleSet.Entry(try admitted(module))
    modules.apply([entry.module.name: entry])
    for session in sessions {
      session.start(entry.module)
      ScreenRemaking.remake(in: session, of: [entry.module.name])
    }
    publish(addingNews([.started(ModuleInfo(entry, nil))]))
    settle()
  }

  /// Replaces a module in Swift by another with its name, as a reload replaces a module in Lua.
  ///
  /// The slice is kept. If the new module has a higher version, its `migrate` converts the slice;
  /// without `migrate` the slice is put aside. The screens are made again. `onStop` and `onStart`
  /// aren't called.
  ///
  /// - Throws: ``HostError/notInService(_:)``, ``HostError/loadedFromFiles(_:)``,
  ///   ``HostError/refusedState(_:_:)``, ``HostError/keptOut(_:_:)``,
  ///   ``HostError/notMigrated(_:_:)``, or ``HostError/tooManyKeptSlices(_:)``. The former module
  ///   then stays in service.
  public func replace(_ module: sending Module) throws(HostError) {
    let begun = ContinuousClock.now
    let former = try swiftModule(module.name)
    let name = module.name
    let entry = ModuleSet.Entry(try admitted(module), generation: former.generation + 1)
    var swap = ModuleSwap(modules: modules, sessions: sessions, events: [])
    do throws(SwapRefusal) {
      try swap.put(entry, nil, since: begun)
    } catch {
      switch error {
      case .migration(let fault): throw .notMigrated(name, fault)
      case .tooManyKeptSlices: throw .tooManyKeptSlices(name)
      }
    }
    publish(addingNews(swap.perform()))
    settle()
  }

  /// Removes a module in Swift from service.
  ///
  /// In each session its `onStop` runs, its slice is put aside, and its screens become
  /// placeholders. If a module with the name is added later, it gets the slice back. A script that
  /// couldn't be loaded because of the name takes its place.
  ///
  /// - Throws: ``HostError/notInService(_:)`` or ``HostError/loadedFromFiles(_:)``.
  public func remove(_ name: ModuleName) throws(HostError) {
    let module = try swiftModule(name).module
    for session in sessions { session.stop([module]) }
    var swap = ModuleSwap(modules: modules, sessions: sessions, events: [])
    swap.take(module)
    publish(addingNews(swap.perform()))
    settle()
    if reloader?.problems[name] != nil { reload(name) }
  }

  /// Adds a function that sees each module before it is put in service: modules in Swift, and each
  /// load of a module in Lua.
  ///
  /// It may add to the module, for example an observer to every module with a slice, and it may
  /// keep the module out by throwing an error. What it adds belongs to the module, with its faults
  /// and limits. Modules that are already in service aren't shown, so add observers before
  /// ``load()``. Observers are called in the order in which they were added.
  public func addModuleObserver(_ body: @escaping @Sendable (inout Module) throws -> Void) {
    observers.add(body)
  }

  /// Returns a module that the observers have seen, with the quota of slices applied.
  private func admitted(_ module: sending Module) throws(HostError) -> Module {
    let name = module.name
    let held = try options.held(module)
    do throws(ObserverRefusal) {
      return try observers.observed(held)
    } catch {
      throw .keptOut(name, error)
    }
  }

  private func swiftModule(_ name: ModuleName) throws(HostError) -> ModuleSet.Entry {
    guard let entry = modules[name] else { throw .notInService(name) }
    guard reloader?.generations[name] == nil else { throw .loadedFromFiles(name) }
    return entry
  }
}
