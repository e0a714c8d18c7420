import MoonActions
package import MoonModules
package import MoonServiceKit
import MoonTasks
import MoonValues

/// The cancelling of tasks.
extension TaskScheduler {
  /// Cancels a task and those that it spawned, each as soon as its code isn't running; returns
  /// false if there is no such task.
  @discardableResult
  package func cancel(_ id: TaskID) -> Bool {
    guard let task = living[id] ?? (current?.id == id ? current : nil), task.standing == .alive
    else { return false }
    task.standing = .cancelled
    cancelChildren(of: task)
    release(task)
    if task !== current, !task.isReplaying {
      makeReadyToClose(task)
    }
    return true
  }

  /// Closes a cancelled task at its next turn.
  func makeReadyToClose(_ task: EffectTask) {
    ready.append(ReadyTask(task: task, held: nil), of: task.effect.owner)
    noteReady()
  }

  /// Cancels the tasks of a suspended module, each as soon as its code isn't running.
  package func cancelAll(of module: ModuleName) {
    schedules[module]?.removeAll { living[$0.task] != nil }
    durable?.stop(of: [module])
    let tasks = living.values.filter { $0.effect.owner == module }
    for task in tasks.sorted(by: { $0.id < $1.id }) { cancel(task.id) }
  }

  /// Cancels the tasks that actions began.
  func cancelAll(begunBy actions: Set<Int64>) {
    let tasks = living.values.filter { actions.contains($0.action.meta.id) }
    for task in tasks.sorted(by: { $0.id < $1.id }) { cancel(task.id) }
  }

  /// Shifts the times of timers and paces after the session stood still.
  func shift(by time: Duration) {
    for task in living.values { task.run?.shift(by: time) }
    for key in starts.keys { starts[key]?.lastStart? += time }
  }

  func cancelChildren(of task: EffectTask) {
    for child in task.children.sorted() { cancel(child) }
  }

  /// Ends the tasks of modules that leave immediately.
  func end(of leaving: [ModuleSet.Entry]) { end(of: Set(leaving.map(\.module.name))) }

  /// Ends the tasks of modules immediately.
  ///
  /// Durable tasks go on, since they have machines of their own, and so do commands whose code has
  /// ended.
  ///
  /// Once closing the tasks of a module has taken the time of an action, the cleanup of its others
  /// doesn't run.
  ///
  /// No code of a module may be running. `isKilled` means that the code of the tasks no longer
  /// exists, so no cleanup runs. Timers hold no code, and `keepsTimers` lets them go on.
  package func end(
    of modules: Set<ModuleName>, isKilled: Bool = false, keepsTimers: Bool = false
  ) {
    let tasks = living.values.filter {
      modules.contains($0.effect.owner) && $0.durable == nil && $0.origin.asker?.ending == nil
        && !($0.isTimer && (keepsTimers || isKilled))
    }
    if !keepsTimers, !isKilled { for module in modules { schedules[module] = nil } }
    starts = starts.filter { !modules.contains($0.value.owner) }
    if isKilled { pendingCalls = pendingCalls.filter { !modules.contains($0.value.owner) } }
    defer { if session?.current.isRunning == false { session?.current.end() } }
    var closing = ClosingTime(in: session)
    for task in tasks.sorted(by: { $0.id < $1.id }) where task.standing != .ended {
      if isKilled || !closing.isLeft(for: task) { task.loseCode(telling: &endings) }
      release(task)
      task.standing = .cancelled
      closing.measure(task) { close(task) }
    }
  }

  func close(_ task: EffectTask) {
    guard let session, task.standing != .ended else { return }
    current = task
    if let run = task.run {
      session.current.begin(task)
      task.durable?.task.beginTurn(of: task.durable?.number ?? 0)
      session.caller.attempt(task.effect, on: task.action) { _ in try run.cancel() }
      task.durable?.task.endTurn(waits: false, until: nil, isCancelled: true)
    }
    current = nil
    end(task, .cancelled)
  }
}
