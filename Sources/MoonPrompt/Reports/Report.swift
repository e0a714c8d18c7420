package import MoonTerminal
package import Moonwire

/// A report for people: what happened, where, and what to do about it.
package struct Report: Equatable, Sendable {
  /// The severity.
  package enum Severity: String, Sendable {
    case error, refused, warning, note
  }

  /// A line with a label.
  package struct Row: Equatable, Sendable {
    package let label: String
    package let text: String

    package init(_ label: String, _ text: String) {
      self.label = label
      self.text = text
    }

    /// Makes a suggestion in the form of a question.
    package static func suggestion(_ nearest: String?) -> Row? {
      nearest.map { Row("help", "did you mean \($0)?") }
    }
  }

  package var severity = Severity.error
  /// The event and its subject.
  package var headline: String
  /// The place of the event.
  package var place: SourcePlace?
  /// The details.
  package var detail: String?
  /// The lines around the place.
  package var excerpt: Excerpt?
  /// The refusal, if a module refused.
  package var refusal: Value?
  /// The word that programs tell the error by; nil for what is no answer to a line.
  package internal(set) var code: String?
  /// The cause, further facts and advice.
  package var rows: [Row] = []

  /// The maximum number of characters of a text, since scripts may raise errors of any length.
  static let textLengthMax = 2_000
  /// The maximum number of rows with one label, since a deep recursion has a long traceback.
  static let rowCountMax = 10

  /// The maximum width of a line of the excerpt with its number, in columns.
  package static let excerptWidth = 110
  /// The minimum width of such a line, even in the narrowest terminal.
  private static let excerptWidthMin = 20

  private static let labelWidth = 13
  /// The column at which the text of a row begins.
  static let rowIndent = labelWidth + 2

  package init(
    _ severity: Severity, _ headline: String, at place: SourcePlace? = nil,
    detail: String? = nil, excerpt: Excerpt? = nil, rows: [Row] = []
  ) {
    self.severity = severity
    self.headline = headline
    self.place = place
    self.detail = detail
    self.excerpt = excerpt
    self.rows = rows
  }

  /// Makes an error.
  package init(
    _ headline: String, at place: SourcePlace? = nil, detail: String? = nil,
    excerpt: Excerpt? = nil, rows: [Row] = []
  ) {
    self.init(.error, headline, at: place, detail: detail, excerpt: excerpt, rows: rows)
  }

  /// Returns the report with a code.
  func coded(_ code: String) -> Report {
    var report = self
    report.code = code
    return report
  }

  /// Returns the report with the code of what a check finds.
  package func coded(_ code: CheckCode) -> Report { coded(code.rawValue) }

  /// Returns the report with more rows.
  package func adding(_ more: Row?...) -> Report {
    var report = self
    report.rows += more.compactMap(\.self)
    return report
  }

  /// Returns the lines of the report, without a final newline.
  ///
  /// `columns` limits the lines of the excerpt, whose names of files and rows are never cut.
  /// `showingCode` adds the code to the first line.
  package func text(
    _ style: Style, columns: Int = excerptWidth, showingCode: Bool = false
  ) -> String {
    let shownCode = showingCode ? code.map { style.paint(" [\($0)]", .dim) } ?? "" : ""
    var lines = [
      style.paint("\(severity.rawValue):", severity.role) + " " + Self.line(headline) + shownCode
    ]
    let what = [
      place.map { style.paint(Self.line($0.description), .emphasis) }, detail.map(indented),
    ]
    let found = what.compactMap(\.self).joined(separator: ": ")
    if !found.isEmpty { lines.append("  \(found)") }
    lines += excerptLines(style, columns: min(columns, Self.excerptWidth))
    for row in shownRows {
      let label = row.label.padding(to: Self.labelWidth)
      lines.append("  " + style.paint(label, .dim) + indented(row.text))
    }
    return lines.joined(separator: "\n")
  }

  /// The report for programs.
  package var value: Value {
    var map: Map = [
      "kind": .string(Text(severity.rawValue)), "message": .string(Text(headline)),
    ]
    if let place {
      map["file"] = .string(Text(place.file))
      if place.line > 0 { map["line"] = .int(Int64(place.line)) }
    }
    if let code { map["code"] = .string(Text(code)) }
    if let refusal { map["refusal"] = refusal }
    if let detail { map["detail"] = .string(Text(detail)) }
    if let excerpt {
      map["excerpt"] = [
        "first_line": .int(Int64(excerpt.firstLine)),
        "lines": .list(List(excerpt.lines.map { .string(Text($0)) })),
      ]
    }
    if !rows.isEmpty {
      map["more"] = .list(
        List(rows.map { ["label": .string(Text($0.label)), "text": .string(Text($0.text))] }))
    }
    return .map(map)
  }

  /// The rows, with long runs of one label shortened and repeated labels omitted.
  private var shownRows: [Row] {
    var shown: [Row] = []
    var count = 0
    for (index, row) in rows.enumerated() {
      let isRepeated = index > 0 && rows[index - 1].label == row.label
      count = isRepeated ? count + 1 : 1
      if count <= Self.rowCountMax {
        shown.append(Row(isRepeated ? "" : row.label, row.text))
      } else if index + 1 == rows.count || rows[index + 1].label != row.label {
        shown.append(Row("", "… \(count - Self.rowCountMax) more"))
      }
    }
    return shown
  }

  private func excerptLines(_ style: Style, columns: Int) -> [String] {
    guard let excerpt else { return [] }
    let width = String(excerpt.firstLine + excerpt.lines.count).count
    return excerpt.lines.enumerated().map { index, line in
      let number = excerpt.firstLine + index
      let isMarked = number == excerpt.line
      let digits = String(repeating: " ", count: width - String(number).count) + String(number)
      let text = line.replacing("\t", with: "  ")
      let room = Swift.max(Self.excerptWidthMin, columns - width - 7)
      let shown = isMarked ? clippedAroundFault(text, to: room) : Self.clipped(text, to: room)
      if isMarked { return style.paint("  > \(digits) | \(shown)", .emphasis) }
      return style.paint("    \(digits) |", .dim) + (shown.isEmpty ? "" : " \(shown)")
    }
  }

  /// Returns the part of a long line with the name that the detail mentions.
  private func clippedAroundFault(_ line: String, to columns: Int) -> String {
    let names = (detail ?? "").split(separator: "'", omittingEmptySubsequences: false)
    // The last one is where Lua stopped: `'}' expected near 'actions'`.
    for (index, name) in names.enumerated().reversed() where index % 2 == 1 && !name.isEmpty {
      guard let found = line.firstRange(of: name) else { continue }
      let before = line[..<found.upperBound].count - columns / 2
      guard line.count > columns, before > 0 else { break }
      // The end of the line fills the width.
      let dropped = min(before, line.count - columns + 1)
      return Self.clipped("…" + line.dropFirst(dropped), to: columns)
    }
    return Self.clipped(line, to: columns)
  }

  private static func clipped(_ line: String, to columns: Int) -> String {
    TerminalText.clipped(self.line(line), to: columns)
  }

  private func indented(_ text: String) -> String {
    TerminalText.indented(Self.shortened(text), by: 4)
  }

  private static func line(_ text: String) -> String {
    TerminalText.singleLine(shortened(text))
  }

  private static func shortened(_ text: String) -> String {
    text.utf8.count > textLengthMax ? String(text.prefix(textLengthMax)) + "…" : text
  }
}

extension Report.Severity {
  fileprivate var role: Style.Role {
    switch self {
    case .error: .error
    case .refused, .warning: .warning
    case .note: .key
    }
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
