import MoonFiles
import MoonModules
import MoonScripts
import MoonServiceKit
import MoonSession
import MoonValues

/// The part of a host that keeps modules in step with their files.
///
/// It builds a new generation next to the one in service and checks it. Then it swaps them between
/// two actions. If the load fails, the old generation stays in service, and the problem is kept
/// until a load succeeds. Confined to the host.
final class Reloader {
  /// The attempt to load a file, which decides whether a failure is reported.
  enum Attempt {
    case first
    case second
    /// A requested load. A failure is reported at once.
    case only
  }

  /// The time for loading changed files before other work of the host.
  static let loadTimeMax: Duration = .seconds(1)

  let loader: ModuleLoader
  let modules: ModuleSet
  let observers: ModuleObservers
  /// The generation of each module in service; a module in Swift has none.
  var generations: [ModuleName: Generation] = [:]
  /// The problems with the files of modules, including those in service.
  var problems: [ModuleName: [ModuleProblem]] = [:]
  /// The problems with files that belong to no module.
  private(set) var strayProblems: [ModuleProblem] = []
  /// The files of the last load of each failing module.
  var failedFiles: [ModuleName: LoadedFiles] = [:]
  /// The files of each load that failed in the first attempt, and that may be half-written.
  var halfFiles: [ModuleName: LoadedFiles] = [:]
  /// The last number given to a generation of each module.
  var numbers: [ModuleName: Int] = [:]
  var retries: Set<String> = []
  /// ``loadTimeMax``, unless a test sets another.
  var loadTimeMax = Reloader.loadTimeMax
  /// The files that are about to be tried again.
  var pause = Retries()
  /// The modules whose files were missing at the last check, and are checked once more.
  private var away: Set<ModuleName> = []
  private var isLost = false

  init(loader: ModuleLoader, modules: ModuleSet, observers: ModuleObservers) {
    self.loader = loader
    self.modules = modules
    self.observers = observers
    modules.findAbsence = { [unowned self] in problems[$0].flatMap(ModuleAbsence.init) }
  }

  var directory: ScriptDirectory { loader.directory }

  /// The machines of durable tasks.
  var machines: LuaMachines {
    LuaMachines(loader: loader) { [self] in generations[$0] }
  }

  /// Returns the files to try again shortly.
  func takeRetries() -> Set<String> {
    defer { retries = [] }
    return retries
  }

  /// Loads everything for the first time.
  ///
  /// - Throws: ``FilesError`` if the directory doesn't exist or can't be read.
  func loadAll(sessions: [Session]) throws(FilesError) -> [HostEvent] {
    let inventory = try inventory(FileContents(of: directory))
    return bring(inventory, changed: nil, attempt: .only, sessions: sessions)
  }

  /// Loads a module, or all modules, even if their files haven't changed.
  func reload(_ name: ModuleName?, sessions: [Session]) -> [HostEvent] {
    do throws(FilesError) {
      let inventory = try inventory(FileContents(of: directory))
      var names = Set(inventory.files.keys)
      if let name { names = names.intersection([name]) }
      let gone = name == nil ? modulesGone(inventory) : []
      let stray = noteStray(inventory)
      return stray
        + swap(load(names.sorted(), inventory, .only), gone: gone, sessions: sessions)
    } catch {
      return lost(error)
    }
  }

  /// Handles changes of files; nil means that any may have changed.
  func update(
    _ paths: Set<String>?, attempt: Attempt, sessions: [Session]
  ) -> [HostEvent] {
    let contents = FileContents(of: directory)
    // If only files in use have changed, there is no need to list the directory.
    if problems.isEmpty, let paths, let concerned = users(of: paths, contents) {
      var inventory = ModuleLoader.Inventory(contents: contents)
      for generation in concerned { inventory.files[generation.name] = generation.file }
      away.subtract(concerned.map(\.name))
      let names = concerned.map(\.name).filter { isOutdated($0, inventory, paths, attempt) }
      return found() + swap(load(names, inventory, attempt), gone: [], sessions: sessions)
    }
    do throws(FilesError) {
      let inventory = try inventory(contents)
      return found() + bring(inventory, changed: paths, attempt: attempt, sessions: sessions)
    } catch {
      return lost(error)
    }
  }

  /// Returns the generations that use some files; nil if one of the files is gone or not in use.
  private func users(of paths: Set<String>, _ contents: FileContents) -> [Generation]? {
    let concerned = generations.values.filter { $0.files.useAny(of: paths) }
      .sorted { $0.name < $1.name }
    let areInUse = paths.allSatisfy { path in
      concerned.contains { $0.files.sources[path] != nil } && contents.have(path)
    }
    return areInUse ? concerned : nil
  }

  /// Rebuilds modules from the files that they were loaded from, after their machine was killed.
  func restartKilled() -> [HostEvent] {
    var events: [HostEvent] = []
    let killed = modules.killed.sorted()
    modules.killed = []
    for name in killed {
      guard let generation = generations[name] else { continue }
      let files = LoadedFiles(from: FileContents(of: generation.files))
      let number = nextNumber(name)
      let span = loader.bindings.activity.telemetry.openLoad(of: name, generation: number)
      do throws(LoadFailure) {
        let (module, made) = try loader.load(
          name, file: generation.file, number: number, files: files)
        let observed = try observed(module, made)
        modules.replaceKilled(name, with: ModuleSet.Entry(observed, generation: number))
        generations[name] = made
        events.append(.restarted(name, generation: number))
        span?.end(.done)
      } catch {
        span?.endUnloaded()
        events.append(.failed(name, error.problems, running: nil))
        problems[name] = error.problems
      }
    }
    return events
  }
}

