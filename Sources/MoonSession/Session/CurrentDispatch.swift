import MoonActions
package import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonTasks

/// The records of a session while it carries out one dispatch and the actions that follow from it.
package struct CurrentDispatch {
  private(set) var work = Work.none
  /// What the session does with what follows from actions.
  package var mode = Mode.live
  /// The id of the current action, which is the parent of the actions that follow from it.
  package private(set) var actionID: Int64?
  /// Whose the current action is.
  private var charge = Charge()
  /// The number of effects that led to the current action or task; see ``EffectChain``.
  var effectDepth = 0
  /// The navigation that led to the current action.
  var chain = NavigationChain()
  /// What the calls for the current commit have used.
  var calls = CommitCalls()
  /// The time that the calls for the current action took.
  var clock = ActionClock()
  /// The clock of budgets, while it is held running.
  private var heldClock: BudgetClock?
  /// The navigation tree before the first change.
  var formerTree: NavigationTree?
  /// The faults that no caller receives.
  var faults: [Fault] = []
  /// The routings that wait for guards.
  var waiting: [WaitingRouting] = []
  /// The following actions that failed.
  var failures: [FollowingFailure] = []
  /// The actions that middleware stopped.
  private var stops = Stops()

  /// What a session does.
  enum Work {
    case none
    /// What is done beside all actions, such as a drawing.
    case beside
    /// What somebody awaits.
    case awaited
    /// What nobody awaits, and so gives way to other work of the host.
    case background

    /// Whether an action or task is carried out.
    var isRunning: Bool { self == .awaited || self == .background }
  }

  /// What a session does with what follows from actions.
  package enum Mode {
    /// It is carried out.
    case live
    /// It is carried out, except for effects.
    case withoutEffects
    /// What was recorded is carried out again: nothing follows from actions, and nothing reaches
    /// the outside.
    case replay
    /// As in a replay, and nobody is told of commits.
    case rehearsal
  }

  /// The module that the current action is charged to; nil for none.
  var owner: ModuleName? { charge.owner }

  /// The span of the current action or task, which contains what follows; nil if nothing measures
  /// it.
  package var span: OpenSpan? {
    get { charge.span }
    set { charge.span = newValue }
  }

  /// The modules that the current action is owed to, whoever dispatches what follows from it.
  var causers: Set<ModuleName> {
    guard let owner else { return charge.hands }
    return charge.hands.union([owner])
  }

  /// Notes that a module has changed what the current action does.
  mutating func noteHand(of module: ModuleName) {
    if isRunning { charge.hands.insert(module) }
  }

  /// Returns the modules that have changed what an action does, or for nil the current one.
  func hands(in action: Action?) -> Set<ModuleName> {
    guard !charge.hands.isEmpty else { return [] }
    guard let action else { return charge.hands }
    return action.id == actionID || action.meta.parent == actionID ? charge.hands : []
  }

  /// Whether nothing follows from actions.
  package var isReplay: Bool { mode == .replay || mode == .rehearsal }
  /// Whether effects of actions start.
  var startsEffects: Bool { mode == .live }
  /// Whether nobody is told of commits.
  var isSilent: Bool { mode == .rehearsal }

  /// The time in seconds since 1970 at which the clock stands for modules, while a commit is being
  /// computed; nil if none is.
  package var standingTime: Double? { calls.standingTime }

  var isRunning: Bool { work.isRunning }
  /// Whether calls share a budget: those for an action, or for work beside all actions.
  var hasBudget: Bool { work != .none }

  mutating func begin(_ work: Work = .awaited) { self.work = work }

  /// Counts an action that will navigate.
  ///
  /// - Throws: ``DispatchError/tooManyNavigations(chain:max:)``.
  mutating func follow(with action: Action) throws(DispatchError) {
    try chain.follow(with: action, of: owner)
  }

  /// Begins the next action.
  ///
  /// `hands` are the modules that have made it what it is, besides the one that dispatched it.
  mutating func begin(
    _ action: Action, of owner: ModuleName?, after link: NavigationChain.Link?,
    from hands: Set<ModuleName>, in span: OpenSpan?
  ) {
    actionID = action.id
    if !stops.ofCommit.isEmpty { stops.ofCommit = [] }
    calls.begin(with: action)
    // For most actions, this owner and the one before are both nil.
    if owner != nil || !hands.isEmpty || span != nil || !charge.isNone {
      charge = Charge(owner: owner, hands: hands, span: span)
    }
    if !chain.isIdle { chain.begin(after: link) }
    clock.begin()
  }

  /// Switches to a task that an action started, or nothing did, charged to a module.
  mutating func begin(_ task: EffectTask) {
    begin(after: task.action.meta.id, of: task.effect.owner, depth: task.chain.depth)
    if let spans = task.origin.spans { span = spans.innermost }
  }

  /// Switches to what follows from an action, or from none if its id is 0, charged to a module.
  mutating func begin(after action: Int64, of owner: ModuleName, depth: Int) {
    actionID = action == 0 ? nil : action
    effectDepth = depth
    charge = Charge(owner: owner)
    if !chain.isIdle { chain.begin(after: nil) }
    clock.begin()
  }

  /// Switches to another action of the same commit, which is the parent of what follows.
  mutating func turn(to id: Int64) { actionID = id }

  /// Notes that a middleware stopped an action.
  mutating func noteStop(of action: Action, by middleware: Bound<Middleware>) {
    stops.note(StoppedAction(action, by: middleware))
  }

  /// The first actions that middleware stopped since the current commit was begun.
  var stoppedInCommit: [StoppedAction] { stops.ofCommit }

  /// Puts the current action or task aside, if there is one, for work that isn't its own.
  mutating func interrupt() -> Interrupted {
    defer { if !isRunning { work = .awaited } }
    return Interrupted(
      work: work, actionID: actionID, charge: charge, effectDepth: effectDepth,
      chain: chain)
  }

  /// Begins work beside all actions, whose calls share a budget; returns false if they do already,
  /// as a part of an action or of other work.
  mutating func beginBeside() -> Bool {
    guard !hasBudget else { return false }
    work = .beside
    clock.begin()
    return true
  }

  /// Goes on with what was put aside.
  mutating func resume(_ interrupted: Interrupted) {
    guard interrupted.work.isRunning else {
      end()
      return work = interrupted.work
    }
    actionID = interrupted.actionID
    charge = interrupted.charge
    effectDepth = interrupted.effectDepth
    chain = interrupted.chain
  }

  /// An action or a task that was put aside.
  struct Interrupted {
    fileprivate let work: Work
    fileprivate let actionID: Int64?
    fileprivate let charge: Charge
    fileprivate let effectDepth: Int
    fileprivate let chain: NavigationChain
  }

  mutating func end() {
    work = .none
    actionID = nil
    effectDepth = 0
    if !charge.isNone { charge = Charge() }
    if !chain.isIdle { chain.end() }
    if let heldClock {
      heldClock.hold(false)
      self.heldClock = nil
    }
  }

  /// Returns the time on the clock of budgets, which runs from now on until the work ends.
  mutating func time(on clock: BudgetClock) -> Duration { .nanoseconds(nanoseconds(on: clock)) }

  /// Returns the time on the clock of budgets in nanoseconds.
  mutating func nanoseconds(on clock: BudgetClock) -> Int64 {
    if heldClock == nil { hold(clock) }
    return clock.nanoseconds()
  }

  private mutating func hold(_ clock: BudgetClock) {
    heldClock = clock
    clock.hold(true)
  }

  /// Removes and returns the records; nil if there are none.
  ///
  /// `tree` returns the current navigation tree.
  mutating func takeRecords(tree: () -> NavigationTree?) -> Outcome.Records? {
    var navigation: (before: NavigationTree, after: NavigationTree)?
    if let former = formerTree.take(), let tree = tree(), tree != former {
      navigation = (former, tree)
    }
    if navigation == nil, failures.isEmpty, faults.isEmpty, waiting.isEmpty, stops.all.isEmpty {
      return nil
    }
    return Outcome.Records(
      navigation: navigation, failures: exchange(&failures, with: []),
      faults: exchange(&faults, with: []), waiting: exchange(&waiting, with: []),
      stopped: exchange(&stops, with: Stops()).all)
  }
}

