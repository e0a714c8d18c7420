import MoonStore
package import MoonValues

/// How tasks end: by themselves, by a cancellation, or with their modules.
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
  private func outcome(of ids: [TaskID], _ goal: Wait.TaskGoal) -> [Value?]? {
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
    if task.run != nil || ending.isFailure { endings.note(ending, of: task.id) }
    task.run = nil
    if living.removeValue(forKey: task.id) != nil {
      let count = counts[task.effect.owner, default: 1] - 1
      counts[task.effect.owner] = count == 0 ? nil : count
    }
    if let parent = task.origin.parent.flatMap({ living[$0] }) {
      parent.children.remove(task.id)
      // A Swift function waits through such tasks, and isn't told of their ends.
      if case .code = parent.wait { parent.takeDepth(of: task) }
    }
    if task.effect.part.isRuled { leaveStarts(task) }
    let hasListeners = resumeAwaiters(of: task)
    switch ending {
    case .finished: break
    case .cancelled: cancelChildren(of: task)
    case .failed(let fault):
      if !hasListeners { session?.caller.note(fault) }
      cancelChildren(of: task)
    }
  }

  /// Resumes the tasks that wait for the end of a task; returns whether there are any.
  private func resumeAwaiters(of task: EffectTask) -> Bool {
    guard let waiting = awaiting.removeValue(forKey: task.id) else { return false }
    for id in waiting.sorted() {
      guard let other = living[id], case .tasks(let ids, let goal, _) = other.wait else { continue }
      other.awaitedCount -= 1
      other.awaitedDepth = max(other.awaitedDepth, task.depth - task.spawnDepth)
      // Checked first, since computing the outcome visits all awaited tasks.
      if goal == .all, other.awaitedCount > 0, endings[task.id].isFinished { continue }
      if let outcome = outcome(of: ids, goal) { answer(other, .values(outcome)) }
    }
    return true
  }

  /// Cancels a task and those that it spawned, each as soon as its code isn't running; returns
  /// false if there is no such task.
  @discardableResult
  package func cancel(_ id: TaskID) -> Bool {
    guard let task = living[id] ?? (current?.id == id ? current : nil), task.standing == .alive
    else { return false }
    task.standing = .cancelled
    cancelChildren(of: task)
    release(task)
    if task !== current { enqueue(task) }
    return true
  }

  /// Cancels the tasks of a suspended module, each as soon as its code isn't running.
  package func cancelAll(of module: ModuleName) {
    forgetRunningSchedules(of: module)
    let tasks = living.values.filter { $0.effect.owner == module }
    for task in tasks.sorted(by: { $0.id < $1.id }) { cancel(task.id) }
  }

  private func cancelChildren(of task: EffectTask) {
    for child in task.children.sorted() { cancel(child) }
  }

  /// Ends the tasks of modules immediately.
  ///
  /// No code of a module may be running. `isKilled` means that the code of the tasks no longer
  /// exists, so no cleanup runs. Timers hold no code; `.kept` lets them go on.
  package func end(
    of modules: Set<ModuleName>, isKilled: Bool = false, timers: EndOfTimers = .ended
  ) {
    let tasks = living.values.filter {
      modules.contains($0.effect.owner) && (timers == .ended || !$0.isTimer)
    }
    if timers == .ended { for module in modules { schedules[module] = nil } }
    starts = starts.filter { !modules.contains($0.value.owner) }
    defer { if session?.work.isRunning == false { session?.work.end() } }
    for task in tasks.sorted(by: { $0.id < $1.id }) where task.standing != .ended {
      if isKilled { task.run = nil }
      release(task)
      task.standing = .cancelled
      close(task)
    }
  }

  /// Ends a cancelled task, after its cleanup has run.
  func close(_ task: EffectTask) {
    guard let session, task.standing != .ended else { return }
    current = task
    if let run = task.run {
      beginWork(of: task)
      session.caller.attempt(task.effect, on: task.action) { _ in try run.cancel() }
    }
    current = nil
    end(task, .cancelled)
  }
}

extension TaskScheduler {
  /// What becomes of the timers of modules whose tasks end.
  package enum EndOfTimers {
    case ended
    case kept
  }
}

extension EffectTask.Ending {
  fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
