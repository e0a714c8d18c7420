import MoonPrompt
import MoonTerminal

/// The entered lines that haven't been carried out yet.
///
/// A paste has several, as does a piece of a script whose lines turn out not to belong together.
struct EnteredLines {
  /// A line, with its number in the script.
  struct Line {
    let text: String
    let number: Int
  }

  /// The maximum width to which a line that wasn't run is quoted.
  static let namedWidthMax = 60

  private var rest: ArraySlice<Line> = []
  /// The number of entries; an entry of a script is a single line.
  private var count = 0

  /// Whether there was no entry at all so far.
  var isUntouched: Bool { count == 0 }

  mutating func next() -> Line? {
    rest.popFirst()
  }

  /// Adds an entry.
  mutating func enter(_ entry: String) {
    count += 1
    rest += entry.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Line(text: String($0), number: count) }
  }

  /// Counts an unreadable entry.
  mutating func passOver() {
    count += 1
  }

  /// Puts lines back, to be taken next.
  mutating func putBack(_ lines: some Collection<Line>) {
    rest = lines + rest
  }

  mutating func dropAll() {
    rest = []
  }

  /// The report on the lines that a failure kept from running; nil if none are left.
  var reportOfRest: Report? {
    let named = rest.filter { !$0.text.allSatisfy(\.isWhitespace) }
    guard let first = named.first else { return nil }
    let text = TerminalText.clipped(TerminalText.singleLine(first.text), to: Self.namedWidthMax)
    return Report(
      .note,
      named.count == 1
        ? "the last line of the paste wasn't run: \(text)"
        : "the last \(named.count) lines of the paste weren't run, from: \(text)")
  }
}
