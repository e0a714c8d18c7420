import MoonLua
import MoonModules
import MoonScripts
import MoonServiceKit
import MoonSession
import MoonValues

/// The loading of generations, and their swap into service.
extension Reloader {
  struct Loaded {
    var good: [(Module, Generation)] = []
    var events: [HostEvent] = []
    /// The number of modules that were loaded, or failed to.
    var count = 0
    /// The spans of the loadings; empty if nothing measures them.
    var spans: [ModuleName: OpenSpan] = [:]
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
      if attempt != .only, loaded.count > 0, ContinuousClock.now - loaded.begun >= loadTimeMax {
        // Loaded in a later turn of the host, so that what waits comes first.
        retries.insert(file)
        continue
      }
      loaded.count += 1
      let files = LoadedFiles(from: inventory.contents)
      let number = (numbers[name] ?? 0) + 1
      loaded.spans[name] = loader.bindings.activity.telemetry.openLoad(of: name, generation: number)
      do throws(LoadFailure) {
        let (module, generation) = try loader.load(
          name, file: file, number: number, files: files)
        loaded.good.append((try observed(module, generation), generation))
        numbers[name] = number
        halfFiles[name] = nil
      } catch {
        loaded.spans[name]?.endUnloaded()
        // If the file has loaded or changed since the first attempt, this may be half of the next
        // save.
        let isSame = halfFiles.removeValue(forKey: name)?.isSame(as: files) ?? false
        if attempt == .first || (attempt == .second && !isSame) {
          retries.insert(file)
          halfFiles[name] = files
          continue
        }
        problems[name] = error.problems
        failedFiles[name] = files
        loaded.events.append(
          .failed(name, error.problems, running: modules[name]?.generation))
      }
    }
    refuseSharedVariables(in: &loaded)
    return loaded
  }

  /// Keeps modules out of service that have a setting with the variable of another module's.
  ///
  /// Of two that arrive together, neither is put in service, since one of them may be after the
  /// other one's secret. One that is in service with the setting stays.
  private func refuseSharedVariables(in loaded: inout Loaded) {
    let arriving = loaded.good.map(\.0).filter { $0.settings != nil }
    guard !arriving.isEmpty else { return }
    let present = modules.sorted.map(\.module).filter { module in
      module.settings != nil && !loaded.good.contains { $0.0.name == module.name }
    }
    var owners: [String: [(module: ModuleName, setting: String)]] = [:]
    for module in arriving + present {
      for (variable, setting) in module.settingVariables {
        owners[variable, default: []].append((module.name, setting))
      }
    }
    loaded.good.removeAll { module, generation in
      let held = modules[module.name]?.module.settingVariables ?? [:]
      for (variable, setting) in module.settingVariables.sorted(by: { $0.key < $1.key })
      where held[variable] == nil {
        guard let other = owners[variable]?.first(where: { $0.module != module.name }) else {
          continue
        }
        let problem = ModuleProblem(
          module: module.name, place: SourcePlace(file: generation.file),
          reason: .refusedSetting(
            .sameVariable(
              setting, variable: variable, other: "\(other.module).\(other.setting)")))
        problems[module.name] = [problem]
        failedFiles[module.name] = generation.files
        loaded.spans[module.name]?.endUnloaded()
        loaded.events.append(
          .failed(module.name, [problem], running: modules[module.name]?.generation))
        return true
      }
      return false
    }
  }

  /// Passes a loaded module to the observers of modules; returns it with their additions.
  func observed(
    _ module: Module, _ generation: Generation
  ) throws(LoadFailure) -> Module {
    do throws(ObserverRefusal) {
      return try observers.observed(module)
    } catch {
      throw LoadFailure(problems: [ModuleProblem(error, of: generation)])
    }
  }

  /// Puts loaded modules in service and removes those that are gone, in one step.
  func swap(
    _ loaded: Loaded, gone: [ModuleName], sessions: [Session]
  ) -> [HostEvent] {
    let leaving = gone.compactMap { modules[$0] }
    // Stopped first, since the actions that they dispatch may still change slices.
    if !leaving.isEmpty { for session in sessions { session.stop(leaving) } }
    var swap = ModuleSwap(modules: modules, sessions: sessions, events: loaded.events)
    for (module, generation) in loaded.good {
      do throws(SwapRefusal) {
        let entry = ModuleSet.Entry(module, generation: generation.number)
        try swap.put(
          entry, generation, inPlaceOf: generations[module.name], since: loaded.begun)
        problems[module.name] = nil
        failedFiles[module.name] = nil
        generations[module.name] = generation
      } catch {
        loaded.spans[module.name]?.endUnloaded()
        let found = [ModuleProblem(error, of: generation)]
        problems[module.name] = found
        failedFiles[module.name] = generation.files
        swap.events.append(
          .failed(module.name, found, running: modules[module.name]?.generation))
      }
    }
    for entry in leaving {
      swap.take(entry.module)
      let name = entry.module.name
      problems[name] = nil
      failedFiles[name] = nil
      generations[name] = nil
    }
    defer { for span in loaded.spans.values { span.end(.done) } }
    return swap.perform()
  }
}

extension ModuleProblem {
  /// Makes the problem of a module that an observer keeps out of service.
  init(_ refusal: ObserverRefusal, of generation: Generation) {
    var place = SourcePlace(file: generation.file)
    if case .unfit(let problem) = refusal {
      let found = problem.word.flatMap { generation.files.place(of: $0, from: place) }
      place = problem.place ?? found ?? place
    }
    self.init(module: generation.name, place: place, reason: .keptOut(refusal))
  }
}

extension Module {
  /// The names of the settings by their variables in the environment.
  fileprivate var settingVariables: [String: String] {
    Dictionary(
      (settings?.declared ?? []).map { ($0.variable(of: name), $0.name) },
      uniquingKeysWith: { first, _ in first })
  }
}
