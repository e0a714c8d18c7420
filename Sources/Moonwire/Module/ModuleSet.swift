import MoonRouting
import MoonStore
import MoonValues

/// The modules that a host has, by name, and the tables that answer who listens to what.
///
/// Confined to the host. The tables are built whole when modules have changed, never patched.
final class ModuleSet {
  /// A module as it runs.
  struct Entry {
    var module: Module
    /// The load it comes from; nil for a module in Swift.
    var generation: Generation?
    /// Counted from 1; a module in Swift has only the first.
    var number: Int
  }

  // Confined to the host and never lent while other code runs, so that a check at each access,
  // which costs as much as the access, would find nothing.

  /// Modules whose machine was killed, until they are started again.
  @exclusivity(unchecked) var killed: Set<ModuleName> = []
  /// Who has failed, and who is left alone for it.
  @exclusivity(unchecked) var suspension = Suspension()
  @exclusivity(unchecked) private(set) var entries: [ModuleName: Entry] = [:]
  @exclusivity(unchecked) private var lastRoute: Registry.Route?
  @exclusivity(unchecked) private(set) var registry: Registry
  let routing: RoutingRules

  init(routing: RoutingRules = RoutingRules()) {
    self.routing = routing
    registry = Registry(modules: [], routing: routing)
  }

  /// The modules in the order in which everything is done: by name.
  var sorted: [Entry] {
    entries.values.sorted { $0.module.name < $1.module.name }
  }

  subscript(name: ModuleName) -> Entry? { entries[name] }

  /// What a type of action leads to.
  func route(for type: Text) -> Registry.Route {
    // Actions of one type come in a row.
    if let lastRoute, lastRoute.type == type { return lastRoute }
    let route = registry.route(for: type)
    lastRoute = route
    return route
  }

  /// Adds, replaces (an entry) and removes (nil) modules at once.
  ///
  /// O(all registrations).
  func apply(_ changes: [ModuleName: Entry?]) {
    for (name, entry) in changes {
      entries[name] = entry
      _ = suspension.resume(name)
    }
    rebuild()
  }

  /// Puts a new machine in place of one that was killed; a suspended module stays so.
  func mend(_ name: ModuleName, with entry: Entry) {
    entries[name] = entry
    rebuild()
  }

  /// Calls the module again; false if it isn't suspended.
  func resume(_ name: ModuleName) -> Bool {
    guard suspension.resume(name) else { return false }
    rebuild()
    return true
  }

  /// Counts a fault; returns how many it makes in a row if the module is suspended for it.
  func countFault(
    of name: ModuleName, in registration: Registration, weight: Int, max: Int
  ) -> Int? {
    let inARow = suspension.count(name, registration, weight: weight, max: max)
    if inARow != nil { rebuild() }
    return inARow
  }

  /// The suspended module whose routes would take a URL that no other takes; nil if none would.
  ///
  /// O(routes of suspended modules).
  func suspendedTaker(of request: RouteRequest) -> ModuleName? {
    let modules = sorted.map(\.module).filter { suspension.modules.contains($0.name) }
    guard !modules.isEmpty else { return nil }
    let router = Router(modules: modules, routing: routing, former: nil)
    return router.table.firstMatch(request).map { router.routes[$0.id].owner }
  }

  private func rebuild() {
    registry = Registry(
      modules: sorted.filter { !suspension.modules.contains($0.module.name) },
      routing: routing, former: registry.router)
    lastRoute = nil
  }
}
