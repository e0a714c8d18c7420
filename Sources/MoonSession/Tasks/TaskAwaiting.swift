package import MoonModules
import MoonTasks
package import MoonValues

/// The waits of tasks for each other's ends.
extension TaskScheduler {
  /// Returns the outcome of tasks for the current task; nil if it must wait.
  package func settled(_ ids: [TaskID], _ goal: Wait.TaskGoal) -> [Value?]? {
    guard let outcome = outcome(of: ids, goal) else { return nil }
    current?.lastWait = .tasks(ids, goal, within: nil)
    return outcome
  }

  /// Returns the outcome of awaited tasks; nil if it isn't decided yet.
  ///
  /// The first value is the position of the deciding task, counted from 1, or 0 if no single task
  /// decides. Then follows how it ended: `finished`, `failed` with a message and the table that a
  /// command raised, or `cancelled`.
  func outcome(of ids: [TaskID], _ goal: Wait.TaskGoal) -> [Value?]? {
    var isDone = true
    for (offset, id) in ids.enumerated() {
      guard living[id] == nil || living[id]?.standing == .ended else {
        isDone = false
        continue
      }
      let ending = endings[id]
      if goal == .any || !ending.isFinished {
        return [.int(Int64(offset + 1))] + ending.values
      }
    }
    return isDone ? [.int(0), "finished"] : nil
  }

  /// Resumes the tasks that wait for a task's end; returns whether the code of any still exists.
  func resumeAwaiters(of task: EffectTask) -> Bool {
    guard let waiting = awaited.takeWaiters(for: task.id) else { return false }
    let hasCode = waiting.contains { living[$0]?.hasLostCode(in: session) != true }
    for id in waiting.sorted() {
      guard let other = living[id], case .tasks(let ids, let goal, _) = other.wait else { continue }
      other.awaitedCount -= 1
      other.chain.note(task.chain)
      // Checked first, since computing the outcome visits all awaited tasks.
      if goal == .all, other.awaitedCount > 0, endings[task.id].isFinished { continue }
      if let outcome = outcome(of: ids, goal) {
        answer(other, .values(outcome), hearing: goal == .all ? ids : [])
      }
    }
    return hasCode
  }
}
