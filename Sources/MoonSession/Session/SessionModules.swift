import MoonActions
package import MoonModules
package import MoonNavigation
import MoonServiceKit
package import MoonValues

/// The arrival, change and departure of modules.
extension Session {
  /// Gives all modules their slices, from the earlier run if there are any.
  ///
  /// Then runs the `on_start` of new modules and the `on_restore` of the others.
  package func begin(with earlier: SavedState?) {
    let (all, names) = (modules.sorted, modules.names)
    if let earlier {
      slices.takeOver(earlier, presentModules: names)
      for entry in all { giveSlice(to: entry.module) }
    } else {
      slices.copy(modules.firstSlices)
    }
    if earlier == nil {
      // The window that every new session begins with.
      NavigationState.firstTransition.forEachCompletion { announce($0, $1()) }
    }
    for entry in all {
      let hasStarted = earlier?.hasStarted(entry.module.name) ?? false
      if hasStarted { restore(entry) } else { begin(entry) }
    }
    enterService(of: names)
    if earlier != nil { ScreenRemaking.appear(in: self, of: names) }
  }

  /// Takes over the state of an earlier run to carry out again what was recorded from there on.
  ///
  /// No hook of a module runs.
  package func beginReplay(from earlier: SavedState) {
    current.mode = .replay
    slices.takeOver(earlier, presentModules: modules.names)
  }

  /// Gives a new module its slice, runs its `on_start`, and calls its observers that begin at the
  /// start.
  package func start(_ entry: ModuleSet.Entry) {
    let name = entry.module.name
    if slices.versioned(name) == nil { giveSlice(to: entry.module) }
    begin(entry)
    readers.tell(stateValue)
    enterService(of: [name])
  }

  private func begin(_ entry: ModuleSet.Entry) {
    HookCalls(session: self).run(entry, .onStart)
    announce("host/started", about: entry)
  }

  /// Runs the `on_restore` of a module that started in an earlier run.
  private func restore(_ entry: ModuleSet.Entry) {
    HookCalls(session: self).run(entry, .onRestore)
    announce("host/restored", about: entry)
  }

  /// Gives an arriving module its slice: the one put aside for it, migrated to its version if
  /// needed, or else its `state`.
  ///
  /// A slice that doesn't have the module's shape is put aside.
  private func giveSlice(to module: Module) {
    var plan: SlicePlan
    do throws(Fault) {
      plan = try slices.plan(for: module) { (migrate, slice) throws(Fault) in
        try caller.call(BoundRegistration(migrate.registration, of: module.name)) { () in
          try migrate.body(slice.value, slice.version)
        }
      }
    } catch {
      // The slice stays put aside for a version that can migrate it.
      caller.note(error)
      plan = slices.newSlice(of: module)
    }
    plan = slices.shaped(plan, for: module)
    slices.carryOut(plan, for: module)
    switch plan.change {
    case .none, .kept, .filled, .added: break
    case .migrated, .putAside, .swapped, .returned, .incompatible, .misshapen:
      environment.report(.slice(id, module.name, version: module.version, plan.change))
    }
  }

  /// Runs the `on_stop` of modules, and the actions that those dispatch, while all modules are
  /// still in service.
  package func stop(_ leaving: [ModuleSet.Entry]) {
    ObserverStage(session: self).deliverPending(of: leaving)
    durable?.stop(of: Set(leaving.map(\.module.name)))
    begunTasks?.end(of: leaving)
    // Again, for the tasks that actions of the hooks start.
    defer { begunTasks?.end(of: leaving) }
    for entry in leaving {
      HookCalls(session: self).run(entry, .onStop)
      announce("host/stopped", ["module": .string(Text(entry.module.name.text))])
    }
    settle(isWhole: true)
    for error in recorders.keep() { environment.report(.copyEnded(id, error)) }
  }

  /// Queues an action of the host's about a module, with the module's registrations as data, if any
  /// registration listens to it.
  package func announce(_ type: Text, about entry: ModuleSet.Entry) {
    guard modules.listeners(to: type).hasListeners else { return }
    var payload = entry.module.summary
    payload["state"] = state[entry.slice]
    announce(type, .map(payload))
  }

  /// Puts aside the slice of a module that leaves.
  package func putAside(_ module: Module) { slices.putAside(module.name) }

  /// Makes the screen for a URL without showing it.
  ///
  /// - Throws: ``DispatchError/routing(_:)``.
  package func screen(
    for url: Text, passing parameters: Map
  ) throws(DispatchError) -> Screen {
    let guards = RoutingGuards(.route(url, passing: parameters))
    let sequence = RoutingSequence(session: self, purpose: .screen, guards: guards)
    var ids = ScreenIDs(in: try readNavigation())
    do throws(RoutingError) {
      return try sequence.screen(for: RoutedURL(url: url, parameters: parameters), &ids).0
    } catch {
      if let pending = guards.pending { tasks.cancel(pending.task) }
      throw .routing(error)
    }
  }
}
