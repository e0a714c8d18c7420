import MoonLua
import MoonModules
import MoonScripts
import MoonServiceKit
import MoonSession
import MoonValues

/// A replacement of modules in service, all at once and between two actions.
struct ModuleSwap {
  let modules: ModuleSet
  let sessions: [Session]
  /// The events to announce afterwards.
  var events: [HostEvent]
  private let before: [Map]
  /// The moments that sessions showed.
  private let moments: [ShownMoment?]
  private var changes: [ModuleName: ModuleSet.Entry?] = [:]
  private var slices: [(session: Session, module: Module, plan: SlicePlan)] = []
  private var leaving: [Module] = []
  private var swaps: [HostEvent] = []
  /// The tasks that the swap has ended, by module.
  private var endedTasks: [ModuleName: [Registration]] = [:]

  init(modules: ModuleSet, sessions: [Session], events: [HostEvent]) {
    self.modules = modules
    self.sessions = sessions
    self.events = events
    // A swap takes place in the latest state.
    moments = sessions.map { SessionTimeline(of: $0).leaveMoment() }
    before = sessions.map(\.state)
  }

  /// Adds a module, or replaces the one of its name.
  ///
  /// `generation` is nil for a module in Swift.
  ///
  /// - Throws: ``SwapRefusal`` about its slice; the swap is then unchanged.
  mutating func put(
    _ entry: ModuleSet.Entry, _ generation: Generation?,
    inPlaceOf former: Generation? = nil, since begun: ContinuousClock.Instant
  ) throws(SwapRefusal) {
    let module = entry.module
    if let old = modules[module.name] {
      if module.version != old.module.version { try checkKept(of: module) }
      let plans = try plans(for: entry)
      slices += zip(sessions, plans).map { ($0, module, $1) }
      swaps.append(
        .reloaded(
          Reload(
            from: old, to: entry, state: plans.first?.change ?? .none,
            duration: ContinuousClock.now - begun,
            libraries: former.flatMap { former in
              generation.map {
                $0.files.changedLibraries(since: former.files, besides: $0.file)
              }
            } ?? [], startsAgain: sessions.contains { $0.slices.failedStarts.concern(module) })))
    } else {
      try checkKept(of: module)
      swaps.append(.started(ModuleInfo(entry, generation)))
    }
    changes[module.name] = entry
  }

  /// Removes a module.
  mutating func take(_ module: Module) {
    leaving.append(module)
    changes[module.name] = .some(nil)
    swaps.append(.removed(module.name))
  }

  /// Carries out the swap, and returns the events to announce.
  mutating func perform() -> [HostEvent] {
    defer { showFormerMoments() }
    guard !changes.isEmpty else { return events }
    for module in leaving { for session in sessions { session.putAside(module) } }
    let former = changes.keys.compactMap { modules[$0]?.module }
    for session in sessions {
      noteEndedTasks(of: former.map(\.name), in: session)
      session.tasks.end(of: Set(former.map(\.name)), keepsTimers: true)
      session.tasks.end(of: Set(leaving.map(\.name)))
      session.durable?.stop(of: Set(leaving.map(\.name)))
    }
    modules.apply(changes)
    for (session, module, plan) in slices { session.slices.carryOut(plan, for: module) }
    let replaced = Set(former.map(\.name))
    for (session, old) in zip(sessions, before) {
      session.notify(changedSince: old, beforeServiceOf: replaced)
    }
    for session in sessions {
      announce(to: session, former, replaced)
      session.durable?.codeChanged(of: Set(changes.keys))
    }
    return events + swaps.map(withTasks)
  }

  private mutating func noteEndedTasks(of names: [ModuleName], in session: Session) {
    guard let tasks = session.begunTasks else { return }
    for name in names {
      let ending = tasks.infos(of: name).filter {
        $0.durable == nil && $0.parent == nil && ![.timer, .schedule].contains($0.effect.kind)
      }
      endedTasks[name, default: []] += ending.map(\.effect)
    }
  }

