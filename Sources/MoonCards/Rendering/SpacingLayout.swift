extension Layout {
  /// How many blank lines stand between two elements.
  ///
  /// Unless the lower one has a spacing of its own, elements of a kind stay together, and so does a
  /// heading with the element below it.
  static func blankLineCount(between upper: Element, and lower: Element) -> Int {
    switch lower.spacing {
    case .none, .small: 0
    case .medium, .large, .padding: 1
    case .extraLarge: 2
    case .standard: upper.isHeading || upper.family == lower.family ? 0 : 1
    }
  }
}

/// Kinds of elements that belong together without a blank line.
private enum Family {
  case text, facts, table, box, actions, input
}

extension Element {
  var isInput: Bool { family == .input }

  fileprivate var isHeading: Bool {
    if case .text(let block) = content { block.style.role == .heading } else { false }
  }

  fileprivate var family: Family {
    switch content {
    case .text, .rich, .image, .placeholder: .text
    case .container, .columns: .box
    case .facts: .facts
    case .table: .table
    case .actions: .actions
    case .input: .input
    }
  }
}
