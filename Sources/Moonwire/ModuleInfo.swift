import MoonLua
import MoonModules
import MoonScripts
import MoonServiceKit
import MoonSession
import MoonValues

extension ModuleInfo {
  /// Describes a module in service; `generation` is nil for a module in Swift.
  init(
    _ entry: ModuleSet.Entry, _ generation: Generation?, problems: [ModuleProblem] = [],
    suspension: Suspension = Suspension()
  ) {
    let status: Status =
      if suspension.modules.contains(entry.module.name) { .suspended } else if problems.isEmpty {
        .running
      } else { .stale }
    self.init(
      name: entry.module.name, description: entry.module.description,
      file: generation?.file, generation: entry.generation, version: entry.module.version,
      needs: entry.module.needs, status: status, registrations: entry.module.registrations,
      durableEffects: entry.module.effects.filter(\.isDurable).map(\.registration),
      usage: generation.map { ModuleUsage(of: $0.machine) },
      faults: suspension.total(of: entry.module.name),
      recentFaults: suspension.recent(of: entry.module.name), problems: problems)
    requested = entry.module.requested
  }

  /// Describes all modules, sorted by name, including those that failed to load.
  static func all(in modules: ModuleSet, _ reloader: Reloader?) -> [ModuleInfo] {
    let problems = reloader?.problems ?? [:]
    let running = modules.sorted.map {
      ModuleInfo(
        $0, reloader?.generations[$0.module.name], problems: problems[$0.module.name] ?? [],
        suspension: modules.suspension)
    }
    let failed = problems.filter { modules[$0.key] == nil }
      .map { ModuleInfo(failed: $0.key, problems: $0.value) }
    return (running + failed).sorted { $0.name < $1.name }
  }

  private init(failed name: ModuleName, problems: [ModuleProblem]) {
    self.init(
      name: name, description: nil, file: problems.first?.place.file, generation: 0, version: 0,
      needs: Self.refusedNeeds(problems), status: .failed, registrations: [], usage: nil, faults: 0,
      recentFaults: 0, problems: problems)
    requested = problems.lazy.compactMap(\.requested).first ?? RequestedScopes()
  }
}

extension ModuleInfo {
  /// Returns the files that the module was last loaded from, or tried to be, sorted.
  package func files(on host: isolated Host) -> [String] {
    let reloader = host.modules.reloader
    let files = reloader?.failedFiles[name] ?? reloader?.generations[name]?.files
    return files.map { $0.sources.keys.sorted() } ?? []
  }

  /// The problems with what the module isn't granted.
  package var refusals: [ModuleProblem] {
    problems.filter { if case .notGranted = $0.reason { true } else { false } }
  }

  /// Returns the module as it is without some grants: not in service, with these problems first.
  package func lacking(_ refusals: [ModuleProblem]) -> ModuleInfo {
    guard let first = refusals.first else { return self }
    var info = ModuleInfo(
      name: name, description: description, file: file ?? first.place.file,
      generation: generation, version: version,
      needs: needs.isEmpty ? Self.refusedNeeds(refusals) : needs, status: .failed,
      registrations: registrations, durableEffects: durableEffects, usage: usage, faults: faults,
      recentFaults: recentFaults, problems: refusals + problems)
    info.requested = requested
    return info
  }
}

extension ModuleUsage {
  init(of machine: Machine) {
    let usage = machine.usage
    self.init(
      memory: machine.memory, memoryPeak: usage.memoryPeak, time: usage.time, calls: usage.calls)
  }
}

extension ModuleInfo {
  /// Returns the permissions that a module requests and isn't granted.
  private static func refusedNeeds(_ problems: [ModuleProblem]) -> [Scope] {
    problems.compactMap { problem in
      if case .notGranted(let scope, _, _) = problem.reason { scope } else { nil }
    }
  }
}

extension Registry {
  /// Returns the actions that are declared or that reducers listen to, sorted by type.
  func actions(of module: ModuleName?) -> [ActionInfo] {
    types.sorted().filter { type in
      module.map { type.hasPrefix("\($0)/") } ?? true
    }.map { type in
      let declaration = declaration(of: Text(type))
      var seen: [ModuleName] = []
      for owner in reducerOwners(of: Text(type)) where !seen.contains(owner) { seen.append(owner) }
      return ActionInfo(
        type: type, description: declaration?.description, schema: declaration?.schema,
        isDerived: declaration?.isDerived ?? false, listeners: seen)
    }
  }
}

extension ActionInfo {
  /// The host's own actions, which change the navigation.
  package static let navigation = hosts(NavigationActions.declarations)

  /// The host's own actions, which switch the requests of modules on and off.
  package static let requests = hosts(RequestSwitch.declarations)

  private static func hosts(_ declarations: [Text: ActionDeclaration]) -> [ActionInfo] {
    declarations.map { type, declaration in
      ActionInfo(
        type: type.string, description: declaration.description, schema: declaration.schema,
        listeners: [])
    }.sorted { $0.type < $1.type }
  }

  /// The actions by which the host announces changes of the navigation; no one else can dispatch
  /// them.
  package static let completions: [ActionInfo] = NavigationActions.completions.map {
    ActionInfo(
      type: $0.type, description: $0.declaration.description, schema: $0.declaration.schema,
      listeners: [])
  }
}
