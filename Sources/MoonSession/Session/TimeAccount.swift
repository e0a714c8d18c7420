/// The time that owners of work have used on the host's thread since there was none left to do.
///
/// An owner that has used more than ``lightMillisecondsMax`` is heavy. Its work waits behind that
/// of all others, and of heavy owners the one that has used the least is next. So each of n busy
/// owners has an n-th of the time, but for the length of a turn, whatever its work is and however
/// much of it there is.
package struct TimeAccount<Owner: Hashable> {
  /// The time that an owner may use before it waits behind those that have used less.
  package static var lightMillisecondsMax: Int { 10 }

  /// The time that an owner may have used less than all others, after it rested.
  private static var savedNanosecondsMax: Int64 { 1_000_000_000 }

  private static var lightNanosecondsMax: Int64 { Int64(lightMillisecondsMax) * 1_000_000 }

  /// The times in nanoseconds.
  private var times: [Owner: Int64] = [:]
  /// The time that all owners have used, in nanoseconds.
  package private(set) var total: Int64 = 0
  /// The most that a heavy owner had used when its work was next.
  private var least: Int64 = 0
  /// Whether an action was next the last time that both kinds of work were one owner's.
  private var hadAction = false
  /// Whether any owner is heavy.
  package private(set) var hasHeavy = false

  /// Makes the account of owners that have used no time.
  package init() {}

  /// Notes that an owner's work, which was next, has taken so many nanoseconds.
  package mutating func charge(_ owner: Owner, for time: Int64) {
    let used = excess(of: owner)
    least = max(least, used)
    times[owner] = Self.sum(max(used, times[owner, default: 0]), time)
    total = Self.sum(total, time)
    if !hasHeavy { hasHeavy = isHeavy(owner) }
  }

  private static func sum(_ used: Int64, _ time: Int64) -> Int64 {
    let (sum, isTooMuch) = used.addingReportingOverflow(max(0, time))
    return isTooMuch ? .max : sum
  }

  /// Returns whether an owner waits behind those that have used less.
  package func isHeavy(_ owner: Owner) -> Bool {
    times[owner, default: 0] > Self.lightNanosecondsMax
  }

  /// Returns the time in nanoseconds that decides when an owner is next; 0 if it isn't heavy.
  ///
  /// Little of the time in which an owner wanted nothing is saved up.
  package func excess(of owner: Owner) -> Int64 {
    guard hasHeavy, let time = times[owner], time > Self.lightNanosecondsMax else { return 0 }
    return max(time, least - Self.savedNanosecondsMax)
  }

  /// Returns whether the turn of a task, of one owner, is before an action, of another.
  ///
  /// If both are the same owner's, and it has a lot to do, the kinds alternate.
  package mutating func isNext(turnOf owner: Owner, before other: Owner) -> Bool {
    guard hasHeavy else { return true }
    if owner == other {
      hadAction.toggle()
      return !hadAction
    }
    return excess(of: owner) <= excess(of: other)
  }

  /// Forgets what owners have used.
  package mutating func startOver() { if !times.isEmpty { self = Self() } }
}
