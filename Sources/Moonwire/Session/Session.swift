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
  /// How long what follows from one action may take; zero for as long as it likes.
  private let followingBudget: Duration
  /// After how many faults in a row a module is suspended.
  let faultsMax: (ModuleName) -> Int
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
  @exclusivity(unchecked) var history = HistoryRing()
  /// The id of the action that is being worked on, whose followers name it as their parent.
  @exclusivity(unchecked) private var currentID: Int64?
  @exclusivity(unchecked) private var isRunning = false
  /// What runs now, for what it dispatches.
  @exclusivity(unchecked) var activeKind: RegistrationKind?
  /// What nobody waited for, until the work under way is done.
  @exclusivity(unchecked) var faults: [Fault] = []
  @exclusivity(unchecked) private var failures: [FollowingFailure] = []
  /// The tree that the slice `navigation` stands for, read when it is asked for.
  @exclusivity(unchecked) var navigation = NavigationCache()
  /// The tree as it was when the work under way began to change it.
  @exclusivity(unchecked) var formerTree: NavigationTree?
  /// What people have typed into screens, and what they have folded, until the screens go.
  var forms: [Text: ScreenForm] = [:]
  /// The waiting actions that module mappers have made, which aren't mapped again.
  @exclusivity(unchecked) private var mappedIDs: Set<Int64> = []
  /// What has navigated and led to the action that is being worked on.
  @exclusivity(unchecked) var pursuit = NavigationPursuit()

  init(
    id: SessionID, modules: ModuleSet, bindings: Bindings, clock: Clock, followingBudget: Duration,
    faultsMax: @escaping (ModuleName) -> Int,
    interruption: Interruption, report: @escaping (HostEvent) -> Void,
    mend: @escaping () -> Void
  ) {
    self.id = id
    self.modules = modules
    self.bindings = bindings
    self.clock = clock
    self.followingBudget = followingBudget
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
  func enqueue(
    _ action: consuming Action, cause: Cause, isMapped: Bool = false
  ) throws(DispatchError) {
    // Here and not only in its turn, so that the one who dispatches learns of it where it does.
    if cause != .host { _ = try checkedRoute(of: action) }
    let bytes = action.roughByteCount(upTo: queue.bytesLeft + 1)
    do throws(ActionQueueFull) {
      try queue.append(stamped(action, cause: cause), bytes: bytes)
    } catch {
      throw DispatchError(error)
    }
    if isMapped { mappedIDs.insert(nextID - 1) }
    if let step = pursuit.latest { pursuit.waiting[nextID - 1] = step }
  }

  /// Checks that these actions can be put at the end of the queue.
  ///
  /// - Throws: ``DispatchError`` if one of them can't be taken.
  func checkRoom(for actions: some Collection<Action>) throws(DispatchError) {
    for action in actions { _ = try checkedRoute(of: action) }
    guard queue.count + actions.count <= ActionQueue<Action>.countMax else {
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
    if !pursuit.isIdle { pursuit = NavigationPursuit() }
  }

  private func drain(into outcome: inout Outcome) {
    var begun: ContinuousClock.Instant?
    while true {
      // Between two actions, so that those that wait find the module at work again.
      if !modules.killed.isEmpty { mend() }
      guard let (action, bytes) = queue.popFirst() else { break }
      outcome.followingCount += 1
      let failure: DispatchError
      if interruption.isRaised {
        clearQueue()
        failure = .interrupted
      } else if outcome.followingCount > Self.followingMax {
        clearQueue()
        failure = .tooManyFollowing(max: Self.followingMax)
      } else if hasTakenTooLong(since: &begun) {
        clearQueue()
        failure = .followingTooLong(max: followingBudget)
      } else {
        do throws(DispatchError) {
          try process(action, bytes: bytes)
          continue
        } catch {
          failure = error
        }
      }
      fail(action, failure)
    }
    outcome.after = stateValue
    if let former = formerTree {
      formerTree = nil
      if let tree = try? navigationTree(), tree != former { outcome.navigation = (former, tree) }
    }
    if !failures.isEmpty {
      outcome.failures = failures
      failures.removeAll()
    }
    if !faults.isEmpty {
      outcome.faults = faults
      faults.removeAll()
    }
  }

  /// Whether what follows has used up its time; the first look begins it.
  private func hasTakenTooLong(since begun: inout ContinuousClock.Instant?) -> Bool {
    guard followingBudget > .zero else { return false }
    let now = ContinuousClock.now
    guard let start = begun else {
      begun = now
      return false
    }
    return now - start >= followingBudget
  }

  /// Notes an action that followed from another and failed.
  func fail(_ action: Action, _ error: DispatchError) {
    failures.append(FollowingFailure(action: action, error: error))
    report(.dispatchFailed(id, action, error))
  }

  private func clearQueue() {
    queue.removeAll()
    mappedIDs.removeAll()
    pursuit.waiting.removeAll()
  }

  func stamped(_ action: consuming Action, cause: Cause) -> Action {
    action.meta.id = nextID
    action.meta.time = clock.now()
    action.meta.cause = cause
    action.meta.parent = currentID
    nextID += 1
    return action
  }

  /// `bytes` is how many it has, 0 if somebody outside has made it, who knows.
  private func process(_ action: Action, bytes: Int = 0) throws(DispatchError) {
    currentID = action.meta.id
    if !pursuit.isIdle { pursuit.begin(action.meta.id) }
    do throws(DispatchError) {
      let route = try checkedRoute(of: action)
      if route.isPlain {
        var next = state
        try reduce(action, route, into: &next)
        let hasChanged = commit(next, action, route.observers)
        history.append(action, bytes: bytes, hasChanged: hasChanged)
      } else {
        let isMapped = !mappedIDs.isEmpty && mappedIDs.remove(action.meta.id) != nil
        try carryOut(action, isMapped: isMapped)
      }
    } catch {
      history.append(action, bytes: bytes, failedWith: error)
      throw error
    }
  }

  func checkedRoute(of action: Action) throws(DispatchError) -> Registry.Route {
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

  /// Runs the reducers; `next` counts only if none throws.
  func reduce(
    _ action: Action, _ route: Registry.Route, into next: inout Map
  ) throws(DispatchError) {
    for bound in route.reducers {
      let old = next[bound.slice] ?? bound.initial
      var slice = old
      do {
        try bound.reducer.body(&slice, action)
        forget(bound.owner, bound.reducer.registration)
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
        forget(bound.owner, bound.reducer.registration)
      } catch {
        throw .fault(fault(error, bound.owner, bound.reducer.registration, action))
      }
    }
    if let map = whole.mapValue { next = map }
  }

  func commit(
    _ next: Map, _ action: Action, _ observers: [Registry.BoundObserver]
  ) -> Bool {
    guard !next.isIdentical(to: state) else { return false }
    let old = state
    state = next
    if !observers.isEmpty { notify(old, action, observers) }
    return true
  }
}

/// A reducer of the whole state has left something that has no slices.
private struct NoWholeState: Error, CustomStringConvertible {
  let made: String

  var description: String { "a reducer of the whole state leaves a map, not \(made)" }
}
