import MoonActions
import MoonModules
package import MoonServiceKit
import MoonTasks
import MoonValues

/// The durable tasks of an earlier run, and those that were stopped.
extension DurableTasks {
  /// Resumes the tasks of the earlier run.
  package func resume() {
    let kept = self.kept
    for (number, task) in kept.tasks.sorted(by: { $0.key < $1.key }) {
      guard let first = task.entries.first?["begin"],
        let beginning = DurableTask.Beginning(number, first)
      else { continue }
      let made = DurableTask(beginning, TaskLog(task.entries), .stopped, record: record)
      tasks[number] = made
    }
    self.kept = KeptTasks()
    for task in tasks.values.sorted(by: { $0.beginning.number < $1.beginning.number }) {
      goOn(task)
    }
  }

  /// Resumes the stopped tasks of modules.
  package func resume(of modules: Set<ModuleName>) {
    for (number, task) in tasks.sorted(by: { $0.key < $1.key })
    where modules.contains(task.beginning.module) {
      guard case .stopped = task.mode, task.ending == nil else { continue }
      let made = DurableTask(task.beginning, task.log, .stopped, record: record)
      tasks[number] = made
      goOn(made)
    }
  }

  private func goOn(_ task: DurableTask) {
    let beginning = task.beginning
    guard let effect = effect(of: beginning) ?? leftEffect(of: beginning) else { return }
    if task.log.hasEnding {
      sendAgain(task, effect)
      return finishWhenSettled(task, "finished")
    }
    if isOutdated(beginning), let payload = newPayload(of: task, effect) {
      sendAgain(task, effect)
      return beginAnew(task, with: payload)
    }
    replay(task, effect)
  }

  /// Runs a task through its log, and lets it continue.
  private func replay(_ task: DurableTask, _ effect: Bound<Effect>) {
    let beginning = task.beginning
    do {
      try begin(task, effect)
      TaskReplay(session: session, task: task).run(
        asked.values.filter { $0.task == beginning.number }, in: self)
    } catch {
      task.mode = .stopped
      let failure = CodeFailure(.raised("\(beginning.name) can't go on: \(error)"))
      session.caller.note(session.caller.fault(failure, effect, beginning.action))
    }
  }

  /// Runs the code of a task that won't continue through its log, so that actions that weren't
  /// carried out are dispatched again.
  ///
  /// The actions of code that can no longer run are lost.
  private func sendAgain(_ task: DurableTask, _ effect: Bound<Effect>) {
    guard isUnsettled(task) else { return }
    if (try? begin(task, effect)) != nil {
      TaskReplay(session: session, task: task).replay()
      DurableTurns(session.tasks).drop(task)
    }
    task.mode = .stopped
    task.continuation = nil
    dropFormerActions(of: task)
  }

  /// Makes the first part of a task begin at its start, answered by the log.
  ///
  /// - Throws: The reason that the code can't be loaded.
  private func begin(_ task: DurableTask, _ effect: Bound<Effect>) throws {
    let part = try session.tasks.makeTask(effect, on: task.beginning.action)
    part.run = try machines.run(of: task, contents, in: session)
    part.durable = task.admit(part)
    session.tasks.add(part)
    task.mode = .replaying
  }

  /// The effect of a module in service that no longer has such an effect.
  private func leftEffect(of beginning: DurableTask.Beginning) -> Bound<Effect>? {
    guard let module = session.modules[beginning.module]?.module else { return nil }
    return Bound(
      Effect(for: Registration(.effect, beginning.effect)), of: module)
  }

  private func isOutdated(_ beginning: DurableTask.Beginning) -> Bool {
    machines.isOutdated(beginning)
  }

  /// Describes the durable task that a task is a part of; nil if it is none.
  func info(of part: EffectTask) -> TaskInfo.Durable? {
    part.durable.map {
      TaskInfo.Durable(
        number: $0.task.beginning.number, isOnEarlierCode: isOutdated($0.task.beginning),
        code: $0.task.beginning.codeMark)
    }
  }

  /// Returns the number of a module's tasks that continue on earlier code, by the generation that
  /// began them.
  package func counts(onEarlierCodeOf module: ModuleName) -> [Int: Int] {
    let going = tasks.values.filter {
      if case .live = $0.mode {} else { return false }
      return $0.beginning.module == module && $0.ending == nil && isOutdated($0.beginning)
    }
    return going.reduce(into: [:]) { $0[$1.beginning.generation, default: 0] += 1 }
  }

  /// The number of tasks of modules that aren't in service, by module.
  package var countsWithoutModule: [ModuleName: Int] {
    let left = tasks.values.filter {
      $0.ending == nil && session.modules[$0.beginning.module] == nil
    }
    return left.reduce(into: [:]) { $0[$1.beginning.module, default: 0] += 1 }
  }

  /// Returns the payload with which a task restarts on changed code; nil if it continues, because
  /// its effect says so or because the effect's function has failed.
  private func newPayload(of task: DurableTask, _ effect: Bound<Effect>) -> Value? {
    let action = task.beginning.action
    switch effect.part.durability?.newCode {
    case nil, .finish: return nil
    case .restart: return action.payload
    case .migrate(let body):
      return session.caller.attempt(effect, on: action) { _ in
        try body(action.payload, machines.progress(of: task))
      }
    }
  }

  /// Restarts the tasks of changed modules whose effects say so, and resumes those that were
  /// stopped.
  package func codeChanged(of modules: Set<ModuleName>) {
    resume(of: modules)
    for task in tasks.values.sorted(by: { $0.beginning.number < $1.beginning.number })
    where modules.contains(task.beginning.module) && isOutdated(task.beginning) {
      guard case .live = task.mode, task.ending == nil, let effect = effect(of: task.beginning)
      else { continue }
      guard let payload = newPayload(of: task, effect) else { continue }
      beginAnew(task, with: payload)
      task.mode = .stopped
      DurableTurns(session.tasks).drop(task)
    }
  }
}
