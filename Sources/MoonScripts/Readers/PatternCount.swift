import MoonRouting

/// The size of one module's patterns in the table of all routes.
///
/// That table belongs to the host, so the module's memory quota doesn't count it.
struct PatternCount {
  /// The maximum number of components of all variants of a module's patterns.
  ///
  /// This is enough for about ten thousand routes, which take 18 MB of the table. It takes 64 such
  /// modules to fill the table.
  static let componentCountMax = 1 << 18
  /// The maximum number of bytes of the texts of all variants.
  static let byteCountMax = 1 << 24

  private var componentCount = 0
  private var byteCount = 0
  /// Whether the limit has been exceeded and reported.
  var isFull = false

  /// Counts a pattern; returns false if it exceeds the limit.
  mutating func takes(_ pattern: RoutePattern) -> Bool {
    let components = componentCount + pattern.variantComponentCountMax
    let bytes = byteCount + pattern.variantByteCount
    guard components <= Self.componentCountMax, bytes <= Self.byteCountMax else { return false }
    (componentCount, byteCount) = (components, bytes)
    return true
  }
}
