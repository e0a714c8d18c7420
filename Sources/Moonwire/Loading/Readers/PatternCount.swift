import MoonRouting

/// How much the patterns of one module stand for.
///
/// The table of all routes is the host's, and isn't counted by the module's quota.
struct PatternCount {
  /// How many components all variants may have: some ten thousand routes, and 18 MB of the table;
  /// it takes 64 modules to fill that.
  static let componentCountMax = 1 << 18
  /// How many bytes the texts of all variants may have.
  static let byteCountMax = 1 << 24

  private var componentCount = 0
  private var byteCount = 0
  /// Whether it was told that there are too many.
  var isFull = false

  /// Counts one more; false if it is too many.
  mutating func takes(_ pattern: RoutePattern) -> Bool {
    let components = componentCount + pattern.variantComponentCountMax
    let bytes = byteCount + pattern.variantByteCount
    guard components <= Self.componentCountMax, bytes <= Self.byteCountMax else { return false }
    (componentCount, byteCount) = (components, bytes)
    return true
  }
}
