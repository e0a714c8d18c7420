/// The Markdown that texts of cards may have: `**bold**`, `_italic_`, `[links](url)` and lists.
///
/// Emphasis follows the rules of CommonMark, so that `snake_case` and `2 * 3` are what they are.
/// Everything else stays as it is written.
struct MarkdownRuns {
  /// A piece of text with one appearance.
  struct Run: Equatable {
    var text: String
    var isBold = false
    var isItalic = false
    /// Whether it is the text of a link, which is followed by its address.
    var isLink = false
  }

  /// The maximum number of marks of emphasis in a text; those that follow stay as they are written.
  static let markCountMax = 200

  /// A run of `*` or `_` that may begin or end an emphasis.
  private struct Mark {
    let character: Unicode.Scalar
    /// The number of characters that don't stand for an emphasis yet.
    var left: Int
    let count: Int
    let opens: Bool
    let closes: Bool
    /// The place among the pieces.
    let piece: Int
  }

  private let scalars: [Unicode.Scalar]
  private var pieces: [Run] = []
  private var marks: [Mark] = []

  /// Returns the pieces of a text.
  ///
  /// - Complexity: O(length of the text), and O(n²) for its first marks of emphasis.
  static func runs(_ text: String) -> [Run] {
    let hasMarks = text.utf8.contains { "*_[\\-+".utf8.contains($0) }
    guard hasMarks else { return [Run(text: text)] }
    var reading = MarkdownRuns(scalars: Array(text.unicodeScalars))
    reading.split()
    reading.pair()
    return reading.joined
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  // MARK: Splitting

  private mutating func split() {
    let closings = Self.places(of: "]", in: scalars)
    let ends = Self.places(of: ")", in: scalars)
    var plain = ""
    func flush(_ reading: inout MarkdownRuns) {
      if !plain.isEmpty { reading.pieces.append(Run(text: plain)) }
      plain = ""
    }
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      if let bullet = bullet(at: index) {
        plain += "• "
        index = bullet
      } else if scalar == "\\", index + 1 < scalars.count, Self.isPunctuation(scalars[index + 1]) {
        plain.unicodeScalars.append(scalars[index + 1])
        index += 2
      } else if scalar == "[", let link = link(at: index, closings, ends) {
        flush(&self)
        pieces += [Run(text: link.text, isLink: true), Run(text: " (\(link.url))")]
        index = link.end
      } else if scalar == "*" || scalar == "_", marks.count < Self.markCountMax {
        flush(&self)
        index = addMark(at: index)
      } else {
        plain.unicodeScalars.append(scalar)
        index += 1
      }
    }
    flush(&self)
  }

  /// Returns where the text of an item begins, if there is one of a list.
  private func bullet(at index: Int) -> Int? {
    guard ["-", "*", "+"].contains(scalars[index]), index + 1 < scalars.count,
      scalars[index + 1] == " "
    else { return nil }
    var start = index
    while start > 0, scalars[start - 1] == " " { start -= 1 }
    guard start == 0 || scalars[start - 1] == "\n", index - start < 16 else { return nil }
    return index + 2
  }

  private func link(
    at index: Int, _ closings: [Int], _ ends: [Int]
  ) -> (text: String, url: String, end: Int)? {
    let closing = closings[index]
    guard closing > index + 1, closing + 1 < scalars.count, scalars[closing + 1] == "(" else {
      return nil
    }
    let end = ends[closing + 1]
    guard end > closing + 2 else { return nil }
    let url = scalars[(closing + 2)..<end]
    guard !url.contains(where: { $0.properties.isWhitespace }) else { return nil }
    return (Self.text(scalars[(index + 1)..<closing]), Self.text(url), end + 1)
  }

  /// Returns the next place of a scalar from each place on; -1 if there is none.
  private static func places(of wanted: Unicode.Scalar, in scalars: [Unicode.Scalar]) -> [Int] {
    var next = -1
    var places = Array(repeating: -1, count: scalars.count)
    for index in scalars.indices.reversed() {
      if scalars[index] == wanted { next = index }
      places[index] = next
    }
    return places
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  // MARK: Emphasis

  /// Adds the marks at a place; returns the place behind them.
  private mutating func addMark(at start: Int) -> Int {
    let character = scalars[start]
    var end = start
    while end < scalars.count, scalars[end] == character { end += 1 }
    let before = start > 0 ? scalars[start - 1] : " "
    let after = end < scalars.count ? scalars[end] : " "
    let (spaceBefore, spaceAfter) = (before.properties.isWhitespace, after.properties.isWhitespace)
    let (signBefore, signAfter) = (Self.isPunctuation(before), Self.isPunctuation(after))
    let begins = !spaceAfter && (!signAfter || spaceBefore || signBefore)
    let ends = !spaceBefore && (!signBefore || spaceAfter || signAfter)
    let isWord = character == "_"
    marks.append(
      Mark(
        character: character, left: end - start, count: end - start,
        opens: begins && (!isWord || !ends || signBefore),
        closes: ends && (!isWord || !begins || signAfter), piece: pieces.count))
    pieces.append(Run(text: ""))
    return end
  }

  private mutating func pair() {
    var closer = 0
    while closer < marks.count {
      guard marks[closer].closes, marks[closer].left > 0, let opener = opener(for: closer) else {
        closer += 1
        continue
      }
      let isBold = marks[opener].left > 1 && marks[closer].left > 1
      for piece in (marks[opener].piece + 1)..<marks[closer].piece {
        if isBold { pieces[piece].isBold = true } else { pieces[piece].isItalic = true }
      }
      marks[opener].left -= isBold ? 2 : 1
      marks[closer].left -= isBold ? 2 : 1
      // Marks between them can't be paired across.
      for between in (opener + 1)..<closer where marks[between].left > 0 {
        pieces[marks[between].piece].text += Self.text(of: marks[between])
        marks[between].left = 0
      }
    }
    for mark in marks where mark.left > 0 { pieces[mark.piece].text += Self.text(of: mark) }
  }

  private func opener(for closer: Int) -> Int? {
    let mark = marks[closer]
    return marks[..<closer].lastIndex { other in
      guard other.character == mark.character, other.opens, other.left > 0 else { return false }
      // A run that may both begin and end needs care, as CommonMark's rule of three says.
      let isEither = (other.closes || mark.opens) && (other.count + mark.count) % 3 == 0
      return !isEither || (other.count % 3 == 0 && mark.count % 3 == 0)
    }
  }

  private static func text(of mark: Mark) -> String {
    String(repeating: String(Character(mark.character)), count: mark.left)
  }

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
      .modifierSymbol, .otherSymbol:
      true
    default: false
    }
  }

  private var joined: [Run] {
    var runs: [Run] = []
    for piece in pieces where !piece.text.isEmpty {
      if let last = runs.indices.last, runs[last].isBold == piece.isBold,
        runs[last].isItalic == piece.isItalic, runs[last].isLink == piece.isLink
      {
        runs[last].text += piece.text
      } else {
        runs.append(piece)
      }
    }
    return runs
  }
}
