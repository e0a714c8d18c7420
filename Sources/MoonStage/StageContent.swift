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
    /// Whether it is a block that is selected as a whole.
    var isBlock = false
  }

  let lines: [CardLine]
  /// What can be used, from top to bottom and from left to right.
  let targets: [Target]
  /// The lists of which only some rows are drawn.
  let lists: [ListPlace]
  let images: [PlacedImage]

  static let empty = StageContent(text: [])

  /// Makes lines with nothing to use.
  init(text: [CardLine]) { self.init(lines: text, targets: [], lists: [], images: []) }

  private init(
    lines: [CardLine], targets: [Target], lists: [ListPlace], images: [PlacedImage]
  ) {
    (self.lines, self.targets, self.lists, self.images) = (lines, targets, lists, images)
  }

  /// Lays out a screen.
  ///
  /// - Complexity: O(size of the screen).
  init(_ screen: StageScreen, width: Int, on terminal: TerminalTraits) {
    let width = max(1, width)
    guard let card = screen.card else {
      let failure = (screen.failure ?? []).flatMap { line in
        CardLine.plain(line, width: width)
      }
      self.init(text: failure)
      return
    }
    let notes = screen.refusal.map { [$0.number: Text($0.reason)] } ?? [:]
    let lines = card.lines(
      width: width, inputs: screen.inputs, notes: notes, on: .stage,
      cell: terminal.cell, dates: ReaderDates.text)
    var found = FoundTargets(card: card)
    var unseen: [Int: UnseenLines] = [:]
    var images: [Int: StageArea] = [:]
    for (row, line) in lines.enumerated() {
      var column = 0
      for span in line.spans {
        let width = ColumnWidths.width(of: span.text)
        defer { column += width }
        switch span.role {
        case .action(let number): found.take(control: number, span.text, row, column, width)
        case .input(let number): found.take(input: number, row, column, width)
        case .image(let number):
          images[number, default: StageArea(row: row, column: column, width: width, height: 0)]
            .height += 1
        case .unseen(let list): unseen[list, default: UnseenLines(first: row)].takeLine()
        default: continue
        }
      }
    }
    let lists = card.lists.compactMap { list in
      unseen[list.number].map { ListPlace(list, $0) }
    }
    let placed = card.images.compactMap { image in
      images[image.number].map { PlacedImage(image: image, area: $0) }
    }
    self.init(lines: lines, targets: found.targets, lists: lists, images: placed)
  }
}

/// An image on a screen or a terminal.
struct PlacedImage: Equatable, Sendable {
  let image: CardImage
  /// Where it is, with its height in rows; a part of it may lie outside what is seen.
  var area: StageArea
}

/// What can be used, found span by span.
private struct FoundTargets {
  let card: Card
  var targets: [StageContent.Target] = []
  /// The indices of what was found already, by number.
  private var controls: [Int: Int] = [:]
  private var inputs: [Int: Int] = [:]

  init(card: Card) { self.card = card }

  mutating func take(control number: Int, _ text: String, _ row: Int, _ column: Int, _ width: Int) {
    guard let index = controls[number] else {
      controls[number] = targets.count
      let isBlock = text.hasPrefix(CardSpan.selectionMark)
      targets.append(
        .init(part: .control(number), row: row, column: column, width: width, isBlock: isBlock))
      return
    }
    let target = targets[index]
    // Text that goes on in another line is found by its beginning.
    guard target.isBlock || row == target.row else { return }
    targets[index].width = max(target.width, column + width - target.column)
    targets[index].rowCount = row - target.row + 1
  }

  mutating func take(input number: Int, _ row: Int, _ column: Int, _ width: Int) {
    let isChoice = card.inputs.dropFirst(number - 1).first.map(\.showsChoices) ?? false
    guard let index = inputs[number] else {
      inputs[number] = targets.count
      targets.append(
        .init(
          part: .input(number, choice: isChoice ? 0 : nil), row: row, column: column, width: width))
      return
    }
    if isChoice {
      guard case .input(_, let choice) = targets[index].part else { return }
      inputs[number] = targets.count
      targets.append(
        .init(
          part: .input(number, choice: (choice ?? 0) + 1), row: row, column: column, width: width))
    } else if targets[index].row == row {
      targets[index].width = column + width - targets[index].column
    } else {
      targets[index].rowCount = row - targets[index].row + 1
    }
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
