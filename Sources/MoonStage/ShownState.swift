import MoonProtocol
import Moonwire

/// The state of an app without a screen, as its host tells it.
struct ShownState {
  /// The maximum size of a state that is shown.
  private static let costMax = 256 << 10

  /// The number of the subscription; nil before its answer.
  private(set) var subscription: Int64?
  /// Whether it was asked for.
  var isWanted = false
  private var value: Value?

  mutating func take(_ answer: Value) {
    (subscription, value) = (answer["subscription"]?.intValue, answer["value"])
  }

  /// Takes changes; returns false if they don't fit what was told before.
  mutating func take(changes: List) -> Bool {
    guard let changed = StatePatch.value(value, changedBy: changes) else { return false }
    value = changed
    return true
  }

  /// The lines in place of a screen.
  func lines(width: Int) -> [CardLine] {
    let head = CardLine.plain(
      "No screen is shown, so this is the state. : opens the prompt, and Ctrl-P lists actions.",
      width: width)
    guard let value else { return head }
    guard value.storageCost <= Self.costMax else {
      return head + CardLine.plain("\nIt is large: :state PATH shows a part of it.", width: width)
    }
    var style = PrettyStyle()
    (style.width, style.depthMax, style.itemCountMax) = (width, Value.depthMax, 1_000)
    return head + CardLine.plain("\n" + value.prettyText(style), width: width)
  }
}
