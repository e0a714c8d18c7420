package import MoonValues

/// A field that a person can fill in.
///
/// Its texts come from the card unchanged and must be sanitized before they are shown.
package struct CardInput: Equatable, Sendable {
  /// The key of its value in a payload.
  package let id: Text
  /// The kind of value that the input takes.
  package let kind: Kind
  /// The label before it.
  package let label: Text?
  /// The text shown while it is empty.
  package let placeholder: Text?
  /// Its initial value in the form of a payload; nil if it starts empty.
  package let initialValue: Value?
  /// Whether a payload needs it.
  package let isRequired: Bool
  /// Whether the input keeps its value after a control has submitted it; other inputs are cleared.
  package let isKept: Bool
  /// Whether it is to get the focus.
  package let isFocused: Bool
  /// Whether a number must be an integer.
  package let isInteger: Bool
  /// The card's message for a missing or wrong value.
  package let errorMessage: Text?
  /// Its number among the card's visible inputs, from 1; 0 if it is hidden.
  package internal(set) var number = 0
  /// The module that has put it on the screen, if that isn't the one that draws the screen.
  package internal(set) var maker: Text?
  /// What is done when a person has changed its value; nil for nothing.
  package internal(set) var change: CardControl?

  /// Its name for people: its label, else the title of the toggle, else its id.
  package var name: Text {
    if case .toggle(let title, _, _) = kind { label ?? title } else { label ?? id }
  }

  /// Whether the typed text must be masked, as a password.
  package var isSecret: Bool {
    if case .text(let rules) = kind { rules.isSecret } else { false }
  }

  /// The kinds of value that an input takes, with the limits on them.
  package enum Kind: Equatable, Sendable {
    /// A text.
    case text(TextRules)
    /// An integer or a double within bounds.
    case number(min: Value?, max: Value?)
    /// One of two scalars: booleans, unless the card says otherwise.
    case toggle(title: Text, on: Value, off: Value)
    /// One of some scalars, or a list of them.
    case choice([Choice], isMultiple: Bool, isExpanded: Bool)
    /// A day such as `2026-01-31`, within bounds.
    case date(min: Text?, max: Text?)
    /// A time of day such as `23:59`, within bounds.
    case time(min: Text?, max: Text?)
  }

  /// The texts that an input takes.
  package struct TextRules: Equatable, Sendable {
    /// The numbers of rows that a card can ask for.
    static let rowCounts = 2...100

    /// The maximum number of characters; nil for no limit.
    package let lengthMax: Int?
    /// Whether it may contain newlines.
    package let isMultiline: Bool
    /// Whether it must be masked, as a password.
    package let isSecret: Bool
    /// The number of rows of one with newlines; nil for as many as its text has, within limits.
    package let rowCount: Int?
    /// The pattern that a part of the text must match, unless the text is empty.
    package let pattern: TextPattern?
  }

  /// One of the values to choose from.
  package struct Choice: Equatable, Sendable {
    /// The label that people read.
    package let title: Text
    /// The value in the payload, a scalar.
    package let value: Value
  }
}