// MARK: Finding changes

extension Reloader {
  /// Updates the modules to match the directory.
  ///
  /// `changed` holds the only files that have changed; nil means that any may have.
  func bring(
    _ inventory: ModuleLoader.Inventory, changed: Set<String>?, attempt: Attempt,
    sessions: [Session]
  ) -> [HostEvent] {
    var events = noteStray(inventory)
    halfFiles = halfFiles.filter { inventory.files[$0.key] != nil }
    var names: [ModuleName] = []
    for (name, file) in inventory.files.sorted(by: { $0.key < $1.key }) {
      let running = generations[name]
      if running == nil, modules[name] != nil { continue }
      if let generation = running, problems[name] != nil, generation.file == file,
        !generation.files.haveChanged(in: inventory.contents)
      {
        problems[name] = nil
        failedFiles[name] = nil
        events.append(.recovered(name, generation: generation.number))
      } else if let generation = running, generation.file != file {
        names.append(name)
      } else if isOutdated(name, inventory, changed, attempt) {
        names.append(name)
      }
    }
    var gone = modulesGone(inventory)
    let absent = Set(gone)
    switch attempt {
    case .first:
      // Editors move a file away for a moment while they save.
      retries.formUnion(gone.compactMap { generations[$0]?.file })
      gone = []
    case .second, .only:
      // The first report of other files may still be pending. This may be the second attempt for a
      // file that didn't load and the first for one that is missing, whose report follows.
      gone.removeAll { name in
        guard let changed, let file = generations[name]?.file else { return false }
        return !changed.contains(file) || !away.contains(name)
      }
    }
    away = absent.subtracting(gone)
    return events + swap(load(names, inventory, attempt), gone: gone, sessions: sessions)
  }

  /// Returns whether files of a module differ from those of the last attempt.
  ///
  /// `changed` holds the only files that may differ; nil means that any may.
  private func isOutdated(
    _ name: ModuleName, _ inventory: ModuleLoader.Inventory, _ changed: Set<String>?,
    _ attempt: Attempt
  ) -> Bool {
    guard let tried = failedFiles[name] ?? generations[name]?.files else {
      // A file that has just appeared gets its own second attempt.
      guard attempt == .second, let changed, let file = inventory.files[name] else { return true }
      return changed.contains(file)
    }
    if let changed, !tried.useAny(of: changed) { return false }
    return tried.haveChanged(in: inventory.contents)
  }

  /// Lists the modules in the directory.
  ///
  /// The names of modules in Swift are taken.
  private func inventory(_ contents: FileContents) throws(FilesError) -> ModuleLoader.Inventory {
    var inventory = try loader.inventory(contents)
    for entry in modules.sorted where generations[entry.module.name] == nil {
      guard let file = inventory.files.removeValue(forKey: entry.module.name) else { continue }
      inventory.problems.append(
        ModuleProblem(
          module: entry.module.name, place: SourcePlace(file: file),
          reason: .nameTaken(others: [])))
    }
    return inventory
  }

  private func modulesGone(_ inventory: ModuleLoader.Inventory) -> [ModuleName] {
    let clashing = Set(inventory.problems.compactMap(\.module))
    return generations.keys.sorted().filter {
      inventory.files[$0] == nil && !clashing.contains($0)
    }
  }

  /// Notes problems of files that belong to no module, and announces the new ones.
  @discardableResult
  private func noteStray(_ inventory: ModuleLoader.Inventory) -> [HostEvent] {
    let known = strayProblems
    strayProblems = inventory.problems.filter { $0.module == nil }
    var events: [HostEvent] = strayProblems.filter { !known.contains($0) }
      .map { .failed(nil, [$0], running: nil) }
    let clashes = Dictionary(grouping: inventory.problems.filter { $0.module != nil }) { $0.module }
    for (name, found) in clashes {
      guard let name else { continue }
      if problems[name] != found {
        problems[name] = found
        events.append(.failed(name, found, running: modules[name]?.generation))
      }
    }
    for (name, old) in problems where clashes[name] == nil && inventory.files[name] == nil {
      if modules[name] == nil || old.allSatisfy(\.isAboutListing) { problems[name] = nil }
      if modules[name] == nil { failedFiles[name] = nil }
    }
    return events
  }

  private func found() -> [HostEvent] {
    defer { isLost = false }
    return isLost ? [.directoryFound] : []
  }

  private func lost(_ error: FilesError) -> [HostEvent] {
    defer { isLost = true }
    return isLost ? [] : [.directoryLost(error)]
  }
}

extension ModuleAbsence {
  /// Sums up the problems of a module; nil if there are none.
  fileprivate init?(_ problems: [ModuleProblem]) {
    let scopes = problems.compactMap { problem in
      if case .notGranted(let scope, _, _) = problem.reason { scope } else { nil }
    }
    let first = problems.first { if case .notGranted = $0.reason { false } else { true } }
    if let first {
      self = .failed(first.headline, at: first.place)
    } else if !scopes.isEmpty {
      self = .notGranted(scopes)
    } else {
      return nil
    }
  }
}
