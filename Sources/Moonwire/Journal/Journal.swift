public import MoonActions
import MoonLua
public import MoonModules
import MoonScripts
import MoonServiceKit
public import MoonSession
import MoonTasks
import MoonValues

/// A journal, which keeps a session so that it can continue after its program was killed.
///
/// Nothing that was acknowledged is lost. An outcome is returned, code of an effect runs, and a
/// waiting task gets its answer only after the commits before it are kept. If they can't be kept,
/// the session refuses further actions until they are. Observers in Swift and streams of states
/// see a commit at once.
public struct Journal: Sendable {
  let store: any JournalStore
  let limits: JournalLimits

  /// Makes a journal that keeps its records in a store.
  public init(in store: any JournalStore, limits: JournalLimits = JournalLimits()) {
    self.store = store
    self.limits = limits
  }

  /// Opens a session that the journal keeps from its beginning.
  ///
  /// - Throws: ``JournalError``, for example if the store already holds a session; no session is
  ///   open then.
  public func openSession(
    on host: isolated Host, restoring earlier: SavedState? = nil
  ) throws(JournalError) -> SessionID {
    guard try store.stateNumbers().isEmpty else { throw JournalError(store.name, .taken) }
    return try open(on: host, earlier, after: 0, lastActionID: 0, KeptTasks())
  }

  /// Opens the session that the journal has kept, in the state after its last commit, and continues
  /// to keep it.
  ///
  /// Modules get their slices as when a saved state is restored, and `on_restore` is called.
  /// Durable effects that were running continue where they were; others are gone.
  ///
  /// - Throws: ``JournalError``, for example if the store holds no session; no session is open
  ///   then.
  public func resumeSession(on host: isolated Host) throws(JournalError) -> SessionID {
    let kept = try KeptSession(in: store)
    do throws(RestoreError) {
      try host.options.check(kept.state)
    } catch {
      throw JournalError(store.name, .failed("\(error)"))
    }
    host.modules.inService.note(redacted: kept.surroundings.redacted)
    return try open(
      on: host, kept.state, after: kept.lastNumber, lastActionID: kept.lastActionID, kept.tasks)
  }

  private func open(
    on host: isolated Host, _ earlier: SavedState?, after number: Int64, lastActionID: Int64,
    _ kept: KeptTasks
  ) throws(JournalError) -> SessionID {
    var recording: Recording?
    let id = host.openSession { session in
      session.lastID = lastActionID
      session.begin(with: earlier)
      let writer = JournalWriter(
        of: session, to: store, after: number, recorded: number > 0 ? earlier?.slices : nil,
        limits: limits, clock: host.options.clock,
        surroundings: { [unowned host] in host.assumeIsolated { Surroundings(of: $0) } })
      let made = Recording(of: session, by: writer)
      made.resumedAfter = number > 0 ? lastActionID : nil
      session.taskState.durable = host.modules.reloader.map { reloader in
        DurableTasks(of: session, kept, on: reloader.machines) {
          [unowned writer] in writer.record(task: $0)
        }
      }
      writer.begin(with: session.durable)
      session.recorders.journal = made
      recording = made
      session.durable?.resume()
    }
    recording?.keep()
    guard let failure = recording?.failure else { return id }
    host.closeSession(id)
    throw failure
  }
}

extension Surroundings {
  /// Describes what the sessions of a host run on.
  init(of host: isolated Host) {
    var modules = Map()
    var settings = Map()
    for entry in host.modules.inService.sorted {
      let name = Key.string(Text(entry.module.name.text))
      modules[name] = Self.module(entry, host.modules.reloader?.generations[entry.module.name])
      if let open = entry.module.settings?.values.open, !open.isEmpty {
        settings[name] = .map(open)
      }
    }
    let grants =
      (host.grants.allowsAll ? [Self.allGrants] : []) + host.grants.allowed.map(\.description)
    let named = Set(host.modules.inService.sorted.flatMap(\.module.redacted))
    let others = host.modules.inService.redacted.filter { !named.contains($0) }.map(\.description)
    self.init(
      modules: .map(modules), settings: .map(settings),
      grants: .list(List(grants.map { .string(Text($0)) })),
      formerlyRedacted: .list(List(others.map { .string(Text($0)) })),
      suspended: host.modules.inService.suspension.modules.map(\.text).sorted())
  }

  private static func module(_ entry: ModuleSet.Entry, _ generation: Generation?) -> Value {
    let module = entry.module
    var map: Map = [
      "generation": .int(Int64(entry.generation)), "version": .int(module.version),
    ]
    if let files = generation?.files.sources {
      map["files"] = .map(
        Map(files.map { (Key.string(Text($0.key)), .string(Text($0.value.hashText))) }))
    }
    if !module.redacted.isEmpty {
      map["redact"] = .list(List(module.redacted.map { .string(Text($0.description)) }))
    }
    return .map(map)
  }
}
