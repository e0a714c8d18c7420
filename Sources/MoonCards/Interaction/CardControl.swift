public import MoonValues

/// Something that a person can do to a card.
public struct CardControl: Equatable, Sendable {
  /// Its place among the card's controls, from 1, as the lines show it.
  public var number: Int { action.number }
  /// What people read; never empty.
  ///
  /// As the card has it: make it safe before showing it.
  public var title: Text { action.title }
  /// What the card calls it, if it has a name.
  public var id: Text? { action.id }

  let action: Action

  init(_ action: Action) {
    self.action = action
  }
}

/// What follows when a person does something to a card.
public enum CardOutcome: Equatable, Sendable {
  /// A URL is to be opened: a route of the app's, or a page elsewhere.
  case open(url: Text)
  /// An action of the app's is to be dispatched; the payload is a map.
  case execute(verb: Text, payload: Value)
  /// What was filled in is to be handed over; the payload is a map.
  case submit(verb: Text?, payload: Value)
  /// Elements are to be shown or hidden; see ``Card/visibility(after:)``.
  case toggleVisibility([CardVisibilityChange])
}

/// An element that is to be shown or hidden.
public struct CardVisibilityChange: Hashable, Sendable {
  /// The element's id.
  public let id: Text
  /// Whether it will be visible; nil turns it around.
  public let isVisible: Bool?

  /// Names an element and what is to become of it.
  public init(id: Text, isVisible: Bool?) {
    self.id = id
    self.isVisible = isVisible
  }
}
