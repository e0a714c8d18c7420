package import MoonValues

extension Card {
  /// Returns the lines of the card on a terminal.
  ///
  /// No line takes more than `width` columns, and none ends with blanks. Each of the card's
  /// ``controls`` shows its number as `[1]`, in order from top to bottom and column by column;
  /// controls that can't be used now show `[-]`.
  ///
  /// - Parameters:
  ///   - width: How many columns there are; less than one passes for one, and more than 4096 for
  ///     that many.
  ///   - inputs: The values by input id; an input without one has its initial value.
  ///   - notes: Texts that are shown beside controls, by number: why one was refused.
  /// - Returns: The lines, from top to bottom; none if nothing is visible.
  /// - Complexity: O(size of the card · depth of its column sets).
  package func lines(
    width: Int, inputs: Map = Map(), notes: [Int: Text] = [:]
  ) -> [CardLine] {
    lines(width: width, inputs: inputs, notes: notes, dates: \.universal)
  }

  /// Returns the same with dates and times as `dates` writes them, for a medium.
  ///
  /// These are in the zone and language of who reads them. On a terminal that draws images, whose
  /// cells have a size, there is room for those that come with the card. Otherwise their texts
  /// stand for them.
  package func lines(
    width: Int, inputs: Map, notes: [Int: Text], on medium: CardMedium = .text,
    cell: CellSize? = nil, dates: @escaping (CardDate) -> String
  ) -> [CardLine] {
    let width = min(max(1, width), Layout.measuringWidth)
    let layout = Layout(
      inputs: inputs, notes: notes, medium: medium, cell: cell, dates: dates)
    let lines = layout.lines(shown, width: width)
    return lines.map { (medium == .text ? $0.trimmed : $0).clipped(to: width) }
  }
}

/// What the lines of a card are for.
package enum CardMedium: Sendable {
  /// Text, in which controls have numbers, and fields have the width of their values.
  case text
  /// A screen where a focus moves from control to control.
  ///
  /// Buttons have brackets. What can be selected as a whole is a block of blanks and text, all its
  /// lines of one width, that begins with ``CardSpan/selectionMark``. Fields have the same size
  /// whatever their values are, so that people can type into them.
  case stage
}

extension CardSpan {
  /// What each line of a block that can be selected begins with on a stage.
  package static let selectionMark = "  "
}

/// Turns elements into lines.
///
/// If there isn't room even for marks, the lines are too long, and the card cuts them.
struct Layout {
  let inputs: Map
  /// Texts beside controls, by number.
  var notes: [Int: Text] = [:]
  var medium = CardMedium.text
  /// The size of the terminal's cells; nil if it doesn't draw images.
  var cell: CellSize?
  /// Writes dates and times.
  var dates: (CardDate) -> String = \.universal
  /// Whether the lines are only measured, so that nothing expands to the available width.
  var isMeasuring = false
  /// The width of the names of adjacent inputs; 0 if they aren't aligned.
  var labelWidth = 0

  /// The blanks between parts side by side.
  static let gap = 2
  /// A practically unlimited width; longer lines are measured as if they ended there.
  static let measuringWidth = 4096

  func lines(_ elements: [Element], width: Int, alignment: Alignment? = nil) -> [CardLine] {
    var lines: [CardLine] = []
    var previous: Element?
    var layout = self
    for (index, element) in elements.enumerated() {
      if index == 0 || !elements[index - 1].isInput {
        layout.labelWidth = InputLayout.labelWidth(of: elements[index...], within: width)
      }
      let own = layout.lines(element, width: width, alignment: alignment)
      guard !own.isEmpty else { continue }
      if let previous {
        if element.hasSeparator {
          lines.append(rule(width: width))
        } else {
          let count = Layout.blankLineCount(between: previous, and: element)
          lines += Array(repeating: CardLine(), count: count)
        }
      }
      lines += own
      previous = element
    }
    return lines
  }

  /// The mark of an element or action of which a detail is left out because it is wrong.
  private static let flawMark = " (!)"

  func lines(_ element: Element, width: Int, alignment: Alignment? = nil) -> [CardLine] {
    guard element.isFlawed else {
      return selectableLines(element, width: width, alignment: alignment)
    }
    let mark = CardLine(Layout.flawMark, .warning)
    var lines = selectableLines(element, width: width - mark.width, alignment: alignment)
    if !lines.isEmpty { lines[0].append(mark) }
    return lines
  }

  private func selectableLines(
    _ element: Element, width: Int, alignment: Alignment?
  ) -> [CardLine] {
    guard let number = element.selectAction?.number, number > 0 else {
      return contentLines(element, width: width, alignment: alignment)
    }
    let mark = CardLine(
      medium == .text ? "[\(number)] " : CardSpan.selectionMark, .action(number))
    // A block ends with a blank, which shows how wide it is.
    let room = width - mark.width - (medium == .stage ? 1 : 0)
    var inner = contentLines(element, width: room, alignment: alignment)
    if inner.isEmpty, let title = element.selectAction?.title {
      inner = TextFlow.lines(title.string, .action(number), width: room)
    }
    let note = notes[number].map { TextFlow.lines("(\($0))", .attention, width: width) } ?? []
    let marked =
      medium == .text ? Layout.marked(inner, with: mark) : block(inner, mark, width: width)
    return marked + note
  }

  /// Returns lines with a mark before each, filled up to a width with blanks of its role.
  private func block(_ lines: [CardLine], _ mark: CardLine, width: Int) -> [CardLine] {
    lines.map { line in
      var marked = mark
      marked.append(line)
      let count = isMeasuring ? 1 : max(1, width - marked.width)
      let blanks = String(repeating: " ", count: count)
      for span in mark.spans { marked.append(blanks, span.role, width: count) }
      return marked
    }
  }

