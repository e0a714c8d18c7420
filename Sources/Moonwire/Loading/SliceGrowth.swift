import MoonLua
import MoonValues

/// Keeps the slice of a module within its quota.
///
/// The cost of measuring a slice grows with its size, so a slice isn't measured after each action.
/// It is measured once so much has been written that it may have outgrown the quota.
final class SliceGrowth {
  /// The number of steps, each followed by a measurement, in which a slice can reach its quota.
  private static let stepCount: UInt64 = 8

  private let quota: Int
  private let step: UInt64
  /// The bytes written when a measurement last left room for another step.
  @exclusivity(unchecked) private var mark: UInt64 = 0

  /// `quota` is roughly how many bytes the slice may take; 0 means no limit.
  init(quota: Int) {
    self.quota = quota
    step = quota > 0 ? UInt64(quota) / Self.stepCount : .max
  }

  /// Whether the slice has to be measured, given all bytes written so far.
  @inline(__always)
  func mustMeasure(_ written: UInt64) -> Bool { written &- mark > step }

  /// Measures a slice that a reducer has made.
  ///
  /// - Throws: ``LuaError`` if it is too large.
  func measure(_ slice: Value, _ written: UInt64, _ function: LuaFunction) throws(LuaError) {
    let bytes = slice.storageCost
    guard bytes <= quota else {
      throw .runtime(
        LuaReport(
          message: "the module's state would take more than \(quota >> 10) KB",
          place: function.place))
    }
    // Near the quota the slice is measured after each action, since it could outgrow the quota
    // between two measurements.
    if UInt64(bytes) + step <= UInt64(quota) { mark = written }
  }
}
