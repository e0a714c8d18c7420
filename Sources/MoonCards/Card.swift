package import MoonValues

/// A screen's body, checked: elements from a subset of Adaptive Cards 1.5.
///
/// The known elements are TextBlock, RichTextBlock, Image, ImageSet, Media, Container, ColumnSet,
/// FactSet, List, ProgressBar, Chart.HorizontalBar, Chart.Line, Table, ActionSet, Input.Text,
/// Input.Number, Input.Toggle, Input.ChoiceSet, Input.Date and Input.Time, with Action.OpenUrl,
/// Action.Execute, Action.Submit, Action.ToggleVisibility and Action.ShowCard. Texts of a TextBlock
/// and values of facts may have emphasis, links and lists in Markdown. Hidden elements contribute
/// neither lines nor controls nor payloads.
public struct Card: Equatable, Sendable {
  /// The maximum nesting of lists and maps in a body.
  ///
  /// It bounds every recursion. A screen's body in the navigation tree has the same limit.
  package static let depthMax = 24
  /// The maximum number of elements, actions, columns, rows, cells, facts, choices and runs in a
  /// body.
  ///
  /// A table of a thousand rows with four texts each fits, which is more than anyone reads.
  package static let partCountMax = 10_000
  /// The maximum number of bytes in one text.
  package static let textBytesMax = 64 * 1024
  /// The maximum number of bytes in all texts, including the data of actions.
  ///
  /// That is about a hundred pages. It bounds the cost of drawing a card.
  package static let cardBytesMax = 256 * 1024

  /// The known types of elements.
  package static let elementTypes: [Text] = [
    "TextBlock", "RichTextBlock", "Image", "ImageSet", "Media", "Container", "Column", "ColumnSet",
    "FactSet", "List", "Table", "ProgressBar", "Chart.HorizontalBar", "Chart.Line", "ActionSet",
    "Slot", "Input.Text", "Input.Number", "Input.Toggle", "Input.ChoiceSet", "Input.Date",
    "Input.Time",
  ]
  /// The known types of actions.
  package static let actionTypes: [Text] = [
    "Action.OpenUrl", "Action.Execute", "Action.Submit", "Action.ToggleVisibility",
    "Action.ShowCard",
  ]

  /// The value that the card was read from.
  package let body: Value
  /// The parts of the card that have no effect, in reading order.
  package let warnings: [CardWarning]
  /// The visibility set by ``applying(visibility:)``, by element id.
  package let visibility: [Text: Bool]
  /// The actions and selectable elements, in reading order, numbered from 1.
  ///
  /// The rows that a list doesn't have count as if they had as many as those that it has, so that
  /// a control keeps its number while other rows come into sight.
  public let controls: [CardControl]
  /// The visible inputs, in reading order.
  package let inputs: [CardInput]
  /// The visible lists of which the card has only some rows, in reading order.
  package let lists: [CardList]
  /// The visible images that come with the card, in reading order.
  package let images: [CardImage]

  /// All elements, including hidden ones.
  private let all: [Element]
  /// The visible elements, with their actions numbered.
  let shown: [Element]

  /// Reads a body.
  ///
  /// A body is a list of elements, one element alone, or a whole card (`type = "AdaptiveCard"`, of
  /// which `body` and `actions` are used). A text or an action may replace an element; adjacent
  /// actions share a line. A list in a list of elements stands for its elements. An empty map
  /// counts as an empty list, and null as an absent field. Null in place of the body gives an empty
  /// card with a warning. Words such as `center` may be written in any case.
  ///
  /// - Parameters:
  ///   - body: The value to read.
  ///   - path: The place of the body, for errors and warnings.
  /// - Throws: ``CardError`` for the first problem.
  /// - Complexity: O(size of `body`).
  package init(_ body: Value, at path: Path = Path()) throws(CardError) {
    try BodyLimits.check(body, at: path)
    guard body != .null else {
      self.init([], body, warnings: [.noBody(path)], visibility: [:])
      return
    }
    var reader = CardReader()
    let elements = try reader.body(body, at: path)
    self.init(elements, body, warnings: reader.finish(), visibility: [:])
  }

  /// Returns the card with elements shown or hidden, regardless of its own settings and of earlier
  /// calls.
  ///
  /// Ids that no element has are kept and have no effect.
  ///
  /// - Complexity: O(size of the card).
  package func applying(visibility: [Text: Bool]) -> Card {
    if visibility == self.visibility { return self }
    return Card(all, body, warnings: warnings, visibility: visibility)
  }

  private init(
    _ all: [Element], _ body: Value, warnings: [CardWarning], visibility: [Text: Bool]
  ) {
    self.body = body
    var numbering = ControlNumbering(visibility: visibility)
    shown = numbering.visible(all)
    controls = numbering.controls
    inputs = numbering.inputs
    lists = numbering.lists
    images = numbering.images
    self.all = all
    self.warnings = warnings
    self.visibility = visibility
  }
}

extension Card {
  /// Returns whether the card has an input with an id, shown or hidden.
  package func holdsInput(_ id: Text) -> Bool { Card.hold(all, id) }

  private static func hold(_ elements: [Element], _ id: Text) -> Bool {
    elements.contains { element in
      if case .input(let input) = element.content { return input.id == id }
      return hold(element.content.children, id)
    }
  }

  /// The visibility that the card itself gives to elements, by id.
  var originalVisibility: [Text: Bool] {
    var visibility: [Text: Bool] = [:]
    Card.collectVisibility(of: all, in: &visibility)
    return visibility
  }

  private static func collectVisibility(
    of elements: [Element], in visibility: inout [Text: Bool]
  ) {
    for element in elements {
      if let id = element.id { visibility[id] = element.isVisible }
      collectVisibility(of: element.content.children, in: &visibility)
    }
  }
}
