package import MoonNavigation
import MoonStore
package import MoonValues

/// Modules that come, change and go.
extension Session {
  /// Gives all modules their slices, those of an earlier run where there are any, then runs their
  /// `on_start`.
  package func begin(with earlier: Map) {
    let all = modules.sorted.map(\.module)
    for (key, slice) in earlier {
      guard case .string(let name) = key else { continue }
      if key == NavigationState.key {
        slices.state[key] = slice
      } else if let module = ModuleName(name.string) {
        slices.park((slice, modules[module]?.module.version ?? 1), of: module)
      }
    }
    for module in all where slices.isParked(module.name) || module.state != nil {
      slices.set(module.name, firstSlice(of: module), version: module.version)
    }
    for module in all { start(module) }
    appear(Set(all.map(\.name)))
  }

  /// Makes the screens of an earlier run again, and tells them that they are there.
  private func appear(_ modules: Set<ModuleName>) {
    guard state[NavigationState.key] != nil, let tree = try? readNavigation() else { return }
    var work = NavigationWork(tree: tree)
    work.transitions = [Transition(from: NavigationTree(), to: tree)]
    CompletionStage(session: self).tell(of: work)
    ScreenRemaking.remake(in: self, of: modules, marksGone: true)
  }

  /// Gives a module its slice and runs its `on_start`, unless it has started here already.
  package func start(_ module: Module) {
    if slices[module.name] == nil {
      slices.set(module.name, firstSlice(of: module), version: module.version)
    }
    run(module, .onStart)
    announce("host/started", ["module": .string(Text(module.name.text))])
  }

  /// What a module that was here before has left, brought up to its version, else its `state`.
  private func firstSlice(of module: Module) -> Value? {
    guard let kept = slices.unpark(module.name) else { return module.state }
    var slice = kept.value
    if kept.version != module.version {
      guard let migrate = module.migrate, kept.version < module.version else {
        return module.state
      }
      let migrated = caller.attempt(BoundRegistration(migrate.registration, of: module.name)) { _ in
        try migrate.body(slice, kept.version)
      }
      guard let migrated else {
        // It stays put away, for a version that can make something of it.
        slices.park(kept, of: module.name)
        return module.state
      }
      slice = migrated
    }
    return module.state.map { slice.filled(with: $0) } ?? slice
  }

  /// Runs the `on_stop` of modules, and the actions that those dispatch, while all modules are
  /// there.
  package func stop(_ modules: [Module]) {
    for module in modules {
      run(module, .onStop)
      announce("host/stopped", ["module": .string(Text(module.name.text))])
    }
    settle()
  }

  private func run(_ module: Module, _ kind: RegistrationKind) {
    for hook in module.hooks where hook.registration.kind == kind {
      caller.attempt(Bound(hook, of: module)) { try hook.body($0) }
    }
  }

  /// Puts away the slice of a module that leaves.
  package func park(_ module: Module) { slices.park(module) }

  /// The slice of a module that is here, and its version.
  package func versionedSlice(of module: Module) -> (value: Value, version: Int64)? {
    slices.versioned(module)
  }

  /// Puts a slice in place, outside of any action: after a reload.
  package func setSlice(_ module: ModuleName, _ slice: Value?, version: Int64) {
    slices.set(module, slice, version: version)
  }

  /// The screen that a URL leads to, which isn't shown.
  ///
  /// - Throws: ``DispatchError/routing(_:)``.
  package func screen(
    for url: Text, passing parameters: Map
  ) throws(DispatchError) -> Screen {
    var sequence = RoutingSequence(
      session: self, purpose: .screen, ids: ScreenIDs(in: try readNavigation()))
    do throws(RoutingError) {
      return try sequence.screen(for: Redirect(to: url, passing: parameters)).0
    } catch {
      throw .routing(error)
    }
  }
}
