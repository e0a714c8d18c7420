import MoonLua
import MoonSession
import MoonValues

/// Replaces modules in service, all at once and between two actions.
struct ModuleSwap {
  let modules: ModuleSet
  let sessions: [Session]
  /// What is told when it is done.
  var events: [HostEvent]
  private let before: [Map]
  private var changes: [ModuleName: ModuleSet.Entry?] = [:]
  private var slices: [(session: Session, module: Module, slice: Value?)] = []
  private var leaving: [Module] = []
  private var swaps: [HostEvent] = []

  init(modules: ModuleSet, sessions: [Session], events: [HostEvent]) {
    self.modules = modules
    self.sessions = sessions
    self.events = events
    before = sessions.map(\.state)
  }

  /// Notes a module that comes, or replaces the one of its name.
  ///
  /// - Throws: ``Fault`` of its `migrate`; nothing is noted then.
  mutating func put(
    _ module: Module, _ generation: Generation, since begun: ContinuousClock.Instant
  ) throws(Fault) {
    let entry = ModuleSet.Entry(module, generation: generation.number)
    if let old = modules[module.name] {
      let made = try newSlices(module, generation)
      slices += made.map { ($0.session, module, $0.slice) }
      swaps.append(
        .reloaded(
          Reload(
            from: old, to: entry, state: made.first?.change ?? .none,
            duration: ContinuousClock.now - begun)))
    } else {
      swaps.append(.started(ModuleInfo(entry, generation)))
    }
    changes[module.name] = entry
  }

  /// Notes a module that leaves.
  mutating func take(_ module: Module) {
    leaving.append(module)
    changes[module.name] = .some(nil)
    swaps.append(.removed(module.name))
  }

  /// Carries everything out; returns what there is to tell.
  func perform() -> [HostEvent] {
    guard !changes.isEmpty else { return events }
    for module in leaving { for session in sessions { session.park(module) } }
    let former = changes.keys.compactMap { modules[$0]?.module }
    modules.apply(changes)
    for (session, module, slice) in slices {
      session.setSlice(module.name, slice, version: module.version)
    }
    for (session, old) in zip(sessions, before) { session.notify(changedSince: old) }
    let replaced = Set(former.map(\.name))
    for session in sessions { announce(to: session, former, replaced) }
    return events + swaps
  }

  private func announce(to session: Session, _ former: [Module], _ replaced: Set<ModuleName>) {
    let present = changes.values.compactMap { $0?.module }.sorted { $0.name < $1.name }
    for module in present where !replaced.contains(module.name) { session.start(module) }
    // When all of them have their slices, which screens are made of.
    ScreenRemaking.remake(in: session, of: Set(changes.keys), former: former)
    for module in present where replaced.contains(module.name) {
      session.announce("host/reloaded", ["module": .string(Text(module.name.text))])
    }
  }

  private typealias NewSlice = (session: Session, slice: Value?, change: Reload.StateChange)

  /// What each session's slice becomes, before anything is swapped: `migrate` may fail.
  private func newSlices(
    _ module: Module, _ generation: Generation
  ) throws(Fault) -> [NewSlice] {
    var result: [NewSlice] = []
    for session in sessions {
      guard let slice = modules[module.name].flatMap({ session.versionedSlice(of: $0.module) }) else {
        result.append((session, module.state, module.state == nil ? .none : .added))
        continue
      }
      if slice.version == module.version {
        let filled = module.state.map { slice.value.filled(with: $0) } ?? slice.value
        let added = Diff.changes(from: slice.value, to: filled).changes.map(\.path)
        result.append((session, filled, added.isEmpty ? .kept : .filled(added)))
      } else if let migrate = module.migrate, module.version > slice.version {
        let made = try migrated(slice, migrate, generation)
        let filled = module.state.map { made.filled(with: $0) } ?? made
        result.append((session, filled, .migrated(from: slice.version, to: module.version)))
      } else {
        result.append((session, module.state, .reset(from: slice.version, to: module.version)))
      }
    }
    return result
  }

  private func migrated(
    _ slice: (value: Value, version: Int64), _ migrate: Migration, _ generation: Generation
  ) throws(Fault) -> Value {
    do {
      return try migrate.body(slice.value, slice.version)
    } catch {
      let failure = error as? CodeFailure ?? CodeFailure(.raised("\(error)"))
      throw Fault(
        module: generation.name.text, generation: generation.number,
        registration: migrate.registration, reason: failure.reason, place: failure.place,
        frames: failure.frames, excerpt: failure.excerpt)
    }
  }
}

extension Reload {
  init(
    from old: ModuleSet.Entry, to new: ModuleSet.Entry, state: StateChange, duration: Duration
  ) {
    let before = Set(old.module.registrations.map(\.identity))
    let after = Set(new.module.registrations.map(\.identity))
    self.init(
      module: new.module.name, from: old.generation, to: new.generation,
      added: new.module.registrations.filter { !before.contains($0.identity) },
      removed: old.module.registrations.filter { !after.contains($0.identity) }, state: state,
      duration: duration)
  }
}

extension Registration {
  /// What it is, wherever it was written.
  fileprivate var identity: Registration { Registration(kind, name) }
}
