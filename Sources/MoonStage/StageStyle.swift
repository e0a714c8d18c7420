import Moonwire

/// The look of a piece of text.
struct StageStyle: Equatable, Sendable {
  /// The colours of terminals, by their numbers, and that of inputs, which is green unless a theme
  /// has another.
  enum Color: Int32, Sendable { case red = 1, green, yellow, blue, magenta, cyan, input }

  var color: Color?
  var isBold = false
  var isDim = false
  var isUnderlined = false
  var isReversed = false
  /// The number of the image that lies over the cell, from 1 among those of the canvas; 0 for none.
  var image = 0

  static let plain = StageStyle()
  static let bold = StageStyle(isBold: true)
  static let dim = StageStyle(isDim: true)
  static let bar = StageStyle(isReversed: true)
  static let bad = StageStyle(color: .red, isBold: true)

  init(
    color: Color? = nil, isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false
  ) {
    (self.color, self.isBold, self.isDim, self.isReversed) = (color, isBold, isDim, isReversed)
  }

  /// The style of a piece of a card.
  init(_ role: CardRole) {
    switch role {
    case .plain, .image: break
    case .heading, .strong: isBold = true
    case .subtle, .placeholder, .unseen: isDim = true
    case .emphasis: isUnderlined = true
    case .accent: color = .magenta
    case .good: color = .green
    case .warning: color = .yellow
    case .attention: (color, isBold) = (.red, true)
    case .action: color = .cyan
    case .input: color = .input
    }
  }
}
