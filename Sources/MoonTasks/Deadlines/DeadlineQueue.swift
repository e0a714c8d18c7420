package import MoonActions

/// The deadlines of all sleeping tasks of a host, in one heap that needs one timer.
///
/// Confined to the host. Requests no call while no task sleeps.
package final class DeadlineQueue {
  /// The number of stale deadlines that are kept before the heap may be rebuilt.
  static let staleMax = 1_000

  /// Returns the current time; only differences are meaningful.
  package let now: () -> Duration
  /// Requests a call of ``wake()`` at a time.
  ///
  /// Only the earliest requested time matters.
  private let requestWake: (Duration) -> Void
  private var deadlines = DeadlineHeap()
  private var staleCount = 0
  private var count = 0
  private var requestedTurns: [any TaskOwner] = []

  /// Makes a queue.
  ///
  /// `requestWake` receives the time at which ``wake()`` must be called.
  package init(now: @escaping () -> Duration, requestWake: @escaping (_ deadline: Duration) -> Void)
  {
    self.now = now
    self.requestWake = requestWake
  }

  /// The earliest deadline that still applies; nil if there is none.
  ///
  /// - Complexity: O(deadlines).
  package var earliest: Duration? {
    deadlines.unordered.lazy.filter(\.isLive).map(\.time).min()
  }

  /// Sets a deadline for a task's current wait, or with `endsLife` for its life.
  package func set(for task: EffectTask, after time: Duration, endsLife: Bool = false) {
    count += 1
    let deadline = now() + time
    let isFirst = deadlines.earliest.map { deadline < $0 } ?? true
    deadlines.insert(
      TaskDeadline(
        time: deadline, order: count, task: task, waitNumber: endsLife ? nil : task.waitNumber))
    if isFirst { requestWake(deadline) }
  }

  /// Records that a task no longer waits for a deadline.
  ///
  /// Rebuilds the heap if most deadlines in it are stale.
  package func forget() {
    staleCount += 1
    guard staleCount > Self.staleMax, staleCount > deadlines.count / 2 else { return }
    deadlines = DeadlineHeap(deadlines.unordered.filter(\.isLive))
    staleCount = 0
  }

  /// A deadline that is held back.
  package struct Held {
    fileprivate let task: EffectTask
    fileprivate let waitNumber: Int?
    fileprivate let rest: Duration
  }

  /// Removes and returns the deadlines of a session's tasks.
  ///
  /// - Complexity: O(deadlines).
  package func hold(of tasks: any TaskOwner) -> [Held] {
    let now = now()
    let all = deadlines.unordered.filter(\.isLive).sorted {
      ($0.time, $0.order) < ($1.time, $1.order)
    }
    deadlines = DeadlineHeap(all.filter { $0.task.scheduler !== tasks })
    staleCount = 0
    return all.filter { $0.task.scheduler === tasks }.map { one in
      Held(task: one.task, waitNumber: one.waitNumber, rest: max(.zero, one.time - now))
    }
  }

  /// Sets deadlines again that were held back, those of tasks that still wait.
  package func release(_ held: [Held]) {
    for deadline in held where deadline.waitNumber.map({ $0 == deadline.task.waitNumber }) ?? true {
      guard deadline.waitNumber == nil || deadline.task.wait != nil else { continue }
      set(for: deadline.task, after: deadline.rest, endsLife: deadline.waitNumber == nil)
    }
  }

  /// Requests a call of ``wake()`` that returns this session, so that its ready tasks resume.
  package func requestTurn(_ tasks: any TaskOwner) {
    if requestedTurns.isEmpty { requestWake(now()) }
    if !requestedTurns.contains(where: { $0 === tasks }) { requestedTurns.append(tasks) }
  }

  /// Makes the tasks ready whose deadlines have passed, and requests the next call.
  ///
  /// Returns the sessions with ready tasks. The caller must settle them.
  package func wake() -> [SessionID] {
    let time = now()
    var woken = requestedTurns
    requestedTurns = []
    while let earliest = deadlines.earliest, earliest <= time, let next = deadlines.popFirst() {
      guard next.isLive, let tasks = next.task.scheduler else {
        staleCount = max(0, staleCount - 1)
        continue
      }
      if next.waitNumber == nil {
        tasks.lifetimeExpired(of: next.task)
      } else {
        tasks.deadlineReached(for: next.task)
        // The end of the wait has counted this deadline, which is gone.
        staleCount = max(0, staleCount - 1)
      }
      if !woken.contains(where: { $0 === tasks }) { woken.append(tasks) }
    }
    if let earliest = deadlines.earliest { requestWake(earliest) }
    return woken.compactMap(\.sessionID)
  }
}
