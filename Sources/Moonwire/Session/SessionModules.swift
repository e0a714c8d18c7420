import MoonNavigation
import MoonStore
import MoonValues

/// Modules that come, change and go.
extension Session {
  /// Gives all modules their slices, those of an earlier run where there are any, then runs their
  /// starts.
  func begin(_ modules: [Module], with slices: Map) {
    for (key, slice) in slices {
      guard case .string(let name) = key else { continue }
      if key == Self.navigationKey {
        state[key] = slice
      } else if let module = ModuleName(name.string) {
        let version = modules.first { $0.name == module }?.version ?? 1
        parked[module] = (slice, version)
      }
    }
    for module in modules {
      guard parked[module.name] != nil || module.state != nil else { continue }
      setSlice(module.name, firstSlice(of: module), version: module.version)
    }
    for module in modules { start(module) }
    appear(modules)
  }

  /// Makes the screens of an earlier run again, and tells them that they are there.
  private func appear(_ modules: [Module]) {
    guard state[Self.navigationKey] != nil, let tree = try? navigationTree() else { return }
    let transition = Transition(from: NavigationTree(), to: tree)
    var work = Work(next: state, tree: tree, noted: [])
    work.transitions = [transition]
    finishNavigation(work)
    remakeScreens(of: Set(modules.map(\.name)), orGone: true)
  }

  /// Gives a module its slice and runs its start, unless it runs here already.
  func start(_ module: Module) {
    if state[.string(Text(module.name.text))] == nil {
      setSlice(module.name, firstSlice(of: module), version: module.version)
    }
    runHook(module.start, .start, of: module.name)
    announce("host/started", ["module": .string(Text(module.name.text))])
  }

  /// What a module that was here before has left, brought up to its version, else its `state`.
  private func firstSlice(of module: Module) -> Value? {
    guard let kept = parked.removeValue(forKey: module.name) else { return module.state }
    var slice = kept.slice
    if kept.version != module.version {
      guard let migrate = module.migrate, kept.version < module.version else {
        return module.state
      }
      do {
        slice = try migrate(slice, kept.version)
      } catch {
        // It stays put away, for a version that can make something of it.
        parked[module.name] = kept
        note(error, module.name, Registration(.migrate, "migrate"), nil)
        return module.state
      }
    }
    return module.state.map { Slice.filled(slice, with: $0) } ?? slice
  }

  /// Runs the stops of modules, and the actions that they dispatch, while all modules are there.
  func stop(_ modules: [Module]) {
    for module in modules {
      runHook(module.stop, .stop, of: module.name)
      announce("host/stopped", ["module": .string(Text(module.name.text))])
    }
    _ = settle()
  }

  /// Puts away the slice of a module that leaves.
  func park(_ module: Module) {
    let key = Key.string(Text(module.name.text))
    if let slice = state[key] {
      parked[module.name] = (slice, versions[module.name] ?? module.version)
      state[key] = nil
    }
    versions[module.name] = nil
  }

  /// The slice and version that a module has here, if it has one.
  func slice(of module: ModuleName) -> (value: Value, version: Int64)? {
    state[.string(Text(module.text))].map {
      ($0, versions[module] ?? modules[module]?.module.version ?? 1)
    }
  }

  /// Puts a slice in place, outside of any action: after a reload, or when a module starts.
  func setSlice(_ module: ModuleName, _ slice: Value?, version: Int64) {
    state[.string(Text(module.text))] = slice
    versions[module] = slice == nil ? nil : version
  }

  /// Queues an action of the host's, if anybody listens to it.
  func announce(_ type: Text, _ payload: Value) {
    guard modules.route(for: type).isHeard else { return }
    do throws(DispatchError) {
      try enqueue(Action(type, payload), cause: .host)
    } catch {
      fail(Action(type, payload), error)
    }
  }

  /// Announces that a module's files don't make a module.
  func announceFailure(_ module: ModuleName?, _ problems: [ModuleProblem]) {
    var payload = Map()
    payload["module"] = module.map { .string(Text($0.text)) }
    payload["file"] = problems.first.map { .string(Text($0.place.file)) }
    payload["line"] = problems.first.map { .int(Int64($0.place.line)) }
    announce("host/failed", .map(payload))
  }

  private func runHook(_ hook: Hook?, _ kind: RegistrationKind, of module: ModuleName) {
    guard let hook else { return }
    let registration = hook.registration(as: kind)
    bindings.session = self
    activeKind = registration.kind
    defer { activeKind = nil }
    do {
      try hook.body(context(of: module, kind))
      forget(module, registration)
    } catch {
      note(error, module, registration, nil)
    }
  }
}
