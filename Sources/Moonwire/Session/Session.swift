import Logging
import MoonLua
import MoonStore
import MoonValues
import Synchronization

/// One run of the app: its state, the actions that wait, and what became of earlier ones.
///
/// Confined to the host. Sessions share the modules and nothing else.
final class Session {
  /// How many actions one dispatch may lead to, directly and through others.
  static let followingMax = 10_000

  let id: SessionID
  let modules: ModuleSet
  let bindings: Bindings
  private let clock: Clock
  private let faultsMax: Int
  private let interruption: Interruption
  let report: (HostEvent) -> Void
  /// Starts killed modules again.
  private let mend: () -> Void

  // Confined to the host and never lent while other code of the session runs, so that a check at
  // each access, which costs as much as the access, would find nothing.

  /// The slices by module.
  @exclusivity(unchecked) var state = Map()
  /// The version of the shape of each slice.
  var versions: [ModuleName: Int64] = [:]
  /// Slices of modules that have left, kept in case they come back.
  var parked: [ModuleName: (slice: Value, version: Int64)] = [:]
  @exclusivity(unchecked) private var queue = ActionQueue<Action>()
  @exclusivity(unchecked) private var nextID: Int64 = 1
  @exclusivity(unchecked) private var history = HistoryRing()
  /// The id of the action that is being worked on, whose followers name it as their parent.
  @exclusivity(unchecked) private var currentID: Int64?
  @exclusivity(unchecked) private var isRunning = false
  /// What runs now, for what it dispatches.
  @exclusivity(unchecked) var activeKind: RegistrationKind?
  private var faults: [Fault] = []

  init(
    id: SessionID, modules: ModuleSet, bindings: Bindings, clock: Clock, faultsMax: Int,
    interruption: Interruption, report: @escaping (HostEvent) -> Void,
    mend: @escaping () -> Void
  ) {
    self.id = id
    self.modules = modules
    self.bindings = bindings
    self.clock = clock
    self.faultsMax = faultsMax
    self.interruption = interruption
    self.report = report
    self.mend = mend
  }

  var stateValue: Value { .map(state) }
  var entries: History { history.snapshot }

  // MARK: Dispatching

  /// Carries out an action and all that follow from it.
  ///
  /// - Throws: ``DispatchError`` of this action; failures of those that follow are in the outcome.
  func run(_ action: consuming Action, cause: Cause) throws(DispatchError) -> Outcome {
    guard !isRunning else {
      try enqueue(action, cause: cause)
      return Outcome(id: 0, before: stateValue, after: stateValue)
    }
    let before = stateValue
    let id = nextID
    beginWork()
    defer { endWork() }
    var outcome = Outcome(id: id, before: before, after: before)
    do throws(DispatchError) {
      try process(stamped(action, cause: cause))
    } catch {
      drain(into: &outcome)
      throw error
    }
    drain(into: &outcome)
    return outcome
  }

  /// Puts an action at the end of the queue.
  ///
  /// - Throws: ``DispatchError`` if it can't be taken.
  func enqueue(_ action: consuming Action, cause: Cause) throws(DispatchError) {
    // Here and not only in its turn, so that the one who dispatches learns of it where it does.
    if cause != .host { _ = try checkedRoute(of: action) }
    do {
      try queue.append(stamped(action, cause: cause))
    } catch {
      throw .queueFull(max: ActionQueue<Action>.countMax)
    }
  }

  /// Works off the queue.
  func settle() -> Outcome {
    var outcome = Outcome(id: 0, before: stateValue, after: stateValue)
    guard !isRunning else { return outcome }
    beginWork()
    defer { endWork() }
    drain(into: &outcome)
    return outcome
  }

  private func beginWork() {
    isRunning = true
    bindings.session = self
    interruption.clear()
  }

  private func endWork() {
    isRunning = false
    currentID = nil
  }

