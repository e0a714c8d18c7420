import MoonValues

/// What has followed from one dispatch so far, and whose it was.
///
/// Once there is too much of it, owners that have had more than a light share of it are stopped;
/// the others may go on until they have had as much, or until there is twice too much.
struct Following {
  /// The share of what may follow that an owner may have after others have used it up.
  static let lightShare = 10

  private struct Share {
    var count = 0
    var time = Duration.zero
  }

  private let countMax: Int
  private let budget: Duration
  private var shares: [ModuleName?: Share] = [:]
  private var latest: (owner: ModuleName?, begin: Duration)?
  /// How many actions have followed.
  private(set) var count = 0
  private var time = Duration.zero

  /// `budget` is zero for no limit on time.
  init(countMax: Int, budget: Duration) {
    self.countMax = countMax
    self.budget = budget
  }

  /// What has been too much.
  enum Excess: Equatable {
    case count
    case time
  }

  /// Counts actions that come next as one; returns what its owner has had too much of, if anything.
  ///
  /// `now` is the time on the clock of budgets, and isn't asked for without a budget.
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

  /// Puts the time since the latest look on the account of what was carried out meanwhile.
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
