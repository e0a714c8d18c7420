public import MoonValues

/// A screen's body, checked: elements from a subset of Adaptive Cards 1.5.
///
/// Known are TextBlock, RichTextBlock, Image, Container, ColumnSet, FactSet, Table, ActionSet,
/// Input.Text, Input.Number, Input.Toggle, Input.ChoiceSet, Input.Date and Input.Time, with
/// Action.OpenUrl, Action.Execute, Action.Submit and Action.ToggleVisibility. Texts are plain, not
/// Markdown. What is hidden takes no part: neither in lines nor in controls nor in payloads.
public struct Card: Equatable, Sendable {
  /// How many lists and maps may be nested in a body.
  ///
  /// A screen's body isn't nested deeper in the navigation tree, either; it bounds every recursion.
  public static let depthMax = 24
  /// How many elements, actions, columns, rows, cells, facts, choices and runs a body may have.
  ///
  /// A table of a thousand rows of four texts: more than anybody reads, and drawn in no time.
  public static let partCountMax = 10_000
  /// How many bytes one text may have.
  public static let textBytesMax = 64 * 1024
  /// How many bytes all texts may have, data of actions included.
  ///
  /// A hundred pages; it bounds what drawing a card costs.
  public static let cardBytesMax = 256 * 1024

  /// What the card has that has no effect, in reading order.
  public let warnings: [CardWarning]
  /// What was shown or hidden by ``applying(visibility:)``, by element ids.
  public let visibility: [Text: Bool]
  /// What a person can do, in reading order, numbered from 1: actions and selectable elements.
  public let controls: [CardControl]
  /// What a person can fill in, in reading order.
  public let inputs: [CardInput]

  /// Everything, hidden things too.
  private let all: [Element]
  /// What is visible, with its actions numbered.
  let shown: [Element]

  /// Reads a body.
  ///
  /// A body is a list of elements, one element alone, or a whole card (`type = "AdaptiveCard"`,
  /// whose `body` and `actions` are taken). In place of an element may stand a text, and an action:
  /// neighbouring ones share a line. An empty map passes for an empty list, null for an absent
  /// field. Words such as `center` may be written in any case.
  ///
  /// - Parameters:
  ///   - body: The value to read.
  ///   - path: Where the body is, for errors and warnings.
  /// - Throws: ``CardError`` for the first thing that is wrong.
  /// - Complexity: O(size of `body`).
  public init(_ body: Value, at path: Path = Path()) throws(CardError) {
    try BodyLimits.check(body, at: path)
    var reader = CardReader()
    let elements = try reader.body(body, at: path)
    self.init(elements, warnings: reader.finish(), visibility: [:])
  }

  /// The card with elements shown or hidden, whatever it says itself and was applied before.
  ///
  /// Ids that no element has are kept and have no effect. O(size of the card).
  public func applying(visibility: [Text: Bool]) -> Card {
    Card(all, warnings: warnings, visibility: visibility)
  }

  private init(_ all: [Element], warnings: [CardWarning], visibility: [Text: Bool]) {
    var census = Census(visibility: visibility)
    shown = census.visible(all)
    controls = census.controls
    inputs = census.inputs
    self.all = all
    self.warnings = warnings
    self.visibility = visibility
  }
}

extension Card {
  /// Whether elements are visible by the card's own word, by their ids.
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
      collectVisibility(of: element.children, in: &visibility)
    }
  }
}

extension Element {
  /// The elements in it, in reading order.
  var children: [Element] {
    switch content {
    case .container(_, let items): items
    case .columns(let columns): columns.map(\.element)
    case .table(let table): table.rows.flatMap(\.cells)
    case .text, .rich, .image, .facts, .actions, .input, .placeholder: []
    }
  }
}
