import MoonLua
import MoonStore
import MoonValues

/// Loading generations and putting them in service.
extension Reloader {
  struct Loaded {
    var good: [(Module, Generation)] = []
    var events: [HostEvent] = []
    let begun = ContinuousClock.now
  }

  func nextNumber(_ name: ModuleName) -> Int {
    let number = (numbers[name] ?? 0) + 1
    numbers[name] = number
    return number
  }

  func load(
    _ names: [ModuleName], _ inventory: ModuleLoader.Inventory, _ attempt: Attempt
  ) -> Loaded {
    var loaded = Loaded()
    for name in names {
      guard let file = inventory.files[name] else { continue }
      let files = LoadedFiles()
      let number = (numbers[name] ?? 0) + 1
      do throws(LoadFailure) {
        loaded.good.append(
          try loader.load(name, file: file, number: number, files: files))
        numbers[name] = number
        halfFiles[name] = nil
      } catch {
        // What has been good or something else since the first look may be half of the next save.
        let isSame = halfFiles.removeValue(forKey: name)?.isSame(as: files) ?? false
        if attempt == .first || (attempt == .second && !isSame) {
          retries.insert(file)
          halfFiles[name] = files
          continue
        }
        problems[name] = error.problems
        failedFiles[name] = files
        loaded.events.append(
          .failed(name, error.problems, running: modules[name]?.number))
      }
    }
    return loaded
  }

  /// Puts what was loaded in service, and takes what is gone out of it, at once.
  func swap(
    _ loaded: Loaded, gone: [ModuleName], sessions: [Session]
  ) -> [HostEvent] {
    var events = loaded.events
    let leaving = gone.compactMap { modules[$0]?.module }
    // First, since what they dispatch may still change slices.
    if !leaving.isEmpty { for session in sessions { session.stop(leaving) } }
    let before = sessions.map(\.state)
    var changes: [ModuleName: ModuleSet.Entry?] = [:]
    var slices: [(session: Session, module: ModuleName, slice: Value?, version: Int64)] = []
    var reloads: [HostEvent] = []
    var fresh: [Module] = []
    for (module, generation) in loaded.good {
      let entry = ModuleSet.Entry(
        module: module, generation: generation, number: generation.number)
      guard let old = modules[module.name] else {
        changes[module.name] = entry
        fresh.append(module)
        problems[module.name] = nil
        failedFiles[module.name] = nil
        reloads.append(.started(ModuleInfo(entry, problems: [])))
        continue
      }
      do throws(Fault) {
        let made = try newSlices(old.module, module, generation, sessions)
        slices += made.map { ($0.session, module.name, $0.slice, module.version) }
        changes[module.name] = entry
        problems[module.name] = nil
        failedFiles[module.name] = nil
        reloads.append(
          .reloaded(
            Reload(
              from: old, to: entry, state: made.first?.change ?? .none,
              duration: ContinuousClock.now - loaded.begun)))
      } catch {
        let problem = ModuleProblem(
          module: module.name, place: error.place ?? SourcePlace(file: generation.file),
          reason: .fault(error))
        problems[module.name] = [problem]
        failedFiles[module.name] = generation.files
        events.append(.failed(module.name, [problem], running: old.number))
      }
    }
    for module in leaving {
      for session in sessions { session.park(module) }
      changes[module.name] = .some(nil)
      problems[module.name] = nil
      failedFiles[module.name] = nil
      reloads.append(.removed(module.name))
    }
    guard !changes.isEmpty else { return events }
    let former = changes.keys.compactMap { modules[$0]?.module }
    modules.apply(changes)
    for one in slices { one.session.setSlice(one.module, one.slice, version: one.version) }
    for (session, old) in zip(sessions, before) { session.notify(changedSince: old) }
    for session in sessions {
      for module in fresh { session.start(module) }
      // When all of them have their slices, which screens are made of.
      session.remakeScreens(of: Set(changes.keys), former: former)
      for (module, generation) in loaded.good where modules[module.name]?.generation === generation
      {
        if !fresh.contains(where: { $0.name == module.name }) {
          session.announce("host/reloaded", ["module": .string(Text(module.name.text))])
        }
      }
    }
    return events + reloads
  }

  private typealias NewSlice = (session: Session, slice: Value?, change: Reload.StateChange)

  /// What each session's slice becomes, before anything is swapped: `migrate` may fail.
  private func newSlices(
    _ old: Module, _ new: Module, _ generation: Generation, _ sessions: [Session]
  ) throws(Fault) -> [NewSlice] {
    var result: [NewSlice] = []
    for session in sessions {
      guard let slice = session.slice(of: new.name) else {
        result.append((session, new.state, new.state == nil ? .none : .added))
        continue
      }
      if slice.version == new.version {
        let filled = new.state.map { Slice.filled(slice.value, with: $0) } ?? slice.value
        let added = Diff.changes(from: slice.value, to: filled).changes.map(\.path)
        result.append((session, filled, added.isEmpty ? .kept : .filled(added)))
      } else if let migrate = new.migrate, new.version > slice.version {
        let made: Value
        do {
          made = try migrate(slice.value, slice.version)
        } catch {
          throw Fault(anyError: error, generation, Registration(.migrate, "migrate"))
        }
        let filled = new.state.map { Slice.filled(made, with: $0) } ?? made
        result.append((session, filled, .migrated(from: slice.version, to: new.version)))
      } else {
        result.append((session, new.state, .reset(from: slice.version, to: new.version)))
      }
    }
    return result
  }
}

extension Reload {
  init(
    from old: ModuleSet.Entry, to new: ModuleSet.Entry, state: StateChange, duration: Duration
  ) {
    let before = Set(old.module.registrations.map(\.identity))
    let after = Set(new.module.registrations.map(\.identity))
    self.init(
      module: new.module.name, from: old.number, to: new.number,
      added: new.module.registrations.filter { !before.contains($0.identity) },
      removed: old.module.registrations.filter { !after.contains($0.identity) }, state: state,
      duration: duration)
  }
}

extension Registration {
  /// What it is, wherever it was written.
  fileprivate var identity: Registration { Registration(kind, name) }
}

extension Fault {
  fileprivate init(
    anyError error: any Error, _ generation: Generation, _ registration: Registration
  ) {
    if let error = error as? LuaError {
      self.init(
        error, module: generation.name.text, generation: generation.number,
        registration: registration)
      excerpt = generation.excerpt(at: place)
    } else {
      self.init(
        describing: error, module: generation.name.text, generation: generation.number,
        registration: registration, action: nil)
    }
  }
}
