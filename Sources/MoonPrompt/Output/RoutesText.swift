package import MoonTerminal
package import Moonwire

/// Route patterns, and their results for a URL, as text.
package struct RoutesText {
  let style: Style
  let columns: Int

  package init(style: Style, columns: Int) {
    self.style = style
    self.columns = columns
  }

  /// The maximum number of patterns shown that don't match a URL.
  static let candidateCountMax = 20
  /// The maximum width of an aligned column.
  private static let columnWidthMax = 44

  /// Returns the patterns, one on each line.
  package func lines(_ routes: [RouteInfo]) -> [String] {
    guard !routes.isEmpty else { return [style.paint("there are no routes", .dim)] }
    return aligned(
      routes.map { route in
        [
          Cell(route.pattern.string, .key), Cell(route.module.text, nil),
          Cell(place(route.place), .dim), Cell("\(route.target)", nil),
          Cell(Self.particulars(route), .dim),
        ]
      })
  }

  /// Returns the route that matches a URL with its parameters, and why the others don't match.
  ///
  /// `guards` are the routing observers that are asked about the route that matches.
  package func lines(
    _ explanation: RouteExplanation, of url: Text, guards: [GuardInfo]
  ) -> [String] {
    guard let winner = explanation.winner else {
      let head =
        style.paint("no pattern takes", .warning) + " "
        + TerminalText.singleLine(
          TerminalText.clipped(url.isEmpty ? "the empty URL" : url.string, to: columns))
      return [head] + others(explanation.candidates)
    }
    let taken = explanation.candidates.filter(\.verdict.isTaker).map { candidate in
      [
        Cell(candidate.route.pattern.text.string, .good), Cell(candidate.route.owner.string, nil),
        Cell(place(candidate.route.place), .dim),
        Cell(candidate.verdict == .won ? "" : "\(candidate.verdict)", nil),
      ]
    }
    return aligned(taken) + particulars(winner, guards)
      + others(explanation.candidates.filter { !$0.verdict.isTaker })
  }

  /// Returns the rules for URLs that differ from the defaults, one a line.
  package func rules(_ rules: RoutingRules) -> [String] {
    let unusual = URLSetting.effective(in: rules).filter { !URLSetting.usual.contains($0) }
    return unusual.isEmpty
      ? []
      : ["rules for URLs"]
        + aligned(unusual.map { [Cell($0.rawValue, .key), Cell($0.meaning, nil)] })
  }

  /// The heading of the patterns that don't match a URL.
  private static let mismatchHeading = "not matched by"

  /// Says `name counter, push, priority 5, parent /list, when`.
  private static func particulars(_ route: RouteInfo) -> String {
    [
      route.name.map { "name \($0)" }, route.option.map { "\($0.kind)" },
      route.priority == 0 ? nil : "priority \(route.priority)",
      route.parent.map { "parent \($0)" }, route.isConditional ? "when" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  private func particulars(_ match: RouteMatch, _ guards: [GuardInfo]) -> [String] {
    let values = ValueText(style: style)
    var rows: [(label: String, text: String)] = []
    let parameters = match.parameters()
    if !parameters.isEmpty {
      rows.append(("params", values.line(.map(parameters), columns: max(20, columns - 12))))
    }
    if let wildcard = match.wildcard {
      rows.append(("wildcard", values.line(.list(wildcard), columns: max(20, columns - 12))))
    }
    if let scheme = match.scheme { rows.append(("scheme", TerminalText.singleLine(scheme.string))) }
    rows += guards.map {
      ("asks", "\($0.module)  " + style.paint(TerminalText.singleLine(place($0.place)), .dim))
    }
    return rows.map { "  " + style.paint($0.label.padded(to: 8), .dim) + "  " + $0.text }
  }

  /// Sorts the patterns by how far each matched, the farthest first.
  private func others(_ candidates: [RouteExplanation.Candidate]) -> [String] {
    guard !candidates.isEmpty else { return [] }
    let sorted = candidates.enumerated().sorted { left, right in
      let (first, second) = (left.element.verdict.progress, right.element.verdict.progress)
      return first == second ? left.offset < right.offset : first > second
    }.map(\.element)
    let lines = aligned(
      sorted.prefix(Self.candidateCountMax).map { candidate in
        [
          Cell(candidate.route.pattern.text.string, .key),
          Cell(candidate.route.owner.string, nil), Cell(place(candidate.route.place), .dim),
          Cell("\(candidate.verdict)", nil),
        ]
      })
    let left = sorted.count - lines.count
    guard left > 0 else { return [Self.mismatchHeading] + lines }
    return [Self.mismatchHeading] + lines + [style.paint("… \(left) more, --json has all", .dim)]
  }

  private func place(_ place: SourcePlace?) -> String { place?.description ?? "Swift" }

  // MARK: Columns

  private struct Cell {
    let text: String
    let role: Style.Role?

    init(_ text: String, _ role: Style.Role?) {
      self.text = TerminalText.singleLine(text)
      self.role = role
    }
  }

  private func aligned(_ rows: [[Cell]]) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      let widths = rows.compactMap { row in
        row.indices.contains(column) ? TerminalText.width(of: row[column].text) : nil
      }
      return widths.filter { $0 <= Self.columnWidthMax }.max() ?? 0
    }
    return rows.map { row in
      let last = row.lastIndex { !$0.text.isEmpty } ?? 0
      return row.prefix(last + 1).enumerated().map { column, cell in
        let painted = cell.role.map { style.paint(cell.text, $0) } ?? cell.text
        guard column < last else { return painted }
        let blank = max(0, widths[column] - TerminalText.width(of: cell.text)) + 2
        return painted + String(repeating: " ", count: blank)
      }.joined()
    }
  }
}

extension RouteVerdict {
  /// Whether the route takes the URL, or may.
  fileprivate var isTaker: Bool {
    switch self {
    case .won, .conditional, .wonOtherwise: true
    default: false
    }
  }

  /// The extent to which a route matched.
  fileprivate var progress: Int {
    switch self {
    case .won, .conditional, .wonOtherwise, .lowerPriority, .lessSpecific, .moreGroupsOmitted,
      .laterOwner, .laterText, .laterPlace, .afterOwnScheme:
      Int.max
    case .tooShort: RouteRequest.segmentCountMax
    case .tooLong(let index), .differentLiteral(let index, _, _),
      .differentSuffix(let index, _, _), .differentForm(let index, _, _),
      .typeMismatch(let index, _, _, _):
      index
    case .otherScheme: -1
    }
  }
}

extension Host {
  /// Returns the routing observers that are asked about the route that matches; none if none does.
  package func guards(of explanation: RouteExplanation) -> [GuardInfo] {
    explanation.winner.map { guardInfos(of: $0.patternText) } ?? []
  }
}
