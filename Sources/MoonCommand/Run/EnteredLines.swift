import MoonTerminal

/// The lines of one entry that were not taken yet; a paste has several.
struct EnteredLines {
  /// How many columns of a line that wasn't run are named.
  static let namedWidthMax = 60

  private var rest: ArraySlice<String>

  init(_ entry: String) {
    rest = entry.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
  }

  mutating func next() -> String? {
    rest.popFirst()
  }

  /// Names what wasn't run because of a failure; nil if nothing is left.
  var reportOfRest: Report? {
    let named = rest.filter { !$0.allSatisfy(\.isWhitespace) }
    guard let first = named.first else { return nil }
    let text = TerminalText.clipped(TerminalText.sanitized(first), to: Self.namedWidthMax)
    return Report(
      .note,
      named.count == 1
        ? "the last line of the paste wasn't run: \(text)"
        : "the last \(named.count) lines of the paste weren't run, from: \(text)")
  }
}
