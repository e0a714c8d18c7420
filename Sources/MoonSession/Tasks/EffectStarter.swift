import DequeModule
import MoonActions
import MoonModules
import MoonTasks

/// The starting of effects by their policies and paces.
struct EffectStarter {
  let tasks: TaskScheduler

  /// Starts an effect, or delays the start.
  ///
  /// - Throws: ``TaskError`` if the module or the effect has as many tasks as it may.
  func start(_ effect: Bound<Effect>, on action: Action) throws(TaskError) {
    guard let pace = effect.part.pace else { return try startByPolicy(effect, on: action) }
    guard pace.rule == .throttle else { return try delay(effect, on: action, by: pace.time) }
    let now = tasks.deadlines?.now() ?? .zero
    if let last = tasks.starts[effect.key]?.lastStart, now < last + pace.time {
      return try delay(effect, on: action, by: last + pace.time - now)
    }
    tasks.starts[effect.key, default: EffectStarts(effect)].lastStart = now
    try startByPolicy(effect, on: action)
  }

  /// Makes a kept effect begin at its first turn, unless it runs.
  ///
  /// - Throws: ``TaskError`` if the module has as many tasks as it may.
  func begin(kept effect: Bound<Effect>, on action: Action) throws(TaskError) {
    guard tasks.starts[effect.key]?.running == nil else { return }
    let task = try tasks.makeTask(effect, on: action)
    tasks.starts[effect.key, default: EffectStarts(effect)].running = task.id
    tasks.add(task)
    tasks.makeReady(task, .begin)
  }

  /// Delays the start of an effect, in place of an earlier one that is delayed.
  private func delay(
    _ effect: Bound<Effect>, on action: Action, by time: Duration
  ) throws(TaskError) {
    if let id = tasks.starts[effect.key]?.delayed, let former = tasks.living[id] {
      tasks.end(former, .cancelled)
    }
    let task = try tasks.makeTask(effect, on: action)
    tasks.starts[effect.key, default: EffectStarts(effect)].delayed = task.id
    tasks.hold(task, until: .start(time))
  }

  /// Starts a task that its pace has delayed.
  func startDelayed(_ task: EffectTask) {
    task.chain.note(endOf: task.wait, after: 0)
    tasks.release(task)
    let effect = task.effect
    tasks.starts[effect.key, default: EffectStarts(effect)].delayed = nil
    if effect.part.pace?.rule == .throttle {
      tasks.starts[effect.key]?.lastStart = tasks.deadlines?.now()
    }
    do throws(TaskError) {
      switch try turn(of: effect, for: task.action) {
      case .now:
        if effect.part.policy != .every { tasks.starts[effect.key]?.running = task.id }
        tasks.makeReady(task, .begin)
      case .later:
        tasks.starts[effect.key]?.queued.append(task.id)
        tasks.hold(task, until: .turn)
      case .never: tasks.end(task, .cancelled)
      }
    } catch {
      guard let caller = tasks.session?.caller else { return }
      tasks.end(task, .failed(caller.fault(CodeFailure(.raised(error.text)), effect, task.action)))
    }
  }

  private func startByPolicy(_ effect: Bound<Effect>, on action: Action) throws(TaskError) {
    // A task that has just been cancelled closes its variables first.
    let former = tasks.starts[effect.key]?.running
    switch try turn(of: effect, for: action) {
    case .now:
      let task = try tasks.makeTask(effect, on: action)
      if effect.part.policy != .every {
        tasks.starts[effect.key, default: EffectStarts(effect)].running = task.id
      }
      guard former != nil else { return tasks.go(task, on: .begin) }
      tasks.add(task)
      tasks.makeReady(task, .begin)
    case .later:
      let task = try tasks.makeTask(effect, on: action)
      tasks.starts[effect.key]?.queued.append(task.id)
      tasks.hold(task, until: .turn)
    case .never: break
    }
  }

  /// When an effect may start.
  private enum Turn {
    case now
    case later
    case never
  }

  /// Returns when an effect may start for one more action; cancels its task if it is to make way.
  ///
  /// - Throws: ``TaskError`` if too many actions wait for it.
  private func turn(of effect: Bound<Effect>, for action: Action) throws(TaskError) -> Turn {
    guard let running = tasks.starts[effect.key]?.running else { return .now }
    switch effect.part.policy {
    case .every: return .now
    case .first: return .never
    case .latest:
      tasks.cancel(running)
      return .now
    case .queue:
      guard tasks.starts[effect.key]?.queued.count ?? 0 < EffectPolicy.queuedMax else {
        throw TaskError(
          "\(EffectPolicy.queuedMax) actions wait for \(effect.registration) already")
      }
      if action.isOthers(to: effect.owner) { try checkOthersRoom(in: effect) }
      return .later
    }
  }

  /// Checks that one more action of another module may wait for an effect.
  ///
  /// - Throws: ``TaskError``
  private func checkOthersRoom(in effect: Bound<Effect>) throws(TaskError) {
    let waiting = tasks.starts[effect.key]?.queued.count {
      tasks.living[$0]?.action.isOthers(to: effect.owner) ?? false
    }
    let othersMax = TaskLimits.others(of: EffectPolicy.queuedMax)
    guard waiting ?? 0 < othersMax else {
      throw TaskError(
        "\(othersMax) actions of other modules wait for \(effect.registration) already")
    }
  }

  /// Notes the end of a task, and starts the one that waits for its turn.
  func leave(_ task: EffectTask) {
    let key = task.effect.key
    guard var record = tasks.starts.removeValue(forKey: key) else { return }
    if record.delayed == task.id { record.delayed = nil }
    if record.running == task.id {
      record.running = nil
      while let next = record.queued.popFirst() {
        guard let task = tasks.living[next], task.standing == .alive else { continue }
        record.running = next
        tasks.release(task)
        tasks.makeReady(task, .begin)
        break
      }
    } else if task.lastWait.isTurn {
      record.queued.removeAll { $0 == task.id }
    }
    let isIdle = record.running == nil && record.delayed == nil && record.lastStart == nil
    if !isIdle { tasks.starts[key] = record }
  }
}

extension Bound<Effect> {
  /// The key of the effect's record, the same after modules beside its own have changed.
  fileprivate var key: ObjectIdentifier { ObjectIdentifier(part.paceID) }
}

extension Wait? {
  fileprivate var isTurn: Bool { if case .turn = self { true } else { false } }
}

extension TaskScheduler {
  var starter: EffectStarter { EffectStarter(tasks: self) }
}
