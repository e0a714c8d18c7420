import MoonFeatures
import MoonFiles
import MoonModules
import MoonScripts
import MoonServiceKit
import MoonSession
import MoonValues

/// The modules of a host: those of a directory, those in Swift, and what is reported about them.
///
/// What it returns is for the host to publish. Confined to the host.
final class HostModules {
  /// The modules in service.
  let inService: ModuleSet
  /// What keeps modules in step with their files; nil without a directory.
  let reloader: Reloader?
  let observers: ModuleObservers
  /// The modules that features have become.
  var features = FeatureModules()
  /// The keys that the person has set.
  var personalKeys: [KeyBinding] = []
  private let swift: SwiftModules
  private let options: HostOptions
  private var directoryWatch = DirectoryWatch()
  private var warnings = ReportedWarnings()

  init(_ modules: ModuleSet, _ loader: ModuleLoader?, _ options: HostOptions) {
    inService = modules
    self.options = options
    observers = ModuleObservers(options: options)
    swift = SwiftModules(modules: modules, observers: observers, options: options)
    reloader = loader.map { [observers] in
      Reloader(loader: $0, modules: modules, observers: observers)
    }
  }

  deinit { directoryWatch.stop() }

  /// Returns events with the new warnings that follow from them.
  func withWarnings(_ events: [HostEvent]) -> [HostEvent] {
    events.isEmpty ? events : events + warnings.take(after: events, in: inService, reloader)
  }

  // MARK: Files

  /// Starts watching the directory; `handle` is called when there are changes to take.
  func watch(
    _ mode: DirectoryWatcher.Mode, _ handle: @escaping @Sendable (UnhandledChanges) async -> Void
  ) throws(FilesError) {
    guard let reloader else { return }
    try directoryWatch.begin(reloader.directory, mode, handle)
  }

  func endWatch() { directoryWatch.end() }

  var watchNotice: DirectoryWatcher.Notice? { directoryWatch.notice }

  /// Brings the modules up to date with a change that the watcher has reported.
  func handle(_ event: DirectoryWatcher.Event, in sessions: [Session]) -> [HostEvent] {
    var paths: Set<String>?
    switch event {
    case .notice(let notice):
      directoryWatch.notice = notice
      return [.watching(notice)]
    case .changed(let changed): paths = changed
    case .rescan: break
    }
    return reloader?.update(paths, attempt: .first, sessions: sessions) ?? []
  }

  /// Returns the files to try again after a delay, with the number of their report; nil for none.
  ///
  /// A failure just after a save may come from a half-written file.
  func takeRetries() -> (paths: Set<String>, number: Int)? {
    guard let reloader else { return nil }
    let paths = reloader.takeRetries()
    return paths.isEmpty ? nil : (paths, reloader.pause.add(paths))
  }

  /// Tries the files that have had no later report a second time; nil for none.
  func retry(_ awaited: Set<String>, _ number: Int, in sessions: [Session]) -> [HostEvent]? {
    guard let reloader else { return nil }
    let paths = reloader.pause.take(awaited, since: number)
    return paths.isEmpty ? nil : reloader.update(paths, attempt: .second, sessions: sessions)
  }

  // MARK: Modules in Swift

  /// - Throws: ``HostError``
  func add(_ module: sending Module, to sessions: [Session]) throws(HostError) -> [HostEvent] {
    [try swift.add(module, to: sessions)]
  }

  /// - Throws: ``HostError``
  func replace(_ module: sending Module, in sessions: [Session]) throws(HostError) -> [HostEvent] {
    let former = try swiftModule(module.name)
    return try swift.replace(former, by: module, in: sessions)
  }

  /// - Throws: ``HostError``
  func remove(_ name: ModuleName, from sessions: [Session]) throws(HostError) -> [HostEvent] {
    swift.remove(try swiftModule(name).module, from: sessions)
  }

  private func swiftModule(_ name: ModuleName) throws(HostError) -> ModuleSet.Entry {
    guard let entry = inService[name] else { throw .notInService(name) }
    guard reloader?.generations[name] == nil else { throw .loadedFromFiles(name) }
    return entry
  }

  /// Holds a module to what the program expects of it, from now on.
  ///
  /// - Throws: ``InterfaceProblem`` if the module is missing or doesn't fit. It isn't held to it
  ///   then.
  func hold(to check: InterfaceCheck) throws(InterfaceProblem) {
    guard let name = ModuleName(check.module), let entry = inService[name] else {
      let absence = ModuleName(check.module).flatMap { inService.findAbsence($0) }
      throw check.absence(absence, among: inService.sorted.map(\.module.name.text))
    }
    if let problem = check.problem(with: entry.module) { throw problem }
    observers.hold(to: check)
  }

  // MARK: Settings and suspensions

  /// Reads all settings again, and tells the modules; returns those that can't be used.
  func updateSettings(in sessions: [Session]) -> [ModuleName: SettingError] {
    var refused: [ModuleName: SettingError] = [:]
    for module in inService.sorted.map(\.module) {
      guard let settings = module.settings else { continue }
      do throws(SettingError) {
        let changed = try settings.update(from: options.settings, of: module.name)
        guard inService.noteSettings(changed) else { continue }
        for session in sessions { HookCalls(session: session).tell(module, ofSettings: changed) }
      } catch {
        refused[module.name] = error
      }
    }
    return refused
  }

  /// Ends the suspension of a module; returns false if it isn't suspended.
  func resume(_ name: ModuleName) -> Bool { inService.resume(name) }

  /// Suspends the modules that may no longer change other modules' slices, and returns them.
  func suspend(without grants: Grants) -> [ModuleName] {
    let suspended = inService.suspension.modules
    let names = inService.sorted.map(\.module).filter { module in
      module.needs.contains {
        $0.kind == .state && grants.answer(to: $0, of: module.name) != .granted
      }
    }.map(\.name).filter { !suspended.contains($0) }
    if !names.isEmpty { inService.suspend(exactly: suspended.union(names)) }
    return names
  }

  /// Lets a module continue in the sessions after its suspension, and remakes its screens.
  func enterAgain(_ name: ModuleName, in sessions: [Session]) {
    for session in sessions {
      ScreenRemaking.remake(in: session, of: [name])
      session.enterService(of: [name])
    }
  }

  // MARK: What is known

  var infos: [ModuleInfo] { ModuleInfo.all(in: inService, reloader) }

  /// The commands of the modules in service, sorted.
  var commandNames: [String] {
    Set(
      inService.sorted.flatMap { entry in
        entry.module.commands.map { $0.fullName(of: entry.module.name) }
      }
    ).sorted()
  }

  /// The names in the modules that may be wrong.
  var names: DeadNames { warnings.names(in: inService, reloader) }
}
