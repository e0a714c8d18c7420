import MoonLua
public import MoonSession
public import MoonStore
import MoonValues

/// A journal: what keeps a session, so that it can go on after its program was killed.
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

  /// Opens the session that the journal has kept, in the state after its last commit, and keeps it
  /// further.
  ///
  /// Modules get their slices as when a saved state is restored, and `on_restore` is called.
  /// Durable effects that were running go on where they were; others are gone.
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
    host.modules.note(redacted: kept.surroundings.redacted)
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
      session.durable = host.reloader.map { reloader in
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

/// Dispatchers that share writes.
extension Journal {
  /// Carries out an action and all actions that follow from it, as `dispatch` of ``Host`` does.
  ///
  /// While the outcome waits to be kept, the host is free for other dispatchers. Those that wait at
  /// the same time share one write. Effects begin after it, so that the outcome doesn't include
  /// what they dispatch at once. The action has a turn of its own, also if the caller runs on the
  /// host.
  ///
  /// - Throws: ``DispatchError``
  @discardableResult
  public static func dispatch(
    _ action: consuming Action, to id: SessionID, cause: Cause = .native, on host: Host
  ) async throws(DispatchError) -> Outcome {
    let action = action
    return try await withCheckedContinuation { continuation in
      host.executor.run {
        host.assumeIsolated { carryOut(action, to: id, cause, on: $0, continuation) }
      }
    }.get()
  }

  private static func carryOut(
    _ action: Action, to id: SessionID, _ cause: Cause, on host: isolated Host,
    _ continuation: CheckedContinuation<Result<Outcome, DispatchError>, Never>
  ) {
    do throws(DispatchError) {
      guard let session = host.session(id) else { throw .noSession }
      guard let recording = session.recorders.journal,
        let writer = recording.recorder as? JournalWriter
      else {
        return continuation.resume(
          returning: .success(try host.dispatch(action, to: id, cause: cause)))
      }
      recording.isShared = true
      defer {
        recording.isShared = false
        host.finishCalls()
      }
      let outcome = try session.run(action, cause: cause)
      let waiter = SharedWrites.Waiter(outcome: outcome, continuation: continuation)
      writer.keepShared(waiter, for: recording, on: host)
    } catch {
      continuation.resume(returning: .failure(error))
    }
  }
}

/// The writes of a journal that dispatchers share.
struct SharedWrites {
  /// A dispatcher that gets its outcome once that is kept.
  ///
  /// An object, since copying an outcome retains each of its parts.
  final class Waiter {
    private let outcome: Outcome
    private let continuation: CheckedContinuation<Result<Outcome, DispatchError>, Never>

    init(
      outcome: Outcome, continuation: CheckedContinuation<Result<Outcome, DispatchError>, Never>
    ) {
      self.outcome = outcome
      self.continuation = continuation
    }

    func resume(_ error: JournalError?) {
      continuation.resume(returning: error.map { .failure(.notKept($0)) } ?? .success(outcome))
    }
  }

  /// The part of the time of a write that the dispatchers who wait for the next one may wait for
  /// others: a half, as PostgreSQL advises for its `commit_delay`.
  static let gatheringShare = 2
  /// The longest wait for others, for a disk that has once been very slow.
  static let gatheringMax = Duration.milliseconds(10)

  /// The number of further dispatchers that wait until the store learns of their records, so that
  /// it inserts them while others are carried out.
  ///
  /// A dispatch takes a tenth less time then, with 100 that wait and a sync for each write.
  static let announcedCount = 64

  /// The dispatchers that wait until their commits are kept.
  var waiters: [Waiter] = []
  /// Whether a write for them is about to be made.
  var isWriting = false
  /// How many dispatchers waited at the last write for them, those included who came meanwhile, and
  /// how long it took.
  var last = (dispatcherCount: 0, duration: Duration.zero)
}

extension JournalWriter {
  /// Keeps all commits soon, together with those of other dispatchers, and resumes the waiter then.
  fileprivate func keepShared(
    _ waiter: SharedWrites.Waiter, for recording: Recording, on host: isolated Host
  ) {
    shared.waiters.append(waiter)
    if !writesBriefly, shared.waiters.count.isMultiple(of: SharedWrites.announcedCount) {
      Task.detached { [pending] in pending.announce() }
    }
    guard shared.waiters.count == 1, !shared.isWriting else { return }
    shared.isWriting = true
    // All are confined to the host, and used on it only.
    nonisolated(unsafe) let (writer, recording, session) = (self, recording, session)
    // A turn of its own, which comes after the dispatchers that wait for the host.
    Task {
      await writer.writeShared(for: recording, on: host)
      // The session may be closed meanwhile, and the writer doesn't retain it.
      withExtendedLifetime(session) {}
    }
  }

  private func writeShared(for recording: Recording, on host: isolated Host) async {
    while !shared.waiters.isEmpty {
      await gather(on: host)
      let answered = shared.waiters
      shared.waiters = []
      prepare()
      let start = ContinuousClock.now
      let error = await write(on: host)
      shared.last = (answered.count + shared.waiters.count, ContinuousClock.now - start)
      if let error { recording.note(error) } else if isKept { recording.noteKept() }
      for waiter in answered { waiter.resume(error) }
    }
    shared.isWriting = false
  }

  /// Waits until as many dispatchers wait as lately, or the time for that is over.
  ///
  /// Those who were answered often come again at once. Without this, they and those who came
  /// meanwhile would take turns, with a write for each half of them.
  private func gather(on host: isolated Host) async {
    guard !writesBriefly else { return }
    let longest = min(
      shared.last.duration / SharedWrites.gatheringShare, SharedWrites.gatheringMax)
    let end = ContinuousClock.now + longest
    while shared.waiters.count < shared.last.dispatcherCount, ContinuousClock.now < end {
      let count = shared.waiters.count
      // After what waits for the host, without a change of threads.
      await withCheckedContinuation(isolation: host) { continuation in
        host.executor.run { continuation.resume() }
      }
      // The host would do nothing else meanwhile, and may keep others from a processor.
      if shared.waiters.count == count { await Task.yield() }
    }
  }

  private func write(on host: isolated Host) async -> JournalError? {
    let write: @Sendable () -> JournalError? = { [pending] in
      do throws(JournalError) {
        try pending.write()
        return nil
      } catch {
        return error
      }
    }
    guard !writesBriefly else { return write() }
    // The value of a task would come back by way of a third thread.
    return await withCheckedContinuation(isolation: host) { continuation in
      Task.detached { continuation.resume(returning: write()) }
    }
  }
}

extension Surroundings {
  /// Describes what the sessions of a host run on.
  init(of host: isolated Host) {
    var modules = Map()
    var settings = Map()
    for entry in host.modules.sorted {
      let name = Key.string(Text(entry.module.name.text))
      modules[name] = Self.module(entry, host.reloader?.generations[entry.module.name])
      if let open = entry.module.settings?.values.open, !open.isEmpty {
        settings[name] = .map(open)
      }
    }
    let grants =
      (host.grants.allowsAll ? [Self.allGrants] : []) + host.grants.allowed.map(\.description)
    let named = Set(host.modules.sorted.flatMap(\.module.redacted))
    let others = host.modules.redacted.filter { !named.contains($0) }.map(\.description)
    self.init(
      modules: .map(modules), settings: .map(settings),
      grants: .list(List(grants.map { .string(Text($0)) })),
      formerlyRedacted: .list(List(others.map { .string(Text($0)) })),
      suspended: host.modules.suspension.modules.map(\.text).sorted())
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
