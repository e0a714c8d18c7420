/// A search that looks at rows of lists as they are drawn.
struct Hunt: Equatable, Sendable {
  /// The line where it began.
  let start: Int
  /// 1 for a search downwards, -1 for one upwards.
  let step: Int
  /// The number of lines from the start that it has looked at.
  var lookedAt = 0

  /// Returns the line to look at next, of so many lines; beyond the last one it goes on with the
  /// first.
  func line(of count: Int) -> Int {
    let line = (start + step * lookedAt) % count
    return line < 0 ? line + count : line
  }
}
