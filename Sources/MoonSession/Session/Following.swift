import MoonServiceKit
import MoonValues

/// The actions that have followed from one dispatch, counted and timed by owner.
///
/// When the limit is reached, the owners that have used more than a light share of it are stopped.
/// The others may continue until they exceed that share, or until the total is twice the limit.
struct Following {
  /// The divisor of the limit that gives a light share.
  static let lightShare = 10

  private struct Share {
    var count = 0
    var time = Duration.zero
  }

  private let countMax: Int
  private let budget: Duration
  private var shares: [ModuleName?: Share] = [:]
  private var latest: (owner: ModuleName?, begin: Duration)?
  /// The number of actions that have followed.
  private(set) var count = 0
  private var time = Duration.zero

  /// Makes the count.
  ///
  /// A `budget` of zero means no limit on time.
  init(countMax: Int, budget: Duration) {
    self.countMax = countMax
    self.budget = budget
  }

  /// The limit that an owner has exceeded.
  enum Excess: Equatable {
    case count
    case time
  }

  /// Counts the next action, or several that are carried out as one; returns the limit that its
  /// owner has exceeded, if any.
  ///
  /// `now` returns the time on the clock of budgets. It is called only if there is a budget.
  mutating func next(
    of owner: ModuleName?, count added: Int = 1, _ now: () -> Duration
  ) -> Excess? {
    measure(before: owner, now)
    count += added
    shares[owner, default: Share()].count += added
    let share = shares[owner] ?? Share()
    if count > countMax, share.count > countMax / Self.lightShare || count > 2 * countMax {
      return .count
    }
    guard budget > .zero, time >= budget else { return nil }
    return share.time > budget / Self.lightShare || time > budget * 2 ? .time : nil
  }

  /// Adds the time since the previous call to the share of the owner whose action ran meanwhile.
  private mutating func measure(before owner: ModuleName?, _ now: () -> Duration) {
    guard budget > .zero else { return }
    let now = now()
    if let latest {
      time += now - latest.begin
      shares[latest.owner, default: Share()].time += now - latest.begin
    }
    latest = (owner, now)
  }
}