/// What the current action or task is owed to: modules, and the span that measures it.
private struct Charge {
  /// The module that it is charged to; nil for none.
  var owner: ModuleName?
  /// The modules that changed what it does, as middleware, mappers and redirects, or that put it on
  /// a screen or key.
  var hands: Set<ModuleName> = []
  /// The span that contains what follows; nil if nothing measures it.
  var span: OpenSpan?

  var isNone: Bool { owner == nil && hands.isEmpty && span == nil }
}

/// The actions that middleware stopped during one dispatch.
private struct Stops {
  /// Those of the whole dispatch, at most ``StoppedAction/countMax``.
  private(set) var all: [StoppedAction] = []
  /// Those of the current commit, as many at most.
  var ofCommit: [StoppedAction] = []

  mutating func note(_ stopped: StoppedAction) {
    if all.count < StoppedAction.countMax { all.append(stopped) }
    if ofCommit.count < StoppedAction.countMax { ofCommit.append(stopped) }
  }
}

/// The time that the calls for one action took, by module.
///
/// The first calls aren't measured. Most actions make no more, and reading a clock would be a tenth
/// of their work. A call that stays within its own budget isn't long.
struct ActionClock {
  /// The number of calls of an action that aren't measured.
  static let unmeasuredCount = 2
  /// The divisor of the budget that gives the share each module may use after the budget is spent.
  static let lightShare: Int64 = 10

  /// What notes each call, so that all are measured; nil if nothing does.
  var trace: CallTrace?
  /// The time of the actions that follow, which may need each call measured, too.
  var following = FollowingTime()
  private var callCount = 0
  // In nanoseconds, since the 16 bytes of a `Duration` are added and compared by calls.
  private(set) var total: Int64 = 0
  private var times: [ModuleName: Int64] = [:]

  mutating func begin() {
    if total != 0 || callCount > Self.unmeasuredCount {
      total = 0
      times = [:]
    }
    callCount = 0
  }

  /// Counts a call; returns whether to measure it.
  mutating func countCall() -> Bool {
    callCount += 1
    return callCount > Self.unmeasuredCount || trace != nil || following.isRunning
  }

  /// Returns whether the module has used more than its light share of a budget.
  func hasUsedShare(_ module: ModuleName, of budget: Int64) -> Bool {
    times[module, default: 0] > budget / Self.lightShare
  }

  mutating func add(_ time: Int64, of module: ModuleName) {
    total += time
    times[module, default: 0] += time
    following.add(time, of: module)
  }
}
