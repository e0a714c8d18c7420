import MoonStore
package import MoonValues

/// The endings of tasks, and what waits for them.
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
  /// decides. Then follows how it ended: `finished`, `failed` with a message, or `cancelled`.
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

  func end(_ task: EffectTask, _ ending: EffectTask.Ending) {
    guard task.standing != .ended else { return }
    release(task)
    task.standing = .ended
    // Nobody can await a task that hasn't begun, such as each start that a debounce replaces.
    if task.run != nil { endings.note(ending, of: task.id) }
    task.run = nil
    if living.removeValue(forKey: task.id) != nil {
      let count = counts[task.effect.owner, default: 1] - 1
      counts[task.effect.owner] = count == 0 ? nil : count
    }
    if let parent = task.origin.parent.flatMap({ living[$0] }) { leave(parent, task) }
    if let member = task.durable { durable?.noteEnd(of: member, ending) }
    if task.effect.part.isRuled { starter.leave(task) }
    let hasListeners = resumeAwaiters(of: task) || task.origin.asker != nil
    task.origin.asker?.completion(ending)
    switch ending {
    case .finished: break
    case .cancelled: cancelChildren(of: task)
    case .failed(let fault):
      if !hasListeners, !task.isReplaying { session?.caller.note(fault) }
      cancelChildren(of: task)
    }
  }

  private func leave(_ parent: EffectTask, _ task: EffectTask) {
    parent.children.remove(task.id)
    // A Swift function waits through such tasks, and isn't told of their ends.
    if case .code = parent.wait { parent.chain.goOn(from: task.chain) }
  }

  /// Resumes the tasks that wait for the end of a task; returns whether there are any.
  private func resumeAwaiters(of task: EffectTask) -> Bool {
    guard let waiting = awaiting.removeValue(forKey: task.id) else { return false }
    for id in waiting.sorted() {
      guard let other = living[id], case .tasks(let ids, let goal, _) = other.wait else { continue }
      other.awaitedCount -= 1
      other.chain.note(task.chain)
      // Checked first, since computing the outcome visits all awaited tasks.
      if goal == .all, other.awaitedCount > 0, endings[task.id].isFinished { continue }
      if let outcome = outcome(of: ids, goal) { answer(other, .values(outcome)) }
    }
    return true
  }
}
