import MoonActions
import MoonModules
import MoonServiceKit
import MoonTasks
import MoonValues

/// The pending call of an observer with a pace: a task that sleeps until the call is due.
///
/// Confined to the host.
final class PacedDelivery: EffectRun, PendingCall {
  private weak var session: Session?
  private let observer: Bound<Observer>
  private let pace: Pace
  /// The value before the first change that wasn't delivered; nil if all were.
  private var undelivered: Value??
  /// The time at which the call is due.
  private var deadline: Duration

  fileprivate init(_ session: Session, _ observer: Bound<Observer>, _ pace: Pace) {
    self.session = session
    self.observer = observer
    self.pace = pace
    deadline = session.environment.deadlines.now() + pace.time
  }

  var owner: ModuleName { observer.owner }
  /// The place of the observer in the order of all.
  var order: Int { observer.order }

  /// Adds a change; `old` is the value before it.
  func add(_ old: Value?) {
    if undelivered == nil { undelivered = .some(old) }
    guard let session, pace.rule == .debounce else { return }
    deadline = session.environment.deadlines.now() + pace.time
  }

  func shift(by time: Duration) { deadline += time }

  func resume(with answer: WaitAnswer, at place: () -> TaskPlace) throws -> EffectStep {
    guard let session else { return .finished([]) }
    let rest = deadline - session.environment.deadlines.now()
    if rest > .zero { return .waits(.sleep(rest)) }
    guard undelivered != nil else { return end() }
    defer { deadline = session.environment.deadlines.now() + pace.time }
    if pace.rule == .debounce { _ = end() }
    do {
      try deliver(SessionContext(session, observer))
    } catch {
      // The next change starts again.
      _ = end()
      throw error
    }
    return pace.rule == .debounce ? .finished([]) : .waits(.sleep(pace.time))
  }

  func cancel() throws { _ = end() }

  private func end() -> EffectStep {
    session?.tasks.pendingCalls[ObjectIdentifier(observer.part.paceID)] = nil
    return .finished([])
  }

  /// Calls the observer with what has changed since its last call.
  private func deliver(_ context: SessionContext) throws {
    guard let session, case .some(let old) = undelivered else { return }
    undelivered = nil
    let new = observer.part.selection.value(in: session.stateValue)
    if new != old { try observer.part.body(new, old, context) }
  }

  /// Calls the observer now if a call is pending.
  func deliverNow() {
    guard let session, undelivered != nil else { return }
    session.caller.attempt(observer) { try deliver($0) }
  }
}

extension ObserverStage {
  /// Calls an observer for a change that it doesn't ignore, now or at its pace.
  static func deliver(
    _ new: Value?, _ old: Value?, to observer: Bound<Observer>, _ action: Action?,
    _ context: SessionContext, in session: Session
  ) throws {
    if let isSame = observer.part.isSame, try isSame(new, old) { return }
    if let pace = observer.part.pace {
      return try deliver(new, old, to: observer, at: pace, action, in: session)
    }
    try observer.part.body(new, old, context)
  }

  private static func deliver(
    _ new: Value?, _ old: Value?, to observer: Bound<Observer>, at pace: Pace, _ action: Action?,
    in session: Session
  ) throws {
    let id = ObjectIdentifier(observer.part.paceID)
    if let pending = session.tasks.pendingCalls[id] { return pending.add(old) }
    let delivery = PacedDelivery(session, observer, pace)
    if pace.rule == .debounce { delivery.add(old) }
    var waits = false
    do throws(TaskError) {
      let turn = try FirstTurn.run(
        delivery, as: observer, on: action ?? Action("host/started"), in: session.tasks
      ) { [weak session] ending in
        if case .failed(let fault) = ending { session?.caller.note(fault) }
      }
      switch turn {
      case .waits: waits = true
      case .ended(.failed(let fault)): session.caller.note(fault)
      case .ended: break
      }
    } catch {
      // Too many tasks run, so the call can't wait.
    }
    if waits { session.tasks.pendingCalls[id] = delivery }
    if pace.rule == .throttle || !waits {
      try observer.part.body(new, old, SessionContext(session, observer))
    }
  }

  /// Makes the pending calls of modules' observers, since the modules are about to stop.
  func deliverPending(of modules: [ModuleSet.Entry]) {
    guard let tasks = session.begunTasks else { return }
    let modules = Set(modules.map(\.module.name))
    let pending = tasks.pendingCalls.values.filter { modules.contains($0.owner) }
    for call in pending.sorted(by: { $0.order < $1.order }) { call.deliverNow() }
  }
}