  private func drain(into outcome: inout Outcome) {
    while true {
      // Between two actions, so that those that wait find the module at work again.
      if !modules.killed.isEmpty { mend() }
      guard let action = queue.popFirst() else { break }
      outcome.followingCount += 1
      let failure: DispatchError
      if interruption.isRaised {
        queue.removeAll()
        failure = .interrupted
      } else if outcome.followingCount > Self.followingMax {
        queue.removeAll()
        failure = .tooManyFollowing(max: Self.followingMax)
      } else {
        do throws(DispatchError) {
          try process(action)
          continue
        } catch {
          failure = error
        }
      }
      outcome.failures.append(FollowingFailure(action: action, error: failure))
      report(.dispatchFailed(id, action, failure))
    }
    outcome.after = stateValue
    outcome.faults = faults
    faults.removeAll()
  }

  private func stamped(_ action: consuming Action, cause: Cause) -> Action {
    action.meta.id = nextID
    action.meta.time = clock.now()
    action.meta.cause = cause
    action.meta.parent = currentID
    nextID += 1
    return action
  }

  private func process(_ action: Action) throws(DispatchError) {
    currentID = action.meta.id
    do throws(DispatchError) {
      let route = try checkedRoute(of: action)
      let hasChanged: Bool
      if route.middleware.isEmpty {
        var next = state
        try reduce(action, route, into: &next)
        hasChanged = commit(next, action, route.observers)
      } else {
        hasChanged = try pass(action)
      }
      history.append(action, hasChanged: hasChanged)
    } catch {
      history.append(action, failedWith: error)
      throw error
    }
  }

  private func checkedRoute(of action: Action) throws(DispatchError) -> Registry.Route {
    if !modules.suspension.modules.isEmpty { try checkService(of: action) }
    let route = modules.route(for: action.type)
    if !route.isKnown, action.meta.cause != .host {
      let type = action.type.string
      guard ActionPattern.isType(type) else { throw .malformedType(type) }
      throw .unknownType(
        type, nearest: Spelling.nearest(to: type, in: modules.registry.types.sorted()))
    }
    if let schema = route.schema {
      let problems = schema.problems(in: action.payload)
      guard problems.isEmpty else {
        throw .invalidPayload(type: action.type.string, problems: problems, declared: schema)
      }
    }
    return route
  }

  /// Refuses actions of suspended modules.
  private func checkService(of action: Action) throws(DispatchError) {
    let owner = ModuleName(String(action.type.string.prefix { $0 != "/" }))
    if let owner, modules.suspension.modules.contains(owner) { throw .suspended(owner) }
  }

  /// Reduces what the middleware makes of an action, and commits that as one.
  private func pass(_ original: Action) throws(DispatchError) -> Bool {
    var actions = [original]
    // Each stage sees what the stages before it have made.
    for one in modules.registry.middleware {
      var next: [Action] = []
      for action in actions {
        guard one.middleware.pattern.matches(action.type) else {
          next.append(action)
          continue
        }
        switch try verdict(one, on: action) {
        case .pass: next.append(action)
        case .drop: break
        case .replace(let others): next += others.map { $0.inPlace(of: action) }
        }
        guard next.count <= Self.followingMax else {
          throw .tooManyFollowing(max: Self.followingMax)
        }
      }
      actions = next
    }
    var next = state
    var observers: [Registry.BoundObserver] = []
    for action in actions {
      let route = try checkedRoute(of: action)
      try reduce(action, route, into: &next)
      observers = observers.isEmpty ? route.observers : observers + route.observers
    }
    if actions.count > 1 {
      var seen: Set<Int> = []
      observers = observers.filter { seen.insert($0.order).inserted }
      observers.sort { $0.order < $1.order }
    }
    return commit(next, original, observers)
  }

  private func verdict(
    _ one: Registry.BoundMiddleware, on action: Action
  ) throws(DispatchError) -> Middleware.Verdict {
    activeKind = .middleware
    defer { activeKind = nil }
    do {
      let verdict = try one.middleware.body(action, stateValue)
      if !modules.suspension.isIdle {
        modules.suspension.forget(one.owner, one.middleware.registration)
      }
      return verdict
    } catch {
      throw .fault(fault(error, one.owner, one.middleware.registration, action))
    }
  }

