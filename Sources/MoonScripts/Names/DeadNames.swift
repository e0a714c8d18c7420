import MoonActions
import MoonModules
import MoonRouting
package import MoonServiceKit
package import MoonSession
import MoonValues

/// The search for registrations that may never be called because of their names, and for schedules
/// of actions that no module knows.
///
/// It can't see names that code computes when it runs. So a name is accepted if another string in
/// the modules' files contains it. Results are kept, and found again only for the modules that a
/// change concerns. Confined to the host.
package final class DeadNames {
  /// The maximum number of names found in one module, more than anyone reads.
  static let countMax = 100

  /// The findings in a module, and their dependencies.
  private struct Found {
    var names: [DeadName] = []
    /// The modules that its registrations name.
    var owners: Set<String> = []
    /// Whether the module has patterns of routes.
    var usesRoutes = false
    /// Whether a text of any module can change the findings.
    var dependsOnTexts = false
  }

  private var modules: [String: ModuleNames] = [:]
  /// The number of routes with each pattern, in all modules.
  private var routePatterns: [String: Int] = [:]
  /// The modules that have a text such as `todo/add` in quotes.
  private var writers: [ArraySlice<UInt8>: Set<String>] = [:]
  /// The modules that aren't in service because of a problem; their names aren't known.
  private var failed: Set<String> = []
  private var found: [String: Found] = [:]
  /// The kinds of routing options that have presenters.
  private var optionKinds: Set<String> = []
  private var haveKindsChanged = false
  /// The keys that do nothing, by module.
  private var clashes: [ModuleName?: [KeyTable.Clash]] = [:]
  private var registered = RegisteredNames()
  private let suggestions = Suggestions()
  private var doubts: [String: [DoubtfulName]] = [:]
  /// The modules that call commands by name.
  private var callers: Set<String> = []

  /// Makes an empty search.
  package init() {}

  /// The dead names of all modules, in the order of the modules' names.
  package var all: [DeadName] {
    found.filter { !$0.value.names.isEmpty }.sorted { $0.key < $1.key }.flatMap(\.value.names)
  }
  /// Names in their files that are most likely mistakes, in the same order; those in a library that
  /// several modules require only once.
  package var doubtful: [DoubtfulName] {
    suggestions.begin()
    var seen: Set<DoubtfulName.Identity> = []
    return modules.keys.sorted()
      .flatMap { (doubts[$0] ?? []) + unknownCommands(calledBy: $0) + targetsAndActions(of: $0) }
      // Middleware receives the whole state, whose fields are modules.
      .filter { $0.reason != .unknownField || (modules[$0.name] == nil && $0.name != "navigation") }
      .filter { seen.insert($0.identity).inserted }
  }

  /// Updates the findings for modules that have changed, arrived or left.
  ///
  /// `problems` are the modules whose files have problems. Those that aren't in service don't count
  /// as missing.
  ///
  /// - Complexity: O(size of those modules and of the modules whose registrations name them).
  package func update(
    _ changed: Set<ModuleName>, in set: ModuleSet, problems: Set<ModuleName>,
    _ generations: [ModuleName: Generation]
  ) {
    let failed = Set(problems.filter { set[$0] == nil }.map(\.text))
    registered = RegisteredNames(set, suggestions)
    let kinds = Set(set.registry.router.optionKinds)
    haveKindsChanged = kinds != optionKinds
    optionKinds = kinds
    suggestions.begin()
    clashes = Dictionary(grouping: KeyTable(set.sorted).clashes, by: \.lost.owner)
    let isSame = failed == self.failed
    self.failed = failed
    var haveRoutes = false
    for name in changed {
      haveRoutes = replace(name, in: set, generations[name]) || haveRoutes
    }
    let names = Set(changed.map(\.text))
    for (name, module) in modules {
      let before = found[name]
      let isConcerned =
        !isSame || names.contains(name)
        || before.map { found in
          found.dependsOnTexts || ((haveRoutes || haveKindsChanged) && found.usesRoutes)
            || !found.owners.isDisjoint(with: names)
        } ?? true
      if isConcerned { find(in: module) }
    }
  }

  /// Replaces the names of a module; returns whether it has or had routes.
  private func replace(
    _ name: ModuleName, in set: ModuleSet, _ generation: Generation?
  ) -> Bool {
    let old = modules.removeValue(forKey: name.text)
    found[name.text] = nil
    doubts[name.text] = nil
    callers.remove(name.text)
    for pattern in old?.patterns ?? [] {
      routePatterns[pattern, default: 1] -= 1
      if routePatterns[pattern] == 0 { routePatterns[pattern] = nil }
    }
    for type in old?.writtenTypes ?? [] {
      writers[type]?.remove(name.text)
      if writers[type]?.isEmpty == true { writers[type] = nil }
    }
    guard let module = set[name]?.module else { return old?.patterns.isEmpty == false }
    let new = ModuleNames(module, generation)
    modules[name.text] = new
    let doubtful = new.doubtfulNames(suggestions)
    if !doubtful.isEmpty { doubts[name.text] = doubtful }
    if new.callsCommands { callers.insert(name.text) }
    for pattern in new.patterns { routePatterns[pattern, default: 0] += 1 }
    for type in new.writtenTypes { writers[type, default: []].insert(name.text) }
    return !new.patterns.isEmpty || old?.patterns.isEmpty == false
  }

  private func unknownCommands(calledBy name: String) -> [DoubtfulName] {
    guard let module = modules[name] else { return [] }
    return module.unknownCommands(suggestions) { owner in
      failed.contains(owner) ? nil : modules.flatMap(\.value.commands)
    }
  }

  /// Returns whether the module of an action is missing, and registrations already tell of it.
  private func isKnownToMiss(_ type: Text, _ module: ModuleNames) -> Bool {
    let prefix = type.string.prefix { $0 != "/" }
    guard modules[String(prefix)] == nil else { return false }
    return module.module.listeners.contains { $0.pattern.description.hasPrefix("\(prefix)/") }
  }

  private func targetsAndActions(of name: String) -> [DoubtfulName] {
    guard failed.isEmpty, let module = modules[name] else { return [] }
    let hasUnmatched = modules.values.contains { $0.module.hooks.unmatched != nil }
    let targets = module.unknownTargets(
      knows: { [self] in registered.knows($0) || isKnownToMiss($0, module) },
      takes: { hasUnmatched || registered.takes($0) },
      nearest: registered.nearestType)
    // An action that a task takes needs no other listener.
    guard !modules.values.contains(where: \.takesActions) else { return targets }
    return Array((targets + module.unheardActions(registered.hears)).prefix(Self.countMax))
  }

  private func find(in module: ModuleNames) {
    var result = Found()
    let checks: [(inout Found) -> DeadName?] =
      module.module.listeners.map { entry in
        { self.name(entry.registration, entry.pattern, module, &$0) }
      }
      + module.observed.map { entry in { self.name(entry.registration, entry.slice, module, &$0) } }
      + module.routed.map { entry in { self.name(entry.registration, entry.pattern, module, &$0) } }
      + module.module.views.map { view in { self.name(view, module, &$0) } }
      + module.module.extensions.map { added in { self.name(added, module, &$0) } }
      + module.followed.map { entry in { self.name(entry.registration, entry.screens, module, &$0) }
      }
      + module.module.routes.map { route in { self.parentName(route, module, &$0) } }
      + module.module.routes.map { route in { self.optionName(route, module, &$0) } }
      + module.module.schedules.map { schedule in
        { self.name(schedule.registration, schedule.action, module, &$0) }
      }
      + module.module.keys.map { key in { self.name(key, module, &$0) } }
      + (clashes[module.module.name] ?? []).map { clash in { _ in self.name(clash, module) } }
    for check in checks {
      guard result.names.count < Self.countMax else { break }
      if let name = check(&result), !module.allows(name.name) { result.names.append(name) }
    }
    found[module.name] = result
  }

  private func dead(
    _ registration: Registration, _ module: ModuleNames, _ reason: DeadName.Reason,
    _ nearest: @autoclosure () -> String? = nil
  ) -> DeadName? {
    let name = DeadName(
      module: module.module.name, registration: registration, reason: reason, nearest: nil)
    if module.allows(name.name) { return nil }
    return DeadName(
      module: module.module.name, registration: registration, reason: reason,
      nearest: suggestions.search(nearest))
  }

  private func noModule(
    _ name: String, _ registration: Registration, _ module: ModuleNames, _ found: inout Found
  ) -> DeadName? {
    found.owners.insert(name)
    if failed.contains(name) { return nil }
    return dead(
      registration, module, .noModule(name),
      Spelling.nearest(to: name, in: modules.keys.sorted() + ["host", "nav"]))
  }

  // MARK: Actions

  private func name(
    _ registration: Registration, _ pattern: ActionPattern, _ module: ModuleNames,
    _ found: inout Found
  ) -> DeadName? {
    switch pattern {
    case .all: return nil
    case .family(let prefix):
      let owner = String(prefix.string.prefix { $0 != "/" })
      found.owners.insert(owner)
      if ["api", "host", "nav"].contains(owner) || modules[owner] != nil { return nil }
      found.dependsOnTexts = true
      if modules.values.contains(where: { $0.announces(prefix) }) { return nil }
      return noModule(owner, registration, module, &found)
    case .exact(let type):
      let parts = type.string.split(separator: "/", maxSplits: 1).map(String.init)
      return name(registration, owner: parts[0], parts[1], module, &found)
    }
  }

  private func name(
    _ registration: Registration, owner: String, _ action: String, _ module: ModuleNames,
    _ found: inout Found
  ) -> DeadName? {
    let type = "\(owner)/\(action)"
    let known: Set<String>
    switch owner {
    case "host": known = ModuleNames.hostActions
    case "nav": known = ModuleNames.navigationActions
    case "api": known = ModuleNames.requestActions
    default:
      found.owners.insert(owner)
      guard let other = modules[owner] else {
        found.dependsOnTexts = true
        return isWritten(type, besides: module)
          ? nil : noModule(owner, registration, module, &found)
      }
      known = owner == module.name && other.declaresActions ? other.declared : other.actions
      if known.contains(action) || other.quotes(action) || other.quotes(type) { return nil }
      found.dependsOnTexts = true
      if isWritten(type, besides: module) { return nil }
    }
    if known.contains(action) { return nil }
    return dead(
      registration, module, .noAction(type),
      Spelling.nearest(to: action, in: known.sorted()).map { "\(owner)/\($0)" })
  }

  /// Returns whether any module but the listener has an action in quotes, or one dispatches it
  /// without its code.
  private func isWritten(_ type: String, besides listener: ModuleNames) -> Bool {
    writers[Array(type.utf8)[...]]?.contains {
      $0 != listener.name || listener.dispatched.contains(Text(type))
    } ?? false
  }

  private func name(
    _ registration: Registration, _ action: Action, _ module: ModuleNames, _ found: inout Found
  ) -> DeadName? {
    // Any module may begin or cease to know the action.
    found.dependsOnTexts = true
    if !failed.isEmpty || registered.knows(action.type) { return nil }
    return dead(
      registration, module, .unknownAction(action.type.string),
      registered.nearestType(action.type.string))
  }

  // MARK: Keys

  private func name(
    _ key: KeyBinding, _ module: ModuleNames, _ found: inout Found
  ) -> DeadName? {
    // Any module may take the key.
    found.dependsOnTexts = true
    if let first = key.keys.presses.first, KeyPress.reservedOnStage.contains(first.text) {
      return dead(key.registration, module, .reservedKey(first.text))
    }
    // What buttons do is checked where they are written.
    guard case .action(let target)? = key.target, target.title == nil else { return nil }
    guard let url = target.url else { return name(key.registration, target.action, module, &found) }
    let isTaken =
      modules.values.contains { $0.module.hooks.unmatched != nil } || registered.takes(url)
    if !failed.isEmpty || isTaken || !url.hasPrefix("/") { return nil }
    return dead(key.registration, module, .noURL(url.string))
  }

  private func name(_ clash: KeyTable.Clash, _ module: ModuleNames) -> DeadName? {
    guard let owner = clash.first.owner else { return nil }
    return dead(
      clash.lost.binding.registration, module,
      .takenKey(
        "\(clash.first.binding.keys)", by: owner, at: clash.first.binding.registration.place))
  }

  // MARK: The state, routes and screens

  private func name(
    _ registration: Registration, _ slice: Text, _ module: ModuleNames, _ found: inout Found
  ) -> DeadName? {
    found.owners.insert(slice.string)
    if slice == "navigation" || modules[slice.string] != nil { return nil }
    return noModule(slice.string, registration, module, &found)
  }

  private func name(
    _ registration: Registration, _ pattern: Text?, _ module: ModuleNames, _ found: inout Found
  ) -> DeadName? {
    found.usesRoutes = true
    guard let pattern, failed.isEmpty else { return nil }
    if routePatterns[pattern.string] != nil { return nil }
    return dead(
      registration, module, .noRoute(pattern.string),
      Spelling.nearest(to: pattern.string, in: routePatterns.keys.sorted()))
  }

  private func name(_ view: View, _ module: ModuleNames, _ found: inout Found) -> DeadName? {
    let (owner, kind) = module.screens(view.kind.string)
    found.owners.insert(owner)
    guard let other = modules[owner] else {
      return noModule(owner, view.registration, module, &found)
    }
    if other.name != module.name, other.viewKinds.contains(kind) {
      return dead(view.registration, module, .ownView(kind: kind, module: owner))
    }
    return noScreen(view.registration, kind, other, module)
  }

  private func name(
    _ added: ViewExtension, _ module: ModuleNames, _ found: inout Found
  ) -> DeadName? {
    let (owner, kind) = module.screens(added.screens.string)
    found.owners.insert(owner)
    guard let other = modules[owner] else {
      return noModule(owner, added.registration, module, &found)
    }
    if let name = noScreen(added.registration, kind, other, module) { return name }
    let slot = added.slot.string
    if other.quotes(slot) || !other.isScript { return nil }
    return dead(added.registration, module, .noSlot(slot, module: owner))
  }

  private func name(
    _ registration: Registration, _ screens: ScreenPattern?, _ module: ModuleNames,
    _ found: inout Found
  ) -> DeadName? {
    switch screens {
    case nil, .all: return nil
    case .module(let owner):
      found.owners.insert(owner.string)
      return modules[owner.string] == nil
        ? noModule(owner.string, registration, module, &found) : nil
    case .kind(let kind, let owner):
      found.owners.insert(owner.string)
      guard let other = modules[owner.string] else {
        return noModule(owner.string, registration, module, &found)
      }
      return noScreen(registration, kind.string, other, module)
    }
  }

  /// Returns the parent of a route, if no route takes it; one with parameters isn't checked.
  private func parentName(
    _ route: Route, _ module: ModuleNames, _ found: inout Found
  ) -> DeadName? {
    guard let parent = route.parent?.pattern else { return nil }
    found.usesRoutes = true
    if !failed.isEmpty || routePatterns[parent.text.string] != nil { return nil }
    guard parent.parameterNames.isEmpty, !registered.takes(parent.text) else { return nil }
    return dead(
      route.registration, module, .noParent(parent.text.string),
      Spelling.nearest(to: parent.text.string, in: routePatterns.keys.sorted()))
  }

  /// Returns the option of a route, if no module presents screens with it.
  private func optionName(
    _ route: Route, _ module: ModuleNames, _ found: inout Found
  ) -> DeadName? {
    guard let kind = route.option?.kind.string else { return nil }
    found.usesRoutes = true
    if !failed.isEmpty || optionKinds.contains(kind) { return nil }
    return dead(
      route.registration, module, .noOption(kind),
      Spelling.nearest(to: kind, in: optionKinds.sorted()))
  }

  private func noScreen(
    _ registration: Registration, _ kind: String, _ owner: ModuleNames, _ module: ModuleNames
  ) -> DeadName? {
    // Screens may get their kind when they are made, and modules in Swift can't be read.
    if owner.screenKinds.contains(kind) || owner.quotes(kind) || !owner.isScript { return nil }
    return dead(
      registration, module, .noScreen(kind: kind, module: owner.name),
      Spelling.nearest(to: kind, in: owner.screenKinds.union(owner.writtenKinds).sorted()))
  }
}
