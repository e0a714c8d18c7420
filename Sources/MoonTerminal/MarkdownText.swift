/// Markdown as a terminal shows it: the subset in which the guides are written.
package struct MarkdownText {
  private let style: Style
  private let columns: Int
  /// Returns what stands for a link to another page.
  private let pageName: (String) -> String

  /// The maximum width of lines of text, which are hard to read if they are longer.
  private static let columnCountMax = 100
  private static let codeIndent = "    "

  package init(
    _ style: Style, columns: Int, pageName: @escaping (String) -> String = { $0 }
  ) {
    self.style = style
    self.columns = min(columns, Self.columnCountMax)
    self.pageName = pageName
  }

  /// Returns the lines of a document.
  ///
  /// - Complexity: O(length of `text` × columns).
  package func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var paragraph: [Substring] = []
    var table: [[String]] = []
    var isCode = false
    func end() {
      lines += wrapped(paragraph) + rows(table)
      (paragraph, table) = ([], [])
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        end()
        isCode.toggle()
      } else if isCode {
        lines.append(line.isEmpty ? "" : Self.codeIndent + TerminalText.sanitized(String(line)))
      } else if line.hasPrefix("|") {
        lines += wrapped(paragraph)
        paragraph = []
        if let cells = Self.cells(line) { table.append(cells) }
      } else if line.hasPrefix("#") {
        end()
        let title = plain(String(line.drop { $0 == "#" }.drop { $0 == " " }))
        lines.append(style.paint(title, .emphasis))
      } else if line.isEmpty || Self.isDirective(line) {
        end()
        if lines.last != "" { lines.append("") }
      } else {
        if Self.bullet(line) != nil { end() }
        paragraph.append(line)
      }
    }
    end()
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Returns whether a line is one of DocC's: `@Metadata {`, or the end of one.
  private static func isDirective(_ line: Substring) -> Bool {
    line.hasPrefix("@") || line == "}" || line.hasPrefix("<!--")
  }

  // MARK: Paragraphs

  /// Returns the sign of an entry of a list, with the blank after it; nil for other lines.
  private static func bullet(_ line: Substring) -> Substring? {
    line.prefixMatch(of: #/\s*([-*]|\d+\.) /#).map { $0.0 }
  }

  private func wrapped(_ paragraph: [Substring]) -> [String] {
    guard let first = paragraph.first else { return [] }
    let text = paragraph.map { $0.drop { $0 == " " } }.joined(separator: " ")
    guard let bullet = Self.bullet(first) else {
      return TerminalText.wrapped(inline(text), to: columns, indent: 0)
    }
    let sign = bullet.replacing(#/[-*] /#, with: "• ")
    let rest = text.dropFirst(bullet.drop { $0 == " " }.count)
    return TerminalText.wrapped(sign + inline(String(rest)), to: columns, indent: sign.count)
  }

  // MARK: Tables

  /// Returns the cells of a row; nil for the line below the headings.
  private static func cells(_ line: Substring) -> [String]? {
    if line.allSatisfy({ "|-: ".contains($0) }) { return nil }
    let parts = line.replacing("\\|", with: "\u{0}").split(
      separator: "|", omittingEmptySubsequences: false)
    return parts.dropFirst().dropLast().map { cell in
      let text = cell.drop { $0 == " " }.replacing("\u{0}", with: "|")
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Returns the rows of a table: in columns if they fit, and otherwise each as a paragraph.
  private func rows(_ table: [[String]]) -> [String] {
    guard let heading = table.first else { return [] }
    let widths = heading.indices.map { index in
      table.map { $0.count > index ? TerminalText.width(of: plain($0[index])) : 0 }.max() ?? 0
    }
    let isNarrow = widths.reduce(0, +) + 2 * (widths.count - 1) <= columns
    return table.enumerated().flatMap { number, row -> [String] in
      let isHeading = number == 0
      guard isNarrow else {
        if isHeading { return [] }
        let rest = row.dropFirst().filter { !$0.isEmpty }.joined(separator: "; ")
        return TerminalText.wrapped(inline(row.first ?? ""), to: columns, indent: 2)
          + TerminalText.wrapped(Self.codeIndent + inline(rest), to: columns, indent: 4)
      }
      let cells = zip(row, widths).enumerated().map { index, cell in
        let (text, width) = cell
        let shown = isHeading ? style.paint(plain(text), .emphasis) : inline(text)
        let blanks = index + 1 == row.count ? 0 : width - TerminalText.width(of: plain(text))
        return shown + String(repeating: " ", count: max(0, blanks))
      }
      return [cells.joined(separator: "  ")]
    }
  }

  // MARK: Words

  /// Returns a line without marks.
  private func plain(_ text: String) -> String {
    MarkdownText(.plain, columns: columns, pageName: pageName).inline(text)
  }

  /// Returns a line with the marks shown by colours, or left out.
  private func inline(_ text: String) -> String {
    var shown = ""
    var rest = text[...]
    while let character = rest.first {
      if let (mark, inner, after) = Self.span(rest) {
        switch mark {
        case "``": shown += painted(Self.symbol(inner), .key)
        case "`": shown += painted(String(inner), .key)
        case "**": shown += painted(plain(String(inner)), .emphasis)
        case "<doc:": shown += painted(pageName(String(inner)), .key)
        case "[": shown += link(inner)
        default: shown += inline(String(inner))
        }
        rest = after
      } else {
        shown += TerminalText.sanitized(String(character))
        rest.removeFirst()
      }
    }
    return shown
  }

  /// The marks around a part of a line; longer ones first.
  private static let marks = [
    ("``", "``"), ("`", "`"), ("**", "**"), ("<doc:", ">"), ("[", ")"), ("*", "*"),
  ]

  /// Returns the part between two marks at the beginning of a text, and what follows.
  private static func span(
    _ text: Substring
  ) -> (mark: String, inner: Substring, after: Substring)? {
    for (begin, end) in marks where text.hasPrefix(begin) {
      let inside = text.dropFirst(begin.count)
      guard let range = inside.firstRange(of: end), !range.isEmpty,
        inside.startIndex < range.lowerBound, inside.first != " "
      else { continue }
      let inner = inside[..<range.lowerBound]
      if begin == "[", !inner.contains("](") { continue }
      return (begin, inner, inside[range.upperBound...])
    }
    return nil
  }

  /// Returns the name of a symbol without what tells it from others: `Host.call` for
  /// `Host/call(_:_:)-1a2b`.
  private static func symbol(_ path: Substring) -> String {
    String(path.replacing(/\(.*\)|-\w+$/, with: "").replacing("/", with: "."))
  }

  private func link(_ inner: Substring) -> String {
    guard let bracket = inner.firstRange(of: "](") else { return String(inner) }
    let (title, url) = (inner[..<bracket.lowerBound], inner[bracket.upperBound...])
    return inline(String(title)) + (url.contains("://") ? " (\(url))" : "")
  }

  /// Returns a text whose words are painted one by one, since a line may end between them.
  private func painted(_ text: String, _ role: Style.Role) -> String {
    TerminalText.sanitized(text).split(separator: " ", omittingEmptySubsequences: false)
      .map { style.paint(String($0), role) }.joined(separator: " ")
  }
}
