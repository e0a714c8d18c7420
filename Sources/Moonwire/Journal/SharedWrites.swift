import MoonActions
import MoonLua
import MoonModules
import MoonSession

extension Host {
  /// Dispatches in a session, and returns once its commits are kept, together with those of others.
  ///
  /// - Throws: ``DispatchError``
  func sharingWrites(
    of id: SessionID, _ dispatch: (isolated Host) throws(DispatchError) -> Outcome
  ) async throws(DispatchError) -> Outcome {
    guard let recording = session(id)?.recorders.journal,
      let writer = recording.recorder as? JournalWriter
    else { return try dispatch(self) }
    recording.isShared = true
    let outcome: Outcome
    do throws(DispatchError) {
      defer { recording.isShared = false }
      outcome = try dispatch(self)
    } catch {
      await writer.keepRest(for: recording, on: self)
      throw error
    }
    if let failure = await writer.keepShared(for: recording, on: self) { throw .notKept(failure) }
    return outcome
  }
}

/// The writes of a journal that dispatchers share.
struct SharedWrites {
  /// The fraction of a write's time for which the dispatchers of the next write may wait for
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
  var waiters: [CheckedContinuation<JournalError?, Never>] = []
  /// Whether a write for them is about to be made.
  var isWriting = false
  /// How many dispatchers waited for the last write, including those who came meanwhile, and how
  /// long it took.
  var last = (dispatcherCount: 0, duration: Duration.zero)
}

extension JournalWriter {
  /// Keeps what tasks have done in the turns after a failed action.
  fileprivate func keepRest(for recording: Recording, on host: isolated Host) async {
    guard recording.failure == nil else { return }
    // Another thread may have kept it, of which the tasks that wait for that don't know.
    if isKept { return recording.noteKept() }
    _ = await keepShared(for: recording, on: host)
  }

  /// Keeps all commits soon, together with those of other dispatchers; returns the reason that
  /// they couldn't be kept.
  fileprivate func keepShared(
    for recording: Recording, on host: isolated Host
  ) async -> JournalError? {
    let span = host.options.telemetry.flatMap { [session] telemetry in
      telemetry.open(.commit(in: session.id), in: telemetry.openCaller)
    }
    let failure = await withCheckedContinuation(isolation: host) { waiter in
      keepShared(waiter, for: recording, on: host)
    }
    span?.end(failure == nil ? .done : .failed("not kept"))
    return failure
  }

  /// Keeps all commits soon, together with those of other dispatchers, and resumes the waiter then
  /// with the reason that they couldn't be kept.
  private func keepShared(
    _ waiter: CheckedContinuation<JournalError?, Never>, for recording: Recording,
    on host: isolated Host
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
    var isHoldingTasks = false
    while !shared.waiters.isEmpty || isHoldingTasks {
      if !shared.waiters.isEmpty { await gather(on: host) }
      let answered = shared.waiters
      shared.waiters = []
      prepare()
      let start = ContinuousClock.now
      let error = await write(on: host)
      shared.last = (answered.count + shared.waiters.count, ContinuousClock.now - start)
      if let error { recording.note(error) } else if isKept { recording.noteKept() }
      for waiter in answered { waiter.resume(returning: error) }
      // Something was added meanwhile, after which nothing else might be written.
      isHoldingTasks = error == nil && recording.holdsTasks
    }
    shared.isWriting = false
  }

  /// Waits until as many dispatchers wait as recently, or the time for that is over.
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
