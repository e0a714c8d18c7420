import HeapModule

/// The deadlines of all sleeping tasks of a host, in one heap that needs one timer.
///
/// Confined to the host. Requests no call while no task sleeps.
package final class DeadlineQueue {
  /// The number of stale deadlines that are kept before the heap may be rebuilt.
  static let staleMax = 1_000

  /// A deadline of a task: the end of a wait, or of the task's maximum life.
  private struct Entry: Comparable {
    let deadline: Duration
    let order: Int
    let task: EffectTask
    /// The number of the wait that ends; nil for the end of the task's life.
    let waitNumber: Int?

    /// Whether the deadline still applies.
    var isLive: Bool {
      guard let waitNumber else { return task.standing != .ended }
      return task.wait != nil && task.waitNumber == waitNumber
    }

    static func < (left: Entry, right: Entry) -> Bool {
      (left.deadline, left.order) < (right.deadline, right.order)
    }

    static func == (left: Entry, right: Entry) -> Bool { left.order == right.order }
  }

  /// Returns the current time; only differences are meaningful.
  let now: () -> Duration
  /// Requests a call of ``wake()`` at a time.
  ///
  /// Only the earliest requested time matters.
  private let requestWake: (Duration) -> Void
  private var entries = Heap<Entry>()
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

  /// Sets a deadline for a task's current wait, or with `endsLife` for its life.
  func set(for task: EffectTask, after time: Duration, endsLife: Bool = false) {
    count += 1
    let deadline = now() + time
    let isFirst = entries.min.map { deadline < $0.deadline } ?? true
    entries.insert(
      Entry(
        deadline: deadline, order: count, task: task,
        waitNumber: endsLife ? nil : task.waitNumber))
    if isFirst { requestWake(deadline) }
  }

  /// Records that a task no longer waits for a deadline.
  ///
  /// Rebuilds the heap if most deadlines in it are stale.
  func forget() {
    staleCount += 1
    guard staleCount > Self.staleMax, staleCount > entries.count / 2 else { return }
    entries = Heap(entries.unordered.filter(\.isLive))
    staleCount = 0
  }

  /// A deadline that is held back.
  struct Held {
    fileprivate let task: EffectTask
    fileprivate let waitNumber: Int?
    fileprivate let rest: Duration
  }

  /// Removes and returns the deadlines of a session's tasks.
  ///
  /// - Complexity: O(deadlines).
  func hold(of tasks: any TaskOwner) -> [Held] {
    let now = now()
    let all = entries.unordered.filter(\.isLive).sorted()
    entries = Heap(all.filter { $0.task.owner !== tasks })
    staleCount = 0
    return all.filter { $0.task.owner === tasks }.map { entry in
      Held(
        task: entry.task, waitNumber: entry.waitNumber, rest: max(.zero, entry.deadline - now))
    }
  }

  /// Sets deadlines again that were held back, those of tasks that still wait.
  func release(_ held: [Held]) {
    for deadline in held where deadline.waitNumber.map({ $0 == deadline.task.waitNumber }) ?? true {
      guard deadline.waitNumber == nil || deadline.task.wait != nil else { continue }
      set(for: deadline.task, after: deadline.rest, endsLife: deadline.waitNumber == nil)
    }
  }

  /// Requests a call of ``wake()`` that returns this session, so that its ready tasks resume.
  func requestTurn(_ tasks: any TaskOwner) {
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
    while let next = entries.min, next.deadline <= time {
      entries.removeMin()
      guard next.isLive, let tasks = next.task.owner else {
        staleCount = max(0, staleCount - 1)
        continue
      }
      if next.waitNumber == nil {
        tasks.lifetimeExpired(of: next.task)
      } else {
        tasks.deadlineReached(for: next.task)
      }
      if !woken.contains(where: { $0 === tasks }) { woken.append(tasks) }
    }
    if let next = entries.min { requestWake(next.deadline) }
    return woken.compactMap(\.sessionID)
  }
}
