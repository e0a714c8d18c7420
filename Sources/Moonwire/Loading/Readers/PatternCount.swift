import MoonRouting

/// Counts what the patterns of one module take in the table of all routes.
///
/// That table belongs to the host, so the module's memory quota doesn't count it.
struct PatternCount {
  /// How many components all variants of a module's patterns may have.
  ///
  /// This is enough for some ten thousand routes, which take 18 MB of the table. It takes 64 such
  /// modules to fill the table.
  static let componentCountMax = 1 << 18
  /// How many bytes the texts of all variants may have.
  static let byteCountMax = 1 << 24

  private var componentCount = 0
  private var byteCount = 0
  /// Whether the module has been told that it has too many.
  var isFull = false

  /// Counts a pattern; false if it is one too many.
  mutating func takes(_ pattern: RoutePattern) -> Bool {
    let components = componentCount + pattern.variantComponentCountMax
    let bytes = byteCount + pattern.variantByteCount
    guard components <= Self.componentCountMax, bytes <= Self.byteCountMax else { return false }
    (componentCount, byteCount) = (components, bytes)
    return true
  }
}
