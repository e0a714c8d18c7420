public import MoonModules
package import MoonScripts
public import MoonServiceKit
import MoonSession
package import MoonValues

/// The modules in service, and what they may do.
extension Host {
  /// Returns all modules, sorted by name, including those that failed to load.
  public func moduleInfos() -> [ModuleInfo] { modules.infos }

  /// Returns the problems with files that belong to no module: invalid names, and files that
  /// couldn't be listed.
  package func strayProblems() -> [ModuleProblem] { modules.reloader?.strayProblems ?? [] }

  /// Returns the actions of one module or of all: those declared, and those that reducers name.
  package func actionInfos(of module: ModuleName? = nil) -> [ActionInfo] {
    modules.inService.registry.actions(of: module)
  }

  /// Returns the registrations that may never be called, because the name that they refer to is
  /// unknown; at most 100 for each module.
  ///
  /// - Complexity: O(names) after each change of modules.
  package func deadNames() -> [DeadName] { modules.names.all }

  /// Returns the names in the modules' files that are most likely mistakes: globals, and unknown
  /// fields of the state; at most 100 for each module.
  ///
  /// - Complexity: O(names) after each change of modules.
  package func doubtfulNames() -> [DoubtfulName] { modules.names.doubtful }

  // MARK: Modules in Swift

  /// Puts a module in Swift in service.
  ///
  /// It has the same rights as a module in Lua.
  ///
  /// - Throws: ``HostError/nameTaken(_:)``, ``HostError/refusedState(_:_:)``, or
  ///   ``HostError/keptOut(_:_:)``.
  public func add(_ module: sending Module) throws(HostError) {
    announce(try modules.add(module, to: sessions.all))
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
    announce(try modules.replace(module, in: sessions.all))
  }

  /// Removes a module in Swift from service.
  ///
  /// In each session its `onStop` runs, its slice is put aside, and its screens are marked as
  /// missing. If a module with the name is added later, it gets the slice back. A script that
  /// couldn't be loaded because of the name takes the module's place.
  ///
  /// - Throws: ``HostError/notInService(_:)`` or ``HostError/loadedFromFiles(_:)``.
  public func remove(_ name: ModuleName) throws(HostError) {
    announce(try modules.remove(name, from: sessions.all))
    if modules.reloader?.problems[name] != nil { reload(name) }
  }

  /// Adds an observer of modules: a function that receives each module before it is put in service.
  ///
  /// The observer is called for modules in Swift, and for each load of a module in Lua. It can add
  /// registrations, for example an observer to every module with a slice. It can refuse the module
  /// by throwing an error. Added registrations belong to the module and count towards its faults
  /// and limits. Modules that are already in service aren't passed, so add observers before
  /// ``load()``. Observers are called in the order in which they were added.
  public func addModuleObserver(_ body: @escaping @Sendable (inout Module) throws -> Void) {
    modules.observers.add(body)
  }

  /// Resumes a suspended module and remakes its screens; returns false if it isn't suspended.
  @discardableResult
  public func resume(_ name: ModuleName) -> Bool {
    guard modules.resume(name) else { return false }
    sessions.publish([.resumed(name)])
    modules.enterAgain(name, in: sessions.all)
    sessions.settle()
    return true
  }

  // MARK: Settings and permissions

  /// Reads all settings again, without reloading modules, and calls `on_settings` of those whose
  /// settings have changed.
  ///
  /// - Returns: The settings that can't be used; their modules keep the former ones.
  @discardableResult
  public func updateSettings() -> [ModuleName: SettingError] {
    defer { sessions.settle() }
    return modules.updateSettings(in: sessions.all)
  }

  /// Returns the settings of a module with their values, in order; nil for a secret's.
  package func settings(
    of name: ModuleName
  ) -> [(setting: Setting, value: Value?, isGiven: Bool)] {
    guard let settings = modules.inService[name]?.module.settings else { return [] }
    return settings.declared.map { settings.values.entry(of: $0) }
  }

  /// The permissions of modules, with those that were given since the host was made.
  public var grants: Grants { bindings.services.grants }

  /// The services that modules can use.
  package nonisolated var services: [Service] { options.services }

  /// Grants scopes from now on, and loads the modules that weren't loaded for lack of them.
  ///
  /// The events are both returned and published.
  @discardableResult
  public func allow(_ rules: [Grants.Rule]) -> [HostEvent] {
    changeGrants { grants in
      grants.allowed += rules.filter { !grants.allowed.contains($0) }
    }
  }

  /// Changes the grants from now on, and loads the modules that weren't loaded for lack of one.
  ///
  /// A module that has lost a grant stays in service, and services refuse it what it may no longer
  /// use. A module that may no longer change other modules' slices is suspended. The events are
  /// both returned and published.
  @discardableResult
  package func changeGrants(_ change: (inout Grants) -> Void) -> [HostEvent] {
    guard bindings.services.changeGrants(change) else { return [] }
    for name in modules.suspend(without: grants) {
      for session in sessions.all { session.tasks.cancelAll(of: name) }
    }
    defer { sessions.settle() }
    return modules.infos.filter(\.lacksGrant).flatMap { reload($0.name) }
  }

  /// Returns the commands of all modules in service, such as `cart/total`, sorted.
  package func commandNames() -> [String] { modules.commandNames }
}

extension ModuleInfo {
  /// Whether files of the module weren't loaded because it isn't granted what it needs.
  fileprivate var lacksGrant: Bool {
    problems.contains { if case .notGranted = $0.reason { true } else { false } }
  }
}
