import MoonModules
import MoonSession
import MoonValues

/// The arrival, replacement and departure of modules in Swift.
///
/// Confined to the host.
struct SwiftModules {
  let modules: ModuleSet
  let observers: ModuleObservers
  let options: HostOptions

  /// Puts a module in service and starts it in the sessions.
  ///
  /// - Throws: ``HostError``
  func add(_ module: sending Module, to sessions: [Session]) throws(HostError) -> HostEvent {
    guard modules[module.name] == nil else { throw .nameTaken(module.name) }
    let span = options.telemetry.openLoad(of: module.name, generation: 1)
    defer { span?.endUnloaded() }
    let entry = ModuleSet.Entry(try admitted(module), isOfProgram: true)
    modules.apply([entry.module.name: entry])
    for session in sessions {
      session.start(entry)
      ScreenRemaking.remake(in: session, of: [entry.module.name])
    }
    span?.end(.done)
    return .started(ModuleInfo(entry, nil))
  }

  /// Replaces the module in service that has the same name, `former`.
  ///
  /// - Throws: ``HostError``
  func replace(
    _ former: ModuleSet.Entry, by module: sending Module, in sessions: [Session]
  ) throws(HostError) -> [HostEvent] {
    let begun = ContinuousClock.now
    let name = module.name
    let span = options.telemetry.openLoad(of: name, generation: former.generation + 1)
    defer { span?.endUnloaded() }
    let entry = ModuleSet.Entry(
      try admitted(module), generation: former.generation + 1, isOfProgram: true)
    var swap = ModuleSwap(modules: modules, sessions: sessions, events: [])
    do throws(SwapRefusal) {
      try swap.put(entry, nil, since: begun)
    } catch {
      switch error {
      case .migration(let fault): throw .notMigrated(name, fault)
      case .misshapen(let refusal): throw .refusedState(name, refusal)
      case .tooManyKeptSlices: throw .tooManyKeptSlices(name)
      }
    }
    defer { span?.end(.done) }
    return swap.perform()
  }

  /// Stops a module in the sessions and removes it.
  func remove(_ module: Module, from sessions: [Session]) -> [HostEvent] {
    if let entry = modules[module.name] { for session in sessions { session.stop([entry]) } }
    var swap = ModuleSwap(modules: modules, sessions: sessions, events: [])
    swap.take(module)
    return swap.perform()
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
}
