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
  private let interruption: Interruption
  let report: (HostEvent) -> Void

  /// The slices by module.
  var state = Map()
  /// The version of the shape of each slice.
  var versions: [ModuleName: Int64] = [:]
  /// Slices of modules that have left, kept in case they come back.
  var parked: [ModuleName: (slice: Value, version: Int64)] = [:]
  private var queue = ActionQueue()
  private var nextID: Int64 = 1
  private(set) var history = History()
  /// The action that is being worked on, whose followers name it as their parent.
  private var current: Action?
  private var isRunning = false
  /// What runs now, for what it dispatches.
  var activeRegistration: Registration?
  private var faults: [Fault] = []

  init(
    id: SessionID, modules: ModuleSet, bindings: Bindings, clock: Clock,
    interruption: Interruption, report: @escaping (HostEvent) -> Void
  ) {
    self.id = id
    self.modules = modules
    self.bindings = bindings
    self.clock = clock
    self.interruption = interruption
    self.report = report
  }

  var stateValue: Value { .map(state) }

  // MARK: Dispatching

  /// Carries out an action and all that follow from it.
  ///
  /// - Throws: ``DispatchError`` of this action; failures of those that follow are in the outcome.
  func run(_ action: Action, cause: Cause) throws(DispatchError) -> Outcome {
    guard !isRunning else {
      try enqueue(action, cause: cause)
      return Outcome(id: 0, before: stateValue, after: stateValue)
    }
    let before = stateValue
    let id = nextID
    beginWork()
    defer { endWork() }
    var outcome = Outcome(id: id, before: before, after: before)
    try process(stamped(action, cause: cause))
    drain(into: &outcome)
    return outcome
  }

  /// Puts an action at the end of the queue.
  ///
  /// - Throws: ``DispatchError`` if it can't be taken.
  func enqueue(_ action: Action, cause: Cause) throws(DispatchError) {
    guard ActionPattern.isType(action.type.string) else {
      throw .malformedType(action.type.string)
    }
    do {
      try queue.append(stamped(action, cause: cause))
    } catch {
      throw .queueFull(max: ActionQueue.countMax)
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
    current = nil
  }

  private func drain(into outcome: inout Outcome) {
    while let action = queue.popFirst() {
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

  private func stamped(_ action: Action, cause: Cause) -> Action {
    var action = action
    action.meta.id = nextID
    action.meta.time = clock.now()
    action.meta.cause = cause
    action.meta.parent = current?.meta.id
    nextID += 1
    return action
  }

  private func process(_ action: Action) throws(DispatchError) {
    current = action
    let before = state
    do throws(DispatchError) {
      let route = try checkedRoute(of: action)
      if route.middleware.isEmpty {
        try reduce(action, route)
      } else {
        try pass(action, through: route.middleware)
      }
      history.append(action, .done(hasChanged: !before.isIdentical(to: state)))
    } catch {
      history.append(action, .failed(error))
      throw error
    }
  }

  private func checkedRoute(of action: Action) throws(DispatchError) -> Registry.Route {
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

  private func pass(
    _ action: Action, through middleware: [Registry.BoundMiddleware]
  ) throws(DispatchError) {
    var actions = [action]
    // Each stage sees what the stages before it have made.
    for (position, one) in middleware.enumerated() {
      var next: [Action] = []
      for action in actions {
        guard position == 0 || one.middleware.pattern.matches(action.type) else {
          next.append(action)
          continue
        }
        switch try verdict(one, on: action) {
        case .pass: next.append(action)
        case .drop: break
        case .replace(let others): next += others
        }
      }
      guard next.count <= Self.followingMax else {
        throw .tooManyFollowing(max: Self.followingMax)
      }
      actions = next
    }
    for action in actions { try reduce(action, try checkedRoute(of: action)) }
  }

  private func verdict(
    _ one: Registry.BoundMiddleware, on action: Action
  ) throws(DispatchError) -> Middleware.Verdict {
    activeRegistration = one.middleware.registration
    defer { activeRegistration = nil }
    do {
      return try one.middleware.body(action, stateValue)
    } catch {
      throw .fault(fault(error, one.owner, one.middleware.registration, action))
    }
  }

  /// Runs the reducers and commits all slices or none.
  private func reduce(_ action: Action, _ route: Registry.Route) throws(DispatchError) {
    var next = state
    for bound in route.reducers {
      let old = next[bound.slice] ?? bound.initial
      var slice = old
      do {
        try bound.reducer.body(&slice, action)
      } catch {
        throw .fault(fault(error, bound.owner, bound.reducer.registration, action))
      }
      if !slice.isIdentical(to: old) { next[bound.slice] = slice }
    }
    if !route.wholeStateReducers.isEmpty {
      var whole = Value.map(next)
      for bound in route.wholeStateReducers {
        do {
          try bound.reducer.body(&whole, action)
        } catch {
          throw .fault(fault(error, bound.owner, bound.reducer.registration, action))
        }
      }
      if let map = whole.mapValue { next = map }
    }
    guard !next.isIdentical(to: state) else { return }
    let old = state
    state = next
    notify(old, action, changed: route)
  }

  // MARK: Observers

  private func notify(_ old: Map, _ action: Action, changed route: Registry.Route) {
    let registry = modules.registry
    var concerned: [Registry.BoundObserver] = []
    if route.wholeStateReducers.isEmpty {
      var seen: [Key] = []
      for bound in route.reducers where !seen.contains(bound.slice) {
        seen.append(bound.slice)
        guard case .string(let name) = bound.slice, let some = registry.observers[name] else {
          continue
        }
        concerned += some
      }
    } else {
      concerned = registry.observers.values.flatMap { $0 }
    }
    concerned += registry.wholeStateObservers
    guard !concerned.isEmpty else { return }
    if concerned.count > 1 { concerned.sort { $0.order < $1.order } }
    let before = Value.map(old)
    let after = stateValue
    for bound in concerned {
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
    _ bound: Registry.BoundObserver, _ new: Value?, _ old: Value?, _ action: Action
  ) {
    activeRegistration = bound.observer.registration
    defer { activeRegistration = nil }
    do {
      try bound.observer.body(new, old, context(of: bound.owner, .observer))
    } catch {
      note(fault(error, bound.owner, bound.observer.registration, action))
    }
  }

  func context(of module: ModuleName, _ kind: RegistrationKind) -> SessionContext {
    SessionContext(state: stateValue) { [unowned self] action throws(DispatchError) in
      try enqueue(action, cause: .module(module.text, kind))
    }
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
    fault.excerpt = entry?.generation?.excerpt(at: fault.place)
    return fault
  }

  func note(_ fault: Fault) {
    faults.append(fault)
    report(.fault(id, fault))
  }
}
