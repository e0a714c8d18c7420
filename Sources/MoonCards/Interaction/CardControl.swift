public import MoonValues

/// Something that a person can do to a card.
public struct CardControl: Equatable, Sendable {
  /// Its number among the card's controls, from 1, as the lines show it.
  public var number: Int { action.number }
  /// Its title; never empty.
  ///
  /// It comes from the card unchanged and must be sanitized before it is shown.
  public var title: Text { action.title }
  /// Its id in the card, if it has one.
  public var id: Text? { action.id }
  /// Whether it only shows the controls of a menu.
  package var opensMenu: Bool { if case .opens = action.menu { true } else { false } }
  /// Whether it is to get the focus.
  package var isFocused: Bool { action.isFocused }
  /// The module that has put it on the screen, if that isn't the one that draws the screen.
  package var maker: Text? { action.maker }
  /// Whether it submits the values of the card's inputs.
  package var takesInputs: Bool {
    switch action.kind {
    case .execute(_, let submission), .submit(_, let submission): submission.takesInputs
    case .open, .toggleVisibility, .showCard, .unavailable: false
    }
  }
  /// Whether it does something when it is used.
  package var isAvailable: Bool { if case .unavailable = action.kind { false } else { true } }
  /// The data of its action, without the values of inputs; nil if it has none.
  package var data: Map? {
    switch action.kind {
    case .execute(_, let submission), .submit(_, let submission):
      submission.data.isEmpty ? nil : submission.data
    case .open, .toggleVisibility, .showCard, .unavailable: nil
    }
  }

  /// What tells it from others, wherever it is: its title and what it does.
  package var facts: Map {
    var facts: Map = ["title": .string(title)]
    facts["id"] = id.map { .string($0) }
    facts["data"] = data.map { .map($0) }
    switch action.kind {
    case .open(let url): facts["url"] = .string(url)
    case .execute(let verb, _): facts["verb"] = .string(verb)
    case .submit(let verb, _): facts["verb"] = verb.map { .string($0) }
    case .toggleVisibility, .showCard, .unavailable: break
    }
    return facts
  }

  let action: Action

  init(_ action: Action) {
    self.action = action
  }
}

/// The effect of a person's interaction with a card.
package enum CardOutcome: Equatable, Sendable {
  /// Open a URL: a route of the app or an external page.
  case open(url: Text)
  /// Dispatch an action of the app; the payload is a map.
  case execute(verb: Text, payload: Value)
  /// Submit the inputs' values; the payload is a map.
  case submit(verb: Text?, payload: Value)
  /// Show or hide elements; see ``Card/visibility(after:)``.
  case toggleVisibility([CardVisibilityChange])
}

/// An element to show or hide.
package struct CardVisibilityChange: Hashable, Sendable {
  /// The element's id.
  package let id: Text
  /// Whether it becomes visible; nil toggles it.
  package let isVisible: Bool?

  /// Makes a target of an element's id and its new visibility.
  package init(id: Text, isVisible: Bool?) {
    self.id = id
    self.isVisible = isVisible
  }
}
