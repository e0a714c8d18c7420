import Synchronization

/// The lines of the last answer that didn't fit the terminal, for `:more`.
final class AnswerPager: Sendable {
  private let lines = Mutex<[String]>([])

  /// Removes and returns the remaining lines.
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }

  /// Splits an answer: returns its first part and keeps the rest, if it has more than `rows` lines.
  ///
  /// The last line of the first part is left free for a note on the rest.
  func keep(_ answer: [String], beyond rows: Int) -> (shown: [String], count: Int) {
    let all = answer.flatMap { text in
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    guard all.count > rows else {
      lines.withLock { $0 = [] }
      return (answer, 0)
    }
    lines.withLock { $0 = Array(all.dropFirst(rows - 1)) }
    return (Array(all.prefix(rows - 1)), all.count - rows + 1)
  }
}