  /// Returns lines with a mark before the first, and as many blanks before the others.
  static func marked(_ lines: [CardLine], with mark: CardLine) -> [CardLine] {
    lines.enumerated().map { index, line in
      var marked = index == 0 ? mark : CardLine()
      marked.pad(to: mark.width)
      marked.append(line)
      return marked
    }
  }

  /// Returns the preferred width of an element.
  func naturalWidth(_ element: Element) -> Int {
    var layout = self
    layout.isMeasuring = true
    return layout.lines(element, width: Layout.measuringWidth).map(\.width).max() ?? 0
  }

  func aligned(_ lines: [CardLine], _ alignment: Alignment?, within width: Int) -> [CardLine] {
    isMeasuring ? lines : lines.map { $0.aligned(alignment, within: width) }
  }

  private func rule(width: Int) -> CardLine {
    CardLine(String(repeating: "─", count: isMeasuring ? 1 : max(1, width)), .subtle)
  }

  private func contentLines(
    _ element: Element, width: Int, alignment outer: Alignment?
  ) -> [CardLine] {
    let alignment = element.alignment ?? outer
    switch element.content {
    case .text(let block):
      guard !block.text.isEmpty else { return [] }
      var flow = TextFlow(width: width, wraps: block.wraps)
      flow.add(markdown: CardDate.shown(in: block.text.string, dates), block.style.role)
      return aligned(flow.finish(countMax: block.lineCountMax), alignment, within: width)
    case .rich(let runs): return aligned(lines(runs, width: width), alignment, within: width)
    case .image(let alternative, let image):
      let lines = ImageLayout.lines(image, or: alternative, width: width, on: cell)
      return aligned(lines, alignment, within: width)
    case .container(let style, let items):
      let rows = lines(items, style: style, width: width, alignment: alignment)
      guard let list = element.list, !isMeasuring else { return rows }
      return ListLayout.lines(of: list, with: rows, on: medium)
    case .columns(let columns): return lines(columns, width: width, alignment: alignment)
    case .facts(let facts): return lines(facts, width: width)
    case .progress(let progress): return [line(progress, width: width)]
    case .chart(let chart): return ChartLayout(width: width).lines(chart)
    case .table(let table): return lines(table, width: width)
    case .actions(let actions):
      return aligned(lines(actions, width: width), alignment, within: width)
    case .input(let input):
      return InputLayout(inputs: inputs, labelWidth: labelWidth, medium: medium)
        .lines(input, width: width)
    case .placeholder(let type):
      return TextFlow.lines("(\(type) can't be shown)", .placeholder, width: width)
    }
  }

  private func lines(_ runs: [TextRun], width: Int) -> [CardLine] {
    guard !runs.isEmpty else { return [] }
    var flow = TextFlow(width: width)
    for run in runs {
      if let number = run.selectAction?.number, number > 0 {
        flow.add((medium == .text ? "[\(number)] " : "") + run.text.string, .action(number))
        if let note = notes[number] { flow.add(" (\(note))", .attention) }
      } else {
        flow.add(CardDate.shown(in: run.text.string, dates), run.style.role)
      }
    }
    return flow.finish()
  }

  /// A container with a style has a bar at its side.
  private func lines(
    _ items: [Element], style: ContainerStyle, width: Int, alignment: Alignment?
  ) -> [CardLine] {
    let role: CardRole
    switch style {
    case .plain: return lines(items, width: width, alignment: alignment)
    case .emphasis: role = .subtle
    case .good: role = .good
    case .warning: role = .warning
    case .attention: role = .attention
    case .accent: role = .accent
    }
    let bar = CardLine("│ ", role)
    return lines(items, width: width - bar.width, alignment: alignment).map { line in
      var barred = bar
      barred.append(line)
      return barred
    }
  }

  /// Returns actions side by side, as many as fit on a line.
  private func lines(_ actions: [Action], width: Int) -> [CardLine] {
    var lines: [CardLine] = []
    for action in actions {
      let own = self.lines(action, width: width)
      if own.count == 1, var last = lines.last,
        last.width + Layout.gap + own[0].width <= width
      {
        last.pad(to: last.width + Layout.gap)
        last.append(own[0])
        lines[lines.count - 1] = last
      } else {
        lines += own
      }
    }
    return lines
  }

  private func lines(_ action: Action, width: Int) -> [CardLine] {
    let mark: String
    let role: CardRole
    let title: String
    switch action.kind {
    case .unavailable(let type) where !action.isFlawed:
      mark = ""
      title = action.title.isEmpty ? "(\(type) can't be shown)" : "(\(action.title))"
      role = .placeholder
    case _ where action.number == 0:
      mark = medium == .text ? "[-] " : "[ "
      title = action.title.string
      role = .subtle
    default:
      mark = medium == .text ? "[\(action.number)] " : "[ "
      title = action.title.string
      role = .action(action.number)
    }
    var flow = TextFlow(width: width - mark.count)
    flow.add(title, role)
    if case .opens = action.menu { flow.add(" ▾", role) }
    if medium == .stage, !mark.isEmpty { flow.add(" ]", role) }
    if action.isFlawed { flow.add(Layout.flawMark, .warning) }
    if let note = notes[action.number] { flow.add(" (\(note))", .attention) }
    return Layout.marked(flow.finish(), with: CardLine(mark, role))
  }
}
