/// The searches for the names that misspelt ones may stand for.
///
/// Among many long names a search takes some ten milliseconds, and nobody needs many at once.
final class Suggestions {
  /// The maximum number of searches at once.
  static let countMax = 20

  private var count = 0

  /// Allows as many searches again.
  func begin() { count = 0 }

  /// Returns what a search finds; nil if there were too many.
  func search(_ body: () -> String?) -> String? {
    guard count < Self.countMax else { return nil }
    count += 1
    return body()
  }
}
