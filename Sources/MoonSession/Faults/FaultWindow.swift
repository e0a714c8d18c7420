/// The last calls of something, and which of them failed.
struct FaultWindow {
  /// How many calls it looks back on.
  static let callCount = 50
  /// As how many faults one counts that ended the machine: each has cost the host a whole budget.
  static let killWeight = 5

  private static let mask: UInt64 = (1 << callCount) - 1

  // A bit for each call, the latest in the lowest.
  private var faults: UInt64 = 0
  private var kills: UInt64 = 0

  /// How many of the calls failed.
  var faultCount: Int { faults.nonzeroBitCount }

  /// The same with those that ended the machine counted as several.
  var weight: Int { faultCount + (Self.killWeight - 1) * kills.nonzeroBitCount }

  /// Notes a call that went well.
  mutating func noteSuccess() {
    faults = faults << 1 & Self.mask
    kills = kills << 1 & Self.mask
  }

  /// Notes a call that failed.
  mutating func noteFault(isKill: Bool) {
    noteSuccess()
    faults |= 1
    if isKill { kills |= 1 }
  }
}
