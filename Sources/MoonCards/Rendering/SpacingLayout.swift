extension Layout {
  /// Returns the number of blank lines between two elements.
  ///
  /// Unless the lower one has its own spacing, elements of a kind stay together, as do a heading
  /// and the element below it.
  static func blankLineCount(between upper: Element, and lower: Element) -> Int {
    switch lower.spacing {
    case .none, .small: 0
    case .medium, .large, .padding: 1
    case .extraLarge: 2
    case .standard: upper.isHeading || upper.content.family == lower.content.family ? 0 : 1
    }
  }
}

extension Element {
  var isInput: Bool { content.family == .input }

  fileprivate var isHeading: Bool {
    if case .text(let block) = content { block.style.role == .heading } else { false }
  }
}
