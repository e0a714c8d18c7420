import HeapModule
import Synchronization

/// The time limits of the operations of a network, which share one timer.
///
/// A separate timer for each operation would wake a thread twice, to set it and to cancel it. Most
/// operations end long before their time, which is later than that of operations begun before, so
/// the shared timer is rarely set. Ended limits are removed when it fires, or when they are the
/// majority.
final class TimeLimits: Sendable {
  /// The number of ended limits that are kept before they are removed.
  private static let endedMax = 1_000

  /// The thread that runs the operations and the timer.
  private let thread: NetworkThread

  init(on thread: NetworkThread) {
    self.thread = thread
  }

  /// The error of an operation whose time has passed.
  struct Passed: Error {}

  /// Returns the end of a period that begins now.
  static func end(after seconds: Double) -> ContinuousClock.Instant {
    .now + .seconds(seconds)
  }

  /// Runs an operation and cancels it after a time.
  ///
  /// - Throws: What the operation throws, or `failure` if the time has passed.
  func limit<Result: Sendable>(
    to seconds: Double?, orThrow failure: @autoclosure () -> HTTPFailure,
    _ operation: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let seconds else { return try await operation() }
    do {
      return try await limit(until: Self.end(after: seconds), operation)
    } catch is Passed {
      throw failure()
    }
  }

  /// Runs an operation in its own task, and cancels that at a time.
  ///
  /// - Throws: What the operation throws, or ``Passed``.
  func limit<Result: Sendable>(
    until end: ContinuousClock.Instant, _ operation: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let work = Task.immediate(executorPreference: thread) { try await operation() }
    return try await limit(until: end) {
      work.cancel()
    } to: {
      try await work.value
    }
  }

  /// Runs an operation that ends when `cancel` is called, which happens at a time or when the task
  /// is cancelled.
  ///
  /// - Throws: What the operation throws, or ``Passed``.
  nonisolated(nonsending) func limit<Result: Sendable>(
    until end: ContinuousClock.Instant, cancelling cancel: @escaping @Sendable () -> Void,
    to operation: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    let limit = begin(until: end, cancelling: cancel)
    defer { self.end(limit) }
    do {
      return try await withTaskCancellationHandler(operation: operation, onCancel: cancel)
    } catch {
      throw limit.hasPassed && !Task.isCancelled ? Passed() : error
    }
  }

  /// The time limit of one operation.
  private final class Limit: Sendable {
    /// The function that cancels the operation.
    ///
    /// A struct, since a mutex that holds a bare function wraps it again at each access.
    private struct Cancellation {
      let run: @Sendable () -> Void
    }

    let end: ContinuousClock.Instant
    /// Nil once the operation has ended or its time has passed.
    private let cancellation: Mutex<Cancellation?>
    private let passed = Atomic(false)

    init(_ end: ContinuousClock.Instant, _ cancel: @escaping @Sendable () -> Void) {
      self.end = end
      cancellation = Mutex(Cancellation(run: cancel))
    }

    /// Whether the time passed before the operation ended.
    var hasPassed: Bool { passed.load(ordering: .acquiring) }

    /// Whether the operation has ended, or its time has passed.
    var hasEnded: Bool { cancellation.withLock { $0 == nil } }

    /// Notes that the operation has ended; returns false if it had ended or its time had passed.
    func finish() -> Bool { cancellation.withLock { $0.take() } != nil }

    /// Cancels the operation unless it has ended.
    func pass() {
      guard let cancellation = cancellation.withLock({ $0.take() }) else { return }
      passed.store(true, ordering: .releasing)
      cancellation.run()
    }
  }

  private struct Entry: Comparable {
    let limit: Limit

    static func < (left: Entry, right: Entry) -> Bool { left.limit.end < right.limit.end }
    static func == (left: Entry, right: Entry) -> Bool { left.limit === right.limit }
  }

  private struct Contents {
    var entries = Heap<Entry>()
    var endedCount = 0
    /// The time at which the timer fires; nil if it isn't set.
    var wake: ContinuousClock.Instant?

    /// Adds a limit; returns whether the timer must be set for it.
    mutating func add(_ limit: Limit) -> Bool {
      entries.insert(Entry(limit: limit))
      if let wake, wake <= limit.end { return false }
      wake = limit.end
      return true
    }

    /// Notes that a limit has ended; removes the ended limits if they are the majority.
    mutating func noteEnd() {
      endedCount += 1
      guard endedCount > TimeLimits.endedMax, endedCount > entries.count / 2 else { return }
      entries = Heap(entries.unordered.filter { !$0.limit.hasEnded })
      endedCount = 0
    }

    /// Removes and returns the limits that are due; ``wake`` becomes the time of the next one.
    mutating func removeDue(at now: ContinuousClock.Instant) -> [Limit] {
      var due: [Limit] = []
      while let first = entries.min?.limit, first.end <= now || first.hasEnded {
        entries.removeMin()
        if first.hasEnded { endedCount = max(0, endedCount - 1) } else { due.append(first) }
      }
      wake = entries.min?.limit.end
      return due
    }
  }

  private let contents = Mutex(Contents())

  /// Sets a limit, after which an operation is cancelled.
  private func begin(
    until end: ContinuousClock.Instant, cancelling cancel: @escaping @Sendable () -> Void
  ) -> Limit {
    let limit = Limit(end, cancel)
    if contents.withLock({ $0.add(limit) }) { setTimer(limit.end) }
    return limit
  }

  /// Ends a limit whose operation has ended.
  private func end(_ limit: Limit) {
    if limit.finish() { contents.withLock { $0.noteEnd() } }
  }

  private func setTimer(_ time: ContinuousClock.Instant) {
    thread.run { [weak self] loop in loop.schedule(at: time) { _ in self?.fire(time) } }
  }

  /// Lets due limits pass, and sets the timer for the next one.
  private func fire(_ time: ContinuousClock.Instant) {
    let (due, next) = contents.withLock { contents -> ([Limit], ContinuousClock.Instant?) in
      // An earlier time was set meanwhile, and its timer has done this one's work.
      guard contents.wake == time else { return ([], nil) }
      return (contents.removeDue(at: .now), contents.wake)
    }
    for limit in due { limit.pass() }
    if let next { setTimer(next) }
  }
}