  /// Returns an event with the tasks that have ended or begin again, and the durable tasks that go
  /// on on earlier code.
  private func withTasks(_ event: HostEvent) -> HostEvent {
    guard case .reloaded(var reload) = event else { return event }
    let ended = endedTasks[reload.module] ?? []
    let effects = modules[reload.module]?.module.effects ?? []
    let kept = Set(effects.filter(\.isKept).map(\.registration.name))
    reload.endedTasks = ended.filter { !kept.contains($0.name) }
    reload.begunTasks = ended.filter { kept.contains($0.name) }
    for durable in sessions.compactMap({ $0.durable }) {
      reload.durableTasks.merge(durable.counts(onEarlierCodeOf: reload.module), uniquingKeysWith: +)
    }
    return .reloaded(reload)
  }

  /// Shows the moments again that were shown before, unless the swap has changed slices.
  private func showFormerMoments() {
    for (session, moment) in zip(sessions, moments) {
      if let moment { SessionTimeline(of: session).returnTo(moment) }
    }
  }

  private func announce(to session: Session, _ former: [Module], _ replaced: Set<ModuleName>) {
    let present = changes.values.compactMap(\.self).sorted { $0.module.name < $1.module.name }
    for entry in present where !replaced.contains(entry.module.name) { session.start(entry) }
    for entry in present where replaced.contains(entry.module.name) {
      HookCalls(session: session).runAgain(entry)
    }
    // After all modules have their slices, since screens depend on them.
    ScreenRemaking.remake(in: session, of: Set(changes.keys), former: former)
    session.enterService(of: replaced.intersection(present.map(\.module.name)))
    for entry in present where replaced.contains(entry.module.name) {
      session.announce("host/reloaded", about: entry)
    }
  }

  /// Limits the number of a module's slices that are put aside.
  private func checkKept(of module: Module) throws(SwapRefusal) {
    guard sessions.contains(where: { $0.slices.kept.isFull(of: module.name) }) else { return }
    throw .tooManyKeptSlices
  }

  /// Computes the new slice of each session before the swap, because `migrate` may fail.
  private func plans(for entry: ModuleSet.Entry) throws(SwapRefusal) -> [SlicePlan] {
    var plans: [SlicePlan] = []
    for session in sessions {
      let plan: SlicePlan
      do throws(Fault) {
        plan = try MigrationCalls(session: session).plan(for: entry)
      } catch {
        throw .migration(error)
      }
      if let refusal = plan.refusal(by: entry.module) { throw .misshapen(refusal) }
      plans.append(plan)
    }
    return plans
  }
}

/// The reason that a module can't take the place of another.
enum SwapRefusal: Error {
  /// Its `migrate` failed.
  case migration(Fault)
  /// Its slice doesn't have the shape that it declares now.
  case misshapen(SliceRefusal)
  /// The maximum number of its slices is already put aside.
  case tooManyKeptSlices
}

extension ModuleProblem {
  /// Makes the problem of a module that can't be swapped in.
  init(_ refusal: SwapRefusal, of generation: Generation) {
    let file = SourcePlace(file: generation.file)
    switch refusal {
    case .migration(let fault):
      self.init(module: generation.name, place: fault.place ?? file, reason: .fault(fault))
    case .misshapen(let refusal):
      self.init(module: generation.name, place: file, reason: .misshapenSlice(refusal))
    case .tooManyKeptSlices:
      self.init(module: generation.name, place: file, reason: .tooManyKeptSlices)
    }
  }
}

extension Reload {
  init(
    from old: ModuleSet.Entry, to new: ModuleSet.Entry, state: SliceChange, duration: Duration,
    libraries: [String], startsAgain: Bool
  ) {
    let before = Set(old.module.registrations.map(\.identity))
    let after = Set(new.module.registrations.map(\.identity))
    self.init(
      module: new.module.name, from: old.generation, to: new.generation,
      added: new.module.registrations.filter { !before.contains($0.identity) },
      removed: old.module.registrations.filter { !after.contains($0.identity) }, state: state,
      libraries: libraries, startsAgain: startsAgain, duration: duration)
    let durable = Set(Self.durableEffects(of: old.module).map(\.identity))
    durableEffects = Self.durableEffects(of: new.module).filter { !durable.contains($0.identity) }
  }

  private static func durableEffects(of module: Module) -> [Registration] {
    module.effects.filter(\.isDurable).map(\.registration)
  }
}

extension Registration {
  /// The registration without its place.
  fileprivate var identity: Registration { Registration(kind, name) }
}
