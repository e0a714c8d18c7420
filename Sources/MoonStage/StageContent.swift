import MoonPrompt
import MoonTerminal
import Moonwire

/// A screen laid out for a width: its lines, and what can be used on them.
struct StageContent {
  /// Something that can have the focus.
  struct Target: Equatable {
    enum Part: Hashable {
      /// A control, by its number.
      case control(Int)
      /// An input, by its number; of choices that are all shown, one of them.
      case input(Int, choice: Int?)
    }

    let part: Part
    let row: Int
    let column: Int
    var width: Int
    var rowCount = 1
  }

  let lines: [CardLine]
  /// What can be used, from top to bottom and from left to right.
  let targets: [Target]

  static let empty = StageContent(lines: [], targets: [])

  /// Makes lines with nothing to use.
  init(text: [CardLine]) { self.init(lines: text, targets: []) }

  private init(lines: [CardLine], targets: [Target]) {
    (self.lines, self.targets) = (lines, targets)
  }

  /// Lays out a screen.
  ///
  /// - Complexity: O(size of the screen).
  init(_ screen: StageScreen, width: Int) {
    guard let card = screen.card else {
      let failure = (screen.failure ?? []).flatMap { line in
        CardLine.plain(line, width: width)
      }
      self.init(lines: failure, targets: [])
      return
    }
    let notes = screen.refusal.map { [$0.number: Text($0.reason)] } ?? [:]
    let lines = card.lines(
      width: width, inputs: screen.inputs, notes: notes, fields: .roomy, dates: ReaderDates.text)
    self.init(lines: lines, targets: Self.targets(of: lines, card))
  }

  private static func targets(of lines: [CardLine], _ card: Card) -> [Target] {
    var targets: [Target] = []
    /// The indices of what was found already.
    var controls: [Int: Int] = [:]
    var inputs: [Int: Int] = [:]
    for (row, line) in lines.enumerated() {
      var column = 0
      for (index, span) in line.spans.enumerated() {
        let width = ColumnWidths.width(of: span.text)
        defer { column += width }
        switch span.role {
        case .action(let number):
          guard controls[number] == nil else { continue }
          controls[number] = targets.count
          // Of what can be selected as a whole, the beginning stands for all.
          let isMark = span.text == "[\(number)] "
          let next = isMark && index + 1 < line.spans.count ? line.spans[index + 1].text : ""
          targets.append(
            Target(
              part: .control(number), row: row, column: column,
              width: width + ColumnWidths.width(of: next)))
        case .input(let number):
          let isChoice = card.inputs.dropFirst(number - 1).first.map(\.showsChoices) ?? false
          if let found = inputs[number] {
            if isChoice {
              guard case .input(_, let choice) = targets[found].part else { continue }
              inputs[number] = targets.count
              targets.append(
                Target(
                  part: .input(number, choice: (choice ?? 0) + 1), row: row, column: column,
                  width: width))
            } else if targets[found].row == row {
              targets[found].width = column + width - targets[found].column
            } else {
              targets[found].rowCount = row - targets[found].row + 1
            }
          } else {
            inputs[number] = targets.count
            targets.append(
              Target(
                part: .input(number, choice: isChoice ? 0 : nil), row: row, column: column,
                width: width))
          }
        default: continue
        }
      }
    }
    return targets
  }
}

extension CardInput {
  /// Whether each choice has a line of its own.
  var showsChoices: Bool {
    if case .choice(_, _, isExpanded: true) = kind { true } else { false }
  }

  /// Whether it is filled in by typing.
  var isTyped: Bool {
    switch kind {
    case .text, .number, .date, .time: true
    case .toggle, .choice: false
    }
  }
}
