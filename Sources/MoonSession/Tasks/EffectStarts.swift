import DequeModule
import MoonStore

/// The tasks of one effect that has a policy or a timing.
struct EffectStarts {
  /// Keeps the identity alive, since it is the key of this record.
  let identity: Effect.Identity
  let owner: ModuleName
  /// The task that later actions concern; nil if none runs, or if several may.
  var running: TaskID?
  /// The task that the timing delays.
  var delayed: TaskID?
  /// The tasks that wait for their turn.
  var queued: Deque<TaskID> = []
  /// The time of the latest start that a throttle counts.
  var lastStart: Duration?

  init(_ effect: Bound<Effect>) {
    identity = effect.part.identity
    owner = effect.owner
  }
}

/// The starts of effects by their policies and timings.
extension TaskScheduler {
  /// Starts an effect, or delays the start.
  ///
  /// - Throws: ``Refused`` if the module or the effect has as many tasks as it may.
  func startRuled(_ effect: Bound<Effect>, on action: Action) throws(Refused) {
    switch effect.part.timing {
    case nil: try startByPolicy(effect, on: action)
    case .debounce(let time): try delay(effect, on: action, by: time)
    case .throttle(let time):
      let now = deadlines?.now() ?? .zero
      if let last = starts[effect.key]?.lastStart, now < last + time {
        try delay(effect, on: action, by: last + time - now)
      } else {
        starts[effect.key, default: EffectStarts(effect)].lastStart = now
        try startByPolicy(effect, on: action)
      }
    }
  }

  /// Delays the start of an effect, in place of an earlier one that is delayed.
  private func delay(
    _ effect: Bound<Effect>, on action: Action, by time: Duration
  ) throws(Refused) {
    if let id = starts[effect.key]?.delayed, let former = living[id] { end(former, .cancelled) }
    let task = try makeTask(effect, on: action)
    starts[effect.key, default: EffectStarts(effect)].delayed = task.id
    hold(task, until: .start(time))
  }

  /// Starts a task that its timing has delayed.
  func startDelayed(_ task: EffectTask) {
    task.noteDepth(afterWaitIn: 0)
    release(task)
    let effect = task.effect
    starts[effect.key, default: EffectStarts(effect)].delayed = nil
    if case .throttle = effect.part.timing {
      starts[effect.key]?.lastStart = deadlines?.now()
    }
    do throws(Refused) {
      switch try turn(of: effect) {
      case .now:
        if effect.part.policy != .every { starts[effect.key]?.running = task.id }
        makeReady(task, .begin)
      case .later:
        starts[effect.key]?.queued.append(task.id)
        hold(task, until: .turn)
      case .never: end(task, .cancelled)
      }
    } catch {
      guard let caller = session?.caller else { return }
      end(task, .failed(caller.fault(CodeFailure(.raised(error.text)), effect, task.action)))
    }
  }

  private func startByPolicy(_ effect: Bound<Effect>, on action: Action) throws(Refused) {
    // A task that was cancelled just now closes its variables first.
    let former = starts[effect.key]?.running
    switch try turn(of: effect) {
    case .now:
      let task = try makeTask(effect, on: action)
      if effect.part.policy != .every {
        starts[effect.key, default: EffectStarts(effect)].running = task.id
      }
      guard former != nil else { return go(task, on: .begin) }
      add(task)
      makeReady(task, .begin)
    case .later:
      let task = try makeTask(effect, on: action)
      starts[effect.key]?.queued.append(task.id)
      hold(task, until: .turn)
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
  /// - Throws: ``Refused`` if too many actions wait for it.
  private func turn(of effect: Bound<Effect>) throws(Refused) -> Turn {
    guard let running = starts[effect.key]?.running else { return .now }
    switch effect.part.policy {
    case .every: return .now
    case .first: return .never
    case .latest:
      cancel(running)
      return .now
    case .queue:
      guard starts[effect.key]?.queued.count ?? 0 < EffectPolicy.queuedMax else {
        throw Refused(
          "\(EffectPolicy.queuedMax) actions wait for \(effect.registration) already")
      }
      return .later
    }
  }

  /// Notes the end of a task, and starts the one that waits for its turn.
  func leaveStarts(_ task: EffectTask) {
    let key = task.effect.key
    guard var record = starts.removeValue(forKey: key) else { return }
    if record.delayed == task.id { record.delayed = nil }
    if record.running == task.id {
      record.running = nil
      while let next = record.queued.popFirst() {
        guard let task = living[next], task.standing == .alive else { continue }
        record.running = next
        release(task)
        makeReady(task, .begin)
        break
      }
    } else if task.lastWait.isTurn {
      record.queued.removeAll { $0 == task.id }
    }
    let isIdle = record.running == nil && record.delayed == nil && record.lastStart == nil
    if !isIdle { starts[key] = record }
  }
}

extension Bound<Effect> {
  /// The key of the effect's record, the same after modules beside its own have changed.
  fileprivate var key: ObjectIdentifier { ObjectIdentifier(part.identity) }
}

extension Wait? {
  fileprivate var isTurn: Bool { if case .turn = self { true } else { false } }
}
