package import MoonModules

/// The tasks that wait for the ends of others.
package struct AwaitedTasks {
  /// The tasks that wait, by the task that they wait for.
  private var waiters: [TaskID: Set<TaskID>] = [:]
  /// The tasks that each task awaited and that hadn't ended when its wait did.
  private var hearing: [TaskID: [TaskID]] = [:]
  /// The number of tasks in ``hearing`` that hear each task.
  private var hearerCounts: [TaskID: Int] = [:]

  /// Makes an empty table.
  package init() {}

  /// Lets a task wait for others; returns their number.
  package mutating func add(_ task: TaskID, for others: Set<TaskID>) -> Int {
    for other in others { waiters[other, default: []].insert(task) }
    return others.count
  }

  /// Ends the wait of a task for others.
  package mutating func remove(_ task: TaskID, for others: [TaskID]) {
    for other in others {
      waiters[other]?.remove(task)
      if waiters[other]?.isEmpty == true { waiters[other] = nil }
    }
  }

  /// Returns whether any task waits for the end of a task.
  package func isAwaited(_ task: TaskID) -> Bool { waiters[task] != nil }

  /// Removes and returns the tasks that wait for a task; nil if none does.
  package mutating func takeWaiters(for task: TaskID) -> Set<TaskID>? {
    waiters.isEmpty ? nil : waiters.removeValue(forKey: task)
  }

  /// Notes the tasks that a task awaits and that haven't ended, as its wait ends.
  ///
  /// The task may still end them, so their errors are heard until it goes on.
  package mutating func hear(_ others: [TaskID], by task: TaskID) {
    guard !others.isEmpty else { return }
    hearing[task] = others
    for other in others { hearerCounts[other, default: 0] += 1 }
  }

  /// Ends what ``hear(_:by:)`` has begun.
  package mutating func endHearing(by task: TaskID) {
    guard !hearing.isEmpty else { return }
    for other in hearing.removeValue(forKey: task) ?? [] {
      let count = hearerCounts[other, default: 1] - 1
      hearerCounts[other] = count == 0 ? nil : count
    }
  }

  /// Returns whether a task is about to learn of another's end.
  package func isHeard(_ task: TaskID) -> Bool { hearerCounts[task] != nil }
}
