/// Breaks text into lines of a width: at blanks, between wide characters, and within words longer
/// than a line.
struct TextFlow {
  let width: Int
  /// Whether long lines are wrapped rather than cut.
  var wraps = true
  private var lines: [CardLine] = []
  private var line = CardLine()
  private var blanks = CardLine()
  private var word = CardLine()

  init(width: Int, wraps: Bool = true) {
    self.width = max(1, width)
    self.wraps = wraps
  }

  /// Returns the lines of one text.
  static func lines(
    _ text: String, _ role: CardRole, width: Int, wraps: Bool = true
  ) -> [CardLine] {
    var flow = TextFlow(width: width, wraps: wraps)
    flow.add(text, role)
    return flow.finish()
  }

  /// Adds text of any origin.
  mutating func add(_ text: String, _ role: CardRole) {
    for character in ColumnWidths.sanitized(text) {
      if character.isNewline {
        endParagraph()
        continue
      }
      let step = ColumnWidths.width(of: character)
      if !wraps {
        line.append(String(character), role, width: step)
      } else if character == " " {
        endWord()
        blanks.append(" ", role, width: 1)
      } else if step > 1 {
        endWord()
        word.append(String(character), role, width: step)
        endWord()
      } else {
        word.append(String(character), role, width: step)
      }
    }
  }

  /// Adds text with Markdown.
  ///
  /// Colours say more than emphasis, which then has none of its own.
  mutating func add(markdown text: String, _ role: CardRole) {
    for run in MarkdownRuns.runs(text) {
      guard role == .plain || role == .subtle else {
        add(run.text, role)
        continue
      }
      add(run.text, run.isLink ? .accent : run.isBold ? .strong : run.isItalic ? .emphasis : role)
    }
  }

  /// Returns the lines of the added text, at most `countMax` of them.
  mutating func finish(countMax: Int? = nil) -> [CardLine] {
    endParagraph()
    guard let countMax, lines.count > countMax else { return lines }
    var kept = Array(lines.prefix(countMax))
    if let last = kept.last {
      kept[countMax - 1] =
        last.width < width
        ? last.continued : last.clipped(to: width, continues: true)
    }
    return kept
  }

  private mutating func endParagraph() {
    endWord()
    lines.append(line.clipped(to: width))
    line = CardLine()
    blanks = CardLine()
  }

  private mutating func endWord() {
    guard !word.spans.isEmpty else { return }
    defer { word = CardLine() }
    if line.width + blanks.width + word.width > width, !line.spans.isEmpty || !blanks.spans.isEmpty
    {
      if !line.spans.isEmpty { lines.append(line) }
      line = CardLine()
      blanks = CardLine()
    }
    line.append(blanks)
    blanks = CardLine()
    guard word.width > width else {
      line.append(word)
      return
    }
    addPieces()
  }

  /// Breaks a word that is longer than a line at the end of each line.
  private mutating func addPieces() {
    for span in word.spans {
      for character in span.text {
        let step = ColumnWidths.width(of: character)
        guard step <= width else {
          // No line has room for it.
          addPiece("…", span.role, 1)
          continue
        }
        addPiece(String(character), span.role, step)
      }
    }
  }

  private mutating func addPiece(_ text: String, _ role: CardRole, _ step: Int) {
    if line.width + step > width {
      lines.append(line)
      line = CardLine()
    }
    line.append(text, role, width: step)
  }
}

extension CardLine {
  /// The line with an ellipsis at its end.
  fileprivate var continued: CardLine {
    var line = self
    line.append("…", spans.last?.role ?? .plain, width: 1)
    return line
  }
}
