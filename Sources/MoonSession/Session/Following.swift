import MoonServiceKit

/// The actions that have followed from one dispatch, counted by owner.
///
/// When the limit is reached, the owners that have used more than a light share of it are stopped.
/// The others may continue until they exceed that share, or until the total is twice the limit.
struct Following {
  /// The divisor of a limit that gives a light share.
  static let lightShare = 10

  private let countMax: Int
  private var shares: [ModuleName?: Int] = [:]
  /// The number of actions that have followed.
  private(set) var count = 0

  init(countMax: Int) { self.countMax = countMax }

  /// Counts the next action, or several that are carried out as one; returns whether its owner has
  /// exceeded the limit.
  mutating func isExceeded(byNextOf owner: ModuleName?, count added: Int = 1) -> Bool {
    count += added
    let share = shares[owner, default: 0] + added
    shares[owner] = share
    return count > countMax && (share > countMax / Self.lightShare || count > 2 * countMax)
  }
}

/// The time that what follows from one dispatch takes, by the module whose code takes it.
///
/// Each call is charged to its module, and what else an action takes to the action's owner. When
/// the budget is spent, those that have used more than a light share of it are stopped: actions of
/// such an owner are dropped, and code of such a module isn't called. So a slow listener doesn't
/// cost the owner of the actions the next ones.
struct FollowingTime {
  /// The budget in nanoseconds; 0 means no limit.
  private let budget: Int64
  private var total: Int64 = 0
  private var shares: [ModuleName?: Int64] = [:]
  /// The owner of the action that is being carried out, and the time at which that began.
  private var current: (owner: ModuleName?, begin: Int64)?
  /// The time of the calls for this action.
  private var called: Int64 = 0

  init(budget: Int64 = 0) { self.budget = budget }

  /// Whether an action is being carried out, whose calls are to be measured.
  var isRunning: Bool { current != nil }

  /// Begins an action of an owner, at a time in nanoseconds, and ends the one before.
  mutating func begin(of owner: ModuleName?, at now: Int64) {
    end(at: now)
    current = (owner, now)
  }

  /// Ends the action that is being carried out.
  mutating func end(at now: Int64) {
    guard let (owner, begin) = current.take() else { return }
    total += now - begin
    shares[owner, default: 0] += max(0, now - begin - called)
    called = 0
  }

  /// Charges a module for a call that has taken so many nanoseconds.
  mutating func add(_ time: Int64, of module: ModuleName) {
    guard isRunning else { return }
    called += time
    shares[module, default: 0] += time
  }

  /// Returns whether the budget is spent, and the owner or module has used more than a light share.
  func isSpent(by owner: ModuleName?) -> Bool {
    budget > 0 && total >= budget
      && shares[owner, default: 0] > budget / Int64(Following.lightShare)
  }
}
