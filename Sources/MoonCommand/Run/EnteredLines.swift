import MoonTerminal

/// The lines that were entered and not taken yet: a paste has several, and so has what a script
/// took for one piece and wasn't.
struct EnteredLines {
  /// A line, with its number in the script.
  struct Line {
    let text: String
    let number: Int
  }

  /// How many columns of a line that wasn't run are named.
  static let namedWidthMax = 60

  private var rest: ArraySlice<Line> = []
  /// How many entries there were; those of a script are single lines.
  private var count = 0

  mutating func next() -> Line? {
    rest.popFirst()
  }

  /// Adds what was entered.
  mutating func enter(_ entry: String) {
    count += 1
    rest += entry.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Line(text: String($0), number: count) }
  }

  /// Counts an entry that can't be read.
  mutating func passOver() {
    count += 1
  }

  /// Has lines that were taken come next again.
  mutating func putBack(_ lines: some Collection<Line>) {
    rest = lines + rest
  }

  mutating func dropAll() {
    rest = []
  }

  /// Names what isn't run because of a failure; nil if nothing is left.
  var reportOfRest: Report? {
    let named = rest.filter { !$0.text.allSatisfy(\.isWhitespace) }
    guard let first = named.first else { return nil }
    let text = TerminalText.clipped(TerminalText.sanitized(first.text), to: Self.namedWidthMax)
    return Report(
      .note,
      named.count == 1
        ? "the last line of the paste wasn't run: \(text)"
        : "the last \(named.count) lines of the paste weren't run, from: \(text)")
  }
}
