/// One line of a card as a terminal shows it.
public struct CardLine: Equatable, Sendable {
  /// The spans from left to right; adjacent ones have different roles.
  public private(set) var spans: [CardSpan] = []
  /// The width in columns; see ``CardSpan``.
  public private(set) var width = 0

  /// The line without its roles.
  public var text: String { spans.map(\.text).joined() }
}

/// A piece of a line with one style.
///
/// Its text is safe to show: it has no control characters, including newlines and tabs, and none
/// that change the direction of text. A wide character takes two columns, a combining one takes
/// none, and a joined emoji takes the sum of its parts.
public struct CardSpan: Equatable, Sendable {
  /// The text to show.
  public fileprivate(set) var text: String
  /// The role of the text.
  public let role: CardRole
}

/// The role of a span, from which a renderer chooses colours.
public enum CardRole: Hashable, Sendable {
  /// Ordinary text.
  case plain
  /// A heading above a part of the screen.
  case heading
  /// Text of less importance.
  case subtle
  /// Text of more importance.
  case strong
  /// Text that is stressed, in italics.
  case emphasis
  /// Text that should stand out.
  case accent
  /// Good news.
  case good
  /// News that needs care.
  case warning
  /// Bad news.
  case attention
  /// The control with that number.
  case action(Int)
  /// The value of the input with that number, or its empty field.
  case input(Int)
  /// A placeholder for content that can't be shown or isn't there yet.
  case placeholder
  /// A row that the list with that number has and the card hasn't.
  case unseen(Int)
  /// Blanks where the image with that number is to be drawn.
  ///
  /// Only lines for terminals that draw images have them.
  case image(Int)
}

extension CardLine {
  init(_ text: String, _ role: CardRole) {
    append(text, role, width: ColumnWidths.width(of: text))
  }

  /// Adds clean text of a known width.
  mutating func append(_ text: String, _ role: CardRole, width: Int) {
    guard !text.isEmpty else { return }
    self.width += width
    if let last = spans.indices.last, spans[last].role == role {
      spans[last].text += text
    } else {
      spans.append(CardSpan(text: text, role: role))
    }
  }

  mutating func append(_ line: CardLine) {
    for span in line.spans { append(span.text, span.role, width: 0) }
    width += line.width
  }

  /// Fills the line with blanks up to a width.
  mutating func pad(to width: Int) {
    guard self.width < width else { return }
    let count = width - self.width
    append(String(repeating: " ", count: count), .plain, width: count)
  }

  /// Returns the line aligned within a width.
  func aligned(_ alignment: Alignment?, within width: Int) -> CardLine {
    let free = max(0, width - self.width)
    let left =
      switch alignment {
      case .center: free / 2
      case .right: free
      case .left, nil: 0
      }
    guard left > 0 else { return self }
    var line = CardLine()
    line.pad(to: left)
    line.append(self)
    return line
  }

  /// Returns the line cut to a width, with an ellipsis at its end if something was cut or it
  /// `continues`.
  func clipped(to width: Int, continues: Bool = false) -> CardLine {
    guard self.width > width || continues else { return self }
    guard width > 0 else { return CardLine() }
    var clipped = CardLine()
    copying: for span in spans {
      for character in span.text {
        let step = ColumnWidths.width(of: character)
        guard clipped.width + step < width else { break copying }
        clipped.append(String(character), span.role, width: step)
      }
    }
    clipped.append("…", clipped.spans.last?.role ?? spans.first?.role ?? .plain, width: 1)
    return clipped
  }

  /// The line without blanks at its end.
  var trimmed: CardLine {
    var line = self
    while let last = line.spans.indices.last {
      while line.spans[last].text.last == " " {
        line.spans[last].text.removeLast()
        line.width -= 1
      }
      guard line.spans[last].text.isEmpty else { break }
      line.spans.removeLast()
    }
    return line
  }
}

extension CardLine {
  /// Returns text of any origin in lines of a width, broken between words.
  package static func plain(_ text: String, width: Int) -> [CardLine] {
    TextFlow.lines(text, .plain, width: width)
  }
}