  /// Runs the reducers; `next` counts only if none throws.
  private func reduce(
    _ action: Action, _ route: Registry.Route, into next: inout Map
  ) throws(DispatchError) {
    for bound in route.reducers {
      let old = next[bound.slice] ?? bound.initial
      var slice = old
      do {
        try bound.reducer.body(&slice, action)
        if !modules.suspension.isIdle {
          modules.suspension.forget(bound.owner, bound.reducer.registration)
        }
      } catch {
        throw .fault(fault(error, bound.owner, bound.reducer.registration, action))
      }
      if !slice.isIdentical(to: old) { next[bound.slice] = slice }
    }
    guard !route.wholeStateReducers.isEmpty else { return }
    var whole = Value.map(next)
    for bound in route.wholeStateReducers {
      do {
        try bound.reducer.body(&whole, action)
        guard whole.mapValue != nil else { throw NoWholeState(made: whole.kind) }
      } catch {
        throw .fault(fault(error, bound.owner, bound.reducer.registration, action))
      }
    }
    if let map = whole.mapValue { next = map }
  }

  private func commit(
    _ next: Map, _ action: Action, _ observers: [Registry.BoundObserver]
  ) -> Bool {
    guard !next.isIdentical(to: state) else { return false }
    let old = state
    state = next
    if !observers.isEmpty { notify(old, action, observers) }
    return true
  }

  // MARK: Observers

  /// Tells observers of what has changed outside of any action, by a reload.
  func notify(changedSince old: Map) {
    guard !state.isIdentical(to: old) else { return }
    bindings.session = self
    notify(old, nil, modules.registry.observers)
  }

  private func notify(
    _ old: Map, _ action: Action?, _ observers: [Registry.BoundObserver]
  ) {
    let before = Value.map(old)
    let after = stateValue
    for bound in observers {
      let oldPart = before.value(at: bound.observer.path)
      let newPart = after.value(at: bound.observer.path)
      if Self.isSame(oldPart, newPart) { continue }
      tell(bound, newPart, oldPart, action)
    }
  }

  private static func isSame(_ left: Value?, _ right: Value?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.isIdentical(to: right) || left == right
    default: false
    }
  }

  private func tell(
    _ bound: Registry.BoundObserver, _ new: Value?, _ old: Value?, _ action: Action?
  ) {
    activeKind = .observer
    defer { activeKind = nil }
    do {
      try bound.observer.body(new, old, context(of: bound.owner, .observer))
      if !modules.suspension.isIdle {
        modules.suspension.forget(bound.owner, bound.observer.registration)
      }
    } catch {
      note(fault(error, bound.owner, bound.observer.registration, action))
    }
  }

  func context(of module: ModuleName, _ kind: RegistrationKind) -> SessionContext {
    SessionContext(session: self, module: module, kind: kind)
  }

  func fault(
    _ error: any Error, _ owner: ModuleName, _ registration: Registration, _ action: Action?
  ) -> Fault {
    let entry = modules[owner]
    var fault: Fault
    if let error = error as? LuaError {
      fault = Fault(
        error, module: owner.text, generation: entry?.number ?? 0, registration: registration,
        action: action)
      if error.isFatal { modules.killed.insert(owner) }
    } else {
      fault = Fault(
        describing: error, module: owner.text, generation: entry?.number ?? 0,
        registration: registration, action: action)
    }
    let weight = (error as? LuaError)?.isFatal == true ? Suspension.killWeight : 1
    if modules.countFault(of: owner, in: registration, weight: weight, max: faultsMax) {
      bindings.log(
        .error, "suspended after too many faults in a row: reload it or resume it",
        from: owner.text)
    }
    fault.excerpt = entry?.generation?.excerpt(at: fault.place)
    return fault
  }

  func note(_ fault: Fault) {
    faults.append(fault)
    report(.fault(id, fault))
  }
}

/// A reducer of the whole state has left something that has no slices.
private struct NoWholeState: Error, CustomStringConvertible {
  let made: String

  var description: String { "a reducer of the whole state leaves a map, not \(made)" }
}

extension Action {
  /// The same, with what the host has noted about the action that it stands for.
  fileprivate func inPlace(of other: Action) -> Action {
    var action = self
    action.meta = other.meta
    action.meta.extra = meta.extra
    return action
  }
}
