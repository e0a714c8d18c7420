package import MoonModules
import MoonNavigation
import MoonRouting
package import MoonServiceKit
package import MoonValues

/// The modules of a host, by name, and the tables of their listeners.
///
/// Confined to the host. The tables are rebuilt whole when modules change, never patched.
package final class ModuleSet {
  /// A module in service.
  ///
  /// An object, since a module is a large value and each new session passes over all of them.
  package final class Entry {
    package let module: Module
    /// The number of the generation, from 1; a module in Swift has only one.
    package let generation: Int
    /// Whether it is a module in Swift, which is a part of the program.
    let isOfProgram: Bool
    /// The key of the module's slice.
    let slice: Key
    /// Those of `on_start`, `on_restore` and `on_stop` that the module has.
    let hooks: [Bound<BoundHook>]

    package init(_ module: Module, generation: Int = 1, isOfProgram: Bool = false) {
      self.module = module
      self.isOfProgram = isOfProgram
      self.generation = generation
      slice = Slices.key(module.name)
      hooks = module.hooks.all.map { Bound($0, of: module) }
    }
  }

  /// The modules by name, and what they and modules before them keep out of recordings.
  private struct Entries {
    var all: [ModuleName: Entry] = [:] { didSet { latest = nil } }
    var redacted = RedactedPaths()
    /// The module found last, which is usually the next one, too.
    private var latest: Entry?

    mutating func entry(of name: ModuleName) -> Entry? {
      if let latest, latest.module.name == name { return latest }
      latest = all[name]
      return latest
    }
  }

  /// The modules whose code was ended, until they are restarted.
  package var killed: Set<ModuleName> = []
  /// The recent faults of modules, and which modules are suspended.
  package var suspension = Suspension()
  private var entries = Entries()
  /// The listeners found last: actions of one type often come in a row.
  private var lastListeners: Listeners?
  package private(set) var registry: Registry
  /// The actions that control the session.
  private(set) var controls: ControlTable
  /// Whether any registration listens to changes of the navigation, which the host announces.
  var hearCompletions: Bool { uses.completions }
  /// The routes of suspended modules; nil if there are none.
  private var suspendedRouter: Router?
  package let routing: RoutingRules
  /// The slices of a new session, which all sessions share until they change them.
  private(set) var firstSlices = Slices()
  /// The names of the modules.
  private(set) var names: Set<ModuleName> = []
  /// Whether any module has schedules.
  var haveSchedules: Bool { uses.schedules }
  /// Whether any module has effects that run as long as it is in service.
  var haveKeptEffects: Bool { uses.keptEffects }
  private var uses = (completions: false, schedules: false, keptEffects: false)
  /// Returns why a module whose files are there isn't in service; nil if there are no such files.
  package var findAbsence: (ModuleName) -> ModuleAbsence? = { _ in nil }
  /// The number of times that modules came, changed or left, or their conditions changed.
  package var changeCount: Int { counts.changes }
  /// The number of times that their conditions changed: settings, and which are suspended.
  package var conditionCount: Int { counts.conditions }
  private var counts = (changes: 0, conditions: 0)
  /// Whether the code of a module was ended and hasn't been restarted.
  package var hasKilled: Bool { !killed.isEmpty }

  /// Makes an empty set; `grants` returns the grants of modules at any time.
  package init(
    routing: RoutingRules = RoutingRules(), grants: @escaping () -> Grants = { Grants() }
  ) {
    self.routing = routing
    controls = ControlTable(grants)
    registry = Registry(modules: [], routing: routing)
  }

  /// The modules sorted by name, which is the order for everything the host does.
  package private(set) var sorted: [Entry] = []

  /// What recordings leave out, as modules say now or have said earlier.
  package var redacted: [Path] { entries.redacted.all }

  /// Takes what modules of an earlier run left out of recordings.
  package func note(redacted paths: [Path]) {
    if entries.redacted.note(earlier: paths) { counts.changes += 1 }
  }

  package subscript(name: ModuleName) -> Entry? { entries.entry(of: name) }

  /// Returns why a module isn't in service; nil if it is, or if there are no files of it.
  func absence(of name: ModuleName) -> ModuleAbsence? {
    self[name] == nil ? findAbsence(name) : nil
  }

  /// Returns the listeners to a type of action.
  func listeners(to type: Text) -> Listeners {
    if let last = lastListeners, last.type == type { return last }
    let listeners = registry.listeners(to: type)
    lastListeners = listeners
    return listeners
  }

  /// Adds, replaces (an entry) and removes (nil) modules in one step.
  ///
  /// - Complexity: O(all registrations).
  package func apply(_ changes: [ModuleName: Entry?]) {
    counts.changes += 1
    for (name, entry) in changes {
      entries.all[name] = entry
      if suspension.resume(name) { noteConditions() }
    }
    rebuild()
  }

  /// Replaces a module whose code was ended.
  ///
  /// A suspended module stays suspended.
  package func replaceKilled(_ name: ModuleName, with entry: Entry) {
    counts.changes += 1
    entries.all[name] = entry
    rebuild()
  }

  /// Ends the module's suspension; false if it isn't suspended.
  package func resume(_ name: ModuleName) -> Bool {
    guard suspension.resume(name) else { return false }
    noteConditions()
    rebuild()
    return true
  }

  /// Suspends some modules and no others, as they were when a session was recorded.
  package func suspend(exactly names: Set<ModuleName>) {
    let names = names.intersection(self.names)
    guard suspension.modules != names else { return }
    suspension.suspend(exactly: names)
    noteConditions()
    rebuild()
  }

  /// Notes the settings of a module that changed; returns whether any has.
  package func noteSettings(_ changed: [String]) -> Bool {
    if !changed.isEmpty { noteConditions() }
    return !changed.isEmpty
  }

  private func noteConditions() {
    counts.changes += 1
    counts.conditions += 1
  }

  /// Records a call that failed.
  ///
  /// If the module is suspended for it, returns how many recent calls have failed, else nil.
  func recordFault(
    of name: ModuleName, in registration: Registration?, isKill: Bool, max: Int
  ) -> Int? {
    let count = suspension.recordFault(of: name, in: registration, isKill: isKill, max: max)
    if count != nil {
      noteConditions()
      rebuild()
    }
    return count
  }

  /// Returns the suspended module whose routes would take a URL that no other takes; nil if none
  /// would.
  ///
  /// - Complexity: O(length of the URL), if no routes conflict.
  func suspendedOwner(of request: RouteRequest) -> ModuleName? {
    guard let router = suspendedRouter else { return nil }
    return router.table.firstMatch(request).map { router.routes[$0.id].owner }
  }

  private func rebuild() {
    sorted = entries.all.values.sorted { $0.module.name < $1.module.name }
    let modules = sorted.map(\.module)
    entries.redacted.note(inService: modules.flatMap(\.redacted))
    firstSlices = Slices(of: modules)
    names = Set(entries.all.keys)
    uses.schedules = modules.contains { !$0.schedules.isEmpty }
    uses.keptEffects = modules.contains { $0.effects.contains(where: \.isKept) }
    registry = Registry(
      modules: modules.filter { !suspension.modules.contains($0.name) },
      routing: routing, former: registry.router)
    controls.update(modules) { !suspension.modules.contains($0.name) }
    uses.completions = NavigationCompletion.types.contains {
      registry.listeners(to: $0).hasListeners
    }
    let suspended = modules.filter { suspension.modules.contains($0.name) }
    suspendedRouter =
      suspended.isEmpty
      ? nil : Router(modules: suspended, routing: routing, former: suspendedRouter)
    lastListeners = nil
  }
}
