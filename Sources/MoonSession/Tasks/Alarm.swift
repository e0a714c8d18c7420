import HeapModule

/// What the tasks of all sessions of a host sleep by: one heap of deadlines, for one timer.
///
/// Confined to the host. While nothing sleeps, it asks for nothing.
package final class Alarm {
  /// How many deadlines of tasks that don't wait for them any more are kept, at least.
  static let staleMax = 1_000

  /// A wait that ends at a time.
  private struct Entry: Comparable {
    let deadline: Duration
    let order: Int
    let task: EffectTask
    /// The wait that ends; nil if it is the task's life.
    let waitNumber: Int?

    /// Whether the task still waits for it.
    var isLive: Bool {
      guard let waitNumber else { return task.standing != .ended }
      return task.wait != nil && task.waitNumber == waitNumber
    }

    static func < (left: Entry, right: Entry) -> Bool {
      (left.deadline, left.order) < (right.deadline, right.order)
    }

    static func == (left: Entry, right: Entry) -> Bool { left.order == right.order }
  }

  /// The time, on a clock of which only differences mean something.
  let now: () -> Duration
  /// Asks for a call of ``wake()`` at a time, or at once; the earliest one asked for is enough.
  private let ask: (Duration) -> Void
  private var entries = Heap<Entry>()
  private var staleCount = 0
  private var count = 0
  private var soon: [any TaskOwner] = []

  /// Makes an alarm.
  ///
  /// `ask` is called with the time at which ``wake()`` has to be called.
  package init(now: @escaping () -> Duration, ask: @escaping (_ deadline: Duration) -> Void) {
    self.now = now
    self.ask = ask
  }

  /// Wakes a task that sleeps when a time has passed, or ends its life.
  func set(for task: EffectTask, after time: Duration, endsLife: Bool = false) {
    count += 1
    let deadline = now() + time
    let isFirst = entries.min.map { deadline < $0.deadline } ?? true
    entries.insert(
      Entry(
        deadline: deadline, order: count, task: task,
        waitNumber: endsLife ? nil : task.waitNumber))
    if isFirst { ask(deadline) }
  }

  /// Notes that a task doesn't wait for its time any more.
  func forget() {
    staleCount += 1
    guard staleCount > Self.staleMax, staleCount > entries.count / 2 else { return }
    entries = Heap(entries.unordered.filter(\.isLive))
    staleCount = 0
  }

  /// Has the ready tasks of a session go on in a turn of their own.
  func wakeSoon(_ tasks: any TaskOwner) {
    if soon.isEmpty { ask(now()) }
    if !soon.contains(where: { $0 === tasks }) { soon.append(tasks) }
  }

  /// Makes tasks ready whose time has come, and asks for the next call; returns the sessions with
  /// ready tasks, which are to be settled.
  package func wake() -> [SessionID] {
    let time = now()
    var woken = soon
    soon = []
    while let next = entries.min, next.deadline <= time {
      entries.removeMin()
      guard next.isLive, let tasks = next.task.owner else {
        staleCount = max(0, staleCount - 1)
        continue
      }
      if next.waitNumber == nil {
        tasks.lifeIsOver(of: next.task)
      } else {
        tasks.timeHasCome(for: next.task)
      }
      if !woken.contains(where: { $0 === tasks }) { woken.append(tasks) }
    }
    if let next = entries.min { ask(next.deadline) }
    return woken.compactMap(\.sessionID)
  }
}
