import MoonNavigation
import MoonStore

/// What a session notes while it works off one dispatch and all that follows from it.
struct Work {
  private(set) var isRunning = false
  /// The id of the action that is being worked on, which those that it leads to name as parent.
  private(set) var actionID: Int64?
  /// The module on whose account that action is; nil for none.
  private(set) var owner: ModuleName?
  /// The navigation that led to that action.
  var chain = NavigationChain()
  /// How long the calls took that were made for that action.
  var clock = ActionClock()
  /// The clock of budgets, if it is kept running.
  private var heldClock: BudgetClock?
  /// The navigation tree as it was when the work began to change it.
  var formerTree: NavigationTree?
  /// Faults that nobody waits for.
  var faults: [Fault] = []
  /// Actions that followed from others and failed.
  var failures: [FollowingFailure] = []

  mutating func begin() { isRunning = true }

  /// Turns to the next action.
  @inline(__always)
  mutating func begin(_ action: Action, of owner: ModuleName?, after link: NavigationChain.Link?) {
    actionID = action.meta.id
    // Most actions are nobody's, after nobody's.
    if owner != nil || self.owner != nil { self.owner = owner }
    if !chain.isIdle { chain.begin(after: link) }
    clock.begin()
  }

  /// Turns to a task that an action has started, with the module on whose account it is.
  mutating func begin(after action: Int64, of owner: ModuleName) {
    actionID = action
    self.owner = owner
    if !chain.isIdle { chain.begin(after: nil) }
    clock.begin()
  }

  mutating func end() {
    isRunning = false
    actionID = nil
    if owner != nil { owner = nil }
    if !chain.isIdle { chain = NavigationChain() }
    if let heldClock {
      heldClock.hold(false)
      self.heldClock = nil
    }
  }

  /// The time on the clock of budgets, which runs from now on until the work ends.
  mutating func time(on clock: BudgetClock) -> Duration {
    if heldClock == nil {
      heldClock = clock
      clock.hold(true)
    }
    return clock.now()
  }

  /// Whether there is anything to hand over.
  var hasNotes: Bool {
    // Inlined, so that it looks at the session's own: a call would get a copy of all that is
    // noted, for 290 instructions.
    @inline(__always) get { formerTree != nil || !failures.isEmpty || !faults.isEmpty }
  }

  /// Hands over what was noted; `tree` is what has become of the navigation.
  mutating func report(into outcome: inout Outcome, tree: NavigationTree?) {
    if let former = formerTree, let tree, tree != former { outcome.navigation = (former, tree) }
    formerTree = nil
    outcome.failures = failures
    failures = []
    outcome.faults = faults
    faults = []
  }
}

/// How long the calls took that one action led to, by module.
///
/// The first calls aren't measured: most actions make no more, and reading a clock would be a
/// tenth of their work. What is left within its own budget isn't long.
struct ActionClock {
  /// How many calls of an action aren't measured.
  static let unmeasuredCount = 2
  /// The share of an action's time that a module may use after others have spent it all.
  static let lightShare = 10

  private var callCount = 0
  private var total = Duration.zero
  private var times: [ModuleName: Duration] = [:]

  mutating func begin() {
    if callCount > Self.unmeasuredCount {
      total = .zero
      times = [:]
    }
    callCount = 0
  }

  /// Counts a call; whether it is to be measured.
  mutating func countCall() -> Bool {
    callCount += 1
    return callCount > Self.unmeasuredCount
  }

  /// Whether the time is spent, and the module has had more than a light share of it.
  func isSpent(by module: ModuleName, budget: Duration) -> Bool {
    budget > .zero && total >= budget
      && (times[module] ?? .zero) > budget / Self.lightShare
  }

  mutating func add(_ time: Duration, of module: ModuleName) {
    total += time
    times[module, default: .zero] += time
  }
}
