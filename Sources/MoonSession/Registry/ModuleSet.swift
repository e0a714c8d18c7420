import MoonRouting
import MoonStore
import MoonValues

/// The modules that a host has, by name, and the tables that answer who listens to what.
///
/// Confined to the host. The tables are built whole when modules have changed, never patched.
package final class ModuleSet {
  /// A module as it runs.
  package struct Entry {
    package let module: Module
    /// Which load of the module it is, counted from 1; a module in Swift has only the first.
    package let generation: Int

    package init(_ module: Module, generation: Int = 1) {
      self.module = module
      self.generation = generation
    }
  }

  // Confined to the host and never lent while other code runs, so that a check at each access
  // would find nothing. Without the checks a dispatch takes 535 instructions less.
  /// Modules whose code was ended, until they are started again.
  @exclusivity(unchecked) package var killed: Set<ModuleName> = []
  /// Which modules have failed, and which are suspended for it.
  @exclusivity(unchecked) package var suspension = Suspension()
  @exclusivity(unchecked) private var entries: [ModuleName: Entry] = [:]
  @exclusivity(unchecked) private var last: Listeners?
  @exclusivity(unchecked) package private(set) var registry: Registry
  /// The routes of suspended modules; nil while there are no such modules.
  private var suspendedRouter: Router?
  package let routing: RoutingRules
  /// Whether any module's code was ended and not started again.
  package var hasKilled: Bool { !killed.isEmpty }

  package init(routing: RoutingRules = RoutingRules()) {
    self.routing = routing
    registry = Registry(modules: [], routing: routing)
  }

  /// The modules in the order in which everything is done: by name.
  package var sorted: [Entry] {
    entries.values.sorted { $0.module.name < $1.module.name }
  }

  package subscript(name: ModuleName) -> Entry? { entries[name] }

  /// What a type of action sets in motion.
  func listeners(to type: Text) -> Listeners {
    // Actions of one type come in a row.
    if let last, last.type == type { return last }
    let listeners = registry.listeners(to: type)
    last = listeners
    return listeners
  }

  /// Adds, replaces (an entry) and removes (nil) modules at once.
  ///
  /// O(all registrations).
  package func apply(_ changes: [ModuleName: Entry?]) {
    for (name, entry) in changes {
      entries[name] = entry
      _ = suspension.resume(name)
    }
    rebuild()
  }

  /// Puts a module in place of one whose code was ended; a suspended module stays so.
  package func mend(_ name: ModuleName, with entry: Entry) {
    entries[name] = entry
    rebuild()
  }

  /// Calls the module again; false if it isn't suspended.
  package func resume(_ name: ModuleName) -> Bool {
    guard suspension.resume(name) else { return false }
    rebuild()
    return true
  }

  /// Counts a call that failed; returns how many of the last ones did if the module is suspended
  /// for it.
  func noteFault(
    of name: ModuleName, in registration: Registration, isKill: Bool, max: Int
  ) -> Int? {
    let count = suspension.noteFault(of: name, in: registration, isKill: isKill, max: max)
    if count != nil { rebuild() }
    return count
  }

  /// The suspended module whose routes would take a URL that no other takes; nil if none would.
  ///
  /// O(length of the URL), as long as the routes don't get in each other's way.
  func suspendedTaker(of request: RouteRequest) -> ModuleName? {
    guard let router = suspendedRouter else { return nil }
    return router.table.firstMatch(request).map { router.routes[$0.id].owner }
  }

  private func rebuild() {
    let modules = sorted.map(\.module)
    registry = Registry(
      modules: modules.filter { !suspension.modules.contains($0.name) },
      routing: routing, former: registry.router)
    let suspended = modules.filter { suspension.modules.contains($0.name) }
    suspendedRouter =
      suspended.isEmpty
      ? nil : Router(modules: suspended, routing: routing, former: suspendedRouter)
    last = nil
  }
}
