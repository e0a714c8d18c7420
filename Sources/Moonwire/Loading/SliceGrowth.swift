import MoonLua
import MoonValues

/// Keeps the slice of a module from growing for ever.
///
/// Measuring a slice takes as long as it is large, so that isn't done for each action: only when so
/// much has been written since the last time that it might be too large by now.
final class SliceGrowth {
  /// In how many steps a slice may reach its quota.
  private static let stepCount: UInt64 = 8

  private let quota: Int
  private let step: UInt64
  /// What had been written when there was last room for another step.
  @exclusivity(unchecked) private var mark: UInt64 = 0

  /// `quota` is how many bytes the slice may take, roughly; 0 for as many as there are.
  init(quota: Int) {
    self.quota = quota
    step = quota > 0 ? UInt64(quota) / Self.stepCount : .max
  }

  /// Whether so much has been written in all that the slice has to be measured.
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
    // Near the quota each action is measured: those between two looks might pass it.
    if UInt64(bytes) + step <= UInt64(quota) { mark = written }
  }
}
