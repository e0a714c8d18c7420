import MoonTerminal
import Moonwire

/// A screen as text: a line with its title, trail and URL, and below it what is beside it and its
/// body, indented.
struct ScreenText {
  let style: Style
  let columns: Int

  /// The maximum number of lines of a screen that is shown without a request: most of a terminal.
  static let lineCountMax = 40
  /// The maximum number of warnings shown about a screen's elements.
  private static let warningCountMax = 3
  private static let indent = "  "
  private static let unusedBodyNote: Text =
    "(its own body isn't shown: there is a view; slots add to views)"

  /// The place where the trail is shown.
  enum TrailPlace {
    case shown
    /// A line above shows it.
    case above
  }

  /// Returns the lines, with colours.
  func lines(_ snapshot: ScreenSnapshot, trail: TrailPlace = .shown) -> [String] {
    let beside = BesideText(snapshot).line(style, columns: columns - Self.indent.count)
    return [head(snapshot, trail)]
      + ([beside].compactMap(\.self) + body(snapshot.shown)).map {
        $0.isEmpty ? "" : Self.indent + $0
      }
  }

  /// Returns the lines of a screen that has come to the top, at most ``lineCountMax``.
  func compactLines(_ snapshot: ScreenSnapshot, trail: TrailPlace) -> [String] {
    let all = lines(snapshot, trail: trail)
    guard all.count > Self.lineCountMax else { return all }
    let left = all.count - Self.lineCountMax + 1
    return all.prefix(Self.lineCountMax - 1)
      + [Self.indent + style.paint("… \(Wording.counted(left, "line")) more: :screen", .dim)]
  }

  private func head(_ snapshot: ScreenSnapshot, _ place: TrailPlace) -> String {
    let screen = snapshot.shown.screen
    let name = [screen.title, screen.kind, screen.id].first { !$0.isEmpty } ?? screen.id
    let title = clipped(name, to: columns)
    var left = columns - TerminalText.width(of: title) - 2
    var head = style.paint(title, .emphasis)
    guard left >= 8 else { return head }
    if place == .shown {
      let trail = TrailText(tree: snapshot.tree).text(columns: left)
      head += "  " + trail
      left -= TerminalText.width(of: trail) + 2
    }
    guard left >= 8, let url = screen.url else { return head }
    return head + "  " + style.paint(clipped(url, to: left), .dim)
  }

  private func body(_ shown: ShownScreen) -> [String] {
    if shown.screen.isPlaceholder {
      return wrapped(Self.absence(of: shown.screen), .warning)
    }
    if let failure = shown.failure {
      return failure.report.text(style).split(
        separator: "\n", omittingEmptySubsequences: false
      ).map(String.init)
    }
    guard shown.card != nil else { return [] }
    let width = columns - Self.indent.count
    let lines = shown.lines(width: width, dates: ReaderDates.text).map { line in
      line.spans.map { span in span.role.style.map { style.paint(span.text, $0) } ?? span.text }
        .joined()
    }
    let warnings = shown.warnings.prefix(Self.warningCountMax).flatMap { warning in
      wrapped("(\(warning))", .warning)
    }
    if lines.isEmpty, !shown.isDrawn {
      let kind = Text(Self.emptiness(of: shown.screen))
      return warnings + [style.paint(clipped(kind, to: width), .dim)]
    }
    return lines + warnings + unusedBody(of: shown, width)
  }

  /// Returns a note on the screen's own body, which isn't shown if there is a view.
  private func unusedBody(of shown: ShownScreen, _ width: Int) -> [String] {
    guard shown.isDrawn, case .list(let body) = shown.screen.body, !body.isEmpty else { return [] }
    return [style.paint(clipped(Self.unusedBodyNote, to: width), .warning)]
  }

  /// Returns the text for a screen that can't be drawn.
  private static func absence(of screen: Screen) -> String {
    guard let url = screen.url else {
      return
        "module \(screen.owner?.module ?? "") is gone, and this screen with it: it comes back with "
        + "the module"
    }
    let owner = screen.owner.map { " of module \($0.module)" } ?? ""
    return "the route\(owner) for \(url) is gone: the screen comes back with it"
  }

  /// Returns the reason that a screen is empty.
  private static func emptiness(of screen: Screen) -> String {
    screen.owner.map {
      "nothing is on it, and module \($0.module) has no view for '\(screen.kind)'"
    } ?? "nothing is on it"
  }

  private func wrapped(_ text: String, _ role: Style.Role) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in TerminalText.singleLine(text).split(separator: " ") {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if TerminalText.width(of: longer) > columns - Self.indent.count, !line.isEmpty {
        lines.append(line)
        line = String(word)
      } else {
        line = longer
      }
    }
    return (lines + [line]).map { style.paint($0, role) }
  }

  private func clipped(_ text: Text, to columns: Int) -> String {
    let safe = TerminalText.singleLine(text.string)
    return TerminalText.clipped(safe, to: columns)
  }
}

extension CardRole {
  /// The style of a piece of a card; nil for none.
  fileprivate var style: Style.Role? {
    switch self {
    case .plain, .image: nil
    case .heading, .strong: .emphasis
    case .emphasis: .italic
    case .subtle, .placeholder, .unseen: .dim
    case .accent: .number
    case .good: .good
    case .warning: .warning
    case .attention: .error
    case .action: .key
    case .input: .string
    }
  }
}
