import MoonStore
import MoonValues

/// Modules that come, change and go.
extension Session {
  /// Gives all modules their slices, then runs their starts.
  func begin(_ modules: [Module]) {
    for module in modules where module.state != nil {
      setSlice(module.name, module.state, version: module.version)
    }
    for module in modules { start(module) }
  }

  /// Gives a module its slice and runs its start, unless it runs here already.
  func start(_ module: Module) {
    if let state = module.state, self.state[.string(Text(module.name.text))] == nil {
      if let kept = parked.removeValue(forKey: module.name), kept.version == module.version {
        setSlice(module.name, Slice.filled(kept.slice, with: state), version: module.version)
      } else {
        setSlice(module.name, state, version: module.version)
      }
    }
    runHook(module.start, of: module.name)
    announce("host/started", ["module": .string(Text(module.name.text))])
  }

  /// Runs a module's stop and puts its slice away.
  func stop(_ module: Module) {
    runHook(module.stop, of: module.name)
    announce("host/stopped", ["module": .string(Text(module.name.text))])
    let key = Key.string(Text(module.name.text))
    if let slice = state[key] {
      parked[module.name] = (slice, versions[module.name] ?? module.version)
      state[key] = nil
    }
    versions[module.name] = nil
  }

  /// The slice and version that a module has here, if it has one.
  func slice(of module: ModuleName) -> (value: Value, version: Int64)? {
    state[.string(Text(module.text))].map { ($0, versions[module] ?? 1) }
  }

  /// Puts a slice in place, outside of any action: after a reload, or when a module starts.
  func setSlice(_ module: ModuleName, _ slice: Value?, version: Int64) {
    state[.string(Text(module.text))] = slice
    versions[module] = slice == nil ? nil : version
  }

  /// Queues an action of the host's, if anybody listens to it.
  func announce(_ type: Text, _ payload: Value) {
    let route = modules.route(for: type)
    guard route.isKnown || !route.middleware.isEmpty else { return }
    do throws(DispatchError) {
      try enqueue(Action(type, payload), cause: .host)
    } catch {
      report(.dispatchFailed(id, Action(type, payload), error))
    }
  }

  private func runHook(_ hook: Hook?, of module: ModuleName) {
    guard let hook else { return }
    let outer = bindings.session
    bindings.session = self
    defer { bindings.session = outer }
    activeRegistration = hook.registration
    defer { activeRegistration = nil }
    do {
      try hook.body(context(of: module, hook.registration.kind))
    } catch {
      note(fault(error, module, hook.registration, nil))
    }
  }
}
