/// The most recent calls of a registration or module, and which of them failed.
struct FaultWindow {
  /// The number of calls that the window covers.
  static let callCount = 50
  /// The number of faults that one which ended the machine counts as: each costs the host a whole
  /// budget.
  static let killWeight = 5

  private static let mask: UInt64 = (1 << callCount) - 1

  // One bit for each call; the lowest is the most recent.
  private var faults: UInt64 = 0
  private var kills: UInt64 = 0

  /// The number of calls that failed.
  var faultCount: Int { faults.nonzeroBitCount }

  /// The number of faults, with each that ended the machine counted as ``killWeight``.
  var weight: Int { faultCount + (Self.killWeight - 1) * kills.nonzeroBitCount }

  /// Records a call that succeeded.
  mutating func recordSuccess() {
    faults = faults << 1 & Self.mask
    kills = kills << 1 & Self.mask
  }

  /// Records a call that failed.
  mutating func recordFault(isKill: Bool) {
    recordSuccess()
    faults |= 1
    if isKill { kills |= 1 }
  }
}
