public import MoonValues

/// A field that a person can fill in.
///
/// Its texts come from the card unchanged and must be sanitized before they are shown.
public struct CardInput: Equatable, Sendable {
  /// The key of its value in a payload.
  public let id: Text
  /// The kind of value that the input takes.
  public let kind: Kind
  /// The label before it.
  public let label: Text?
  /// The text shown while it is empty.
  public let placeholder: Text?
  /// Its initial value in the form of a payload; nil if it starts empty.
  public let initialValue: Value?
  /// Whether a payload needs it.
  public let isRequired: Bool
  /// Whether the input keeps its value after a control has submitted it; other inputs are cleared.
  public let isKept: Bool
  /// Whether it is to get the focus.
  package let isFocused: Bool
  /// Whether a number must be an integer.
  package let isInteger: Bool
  /// The card's message for a missing or wrong value.
  public let errorMessage: Text?
  /// Its number among the card's visible inputs, from 1; 0 if it is hidden.
  package internal(set) var number = 0
  /// What is done when a person has changed its value; nil for nothing.
  package internal(set) var change: CardControl?

  /// Its name for people: its label, else the title of the toggle, else its id.
  public var name: Text {
    if case .toggle(let title, _, _) = kind { label ?? title } else { label ?? id }
  }

  /// Whether the typed text must be masked, as a password.
  public var isSecret: Bool {
    if case .text(let rules) = kind { rules.isSecret } else { false }
  }

  /// The kinds of value that an input takes, with the limits on them.
  public enum Kind: Equatable, Sendable {
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
  public struct TextRules: Equatable, Sendable {
    /// The numbers of rows that a card can ask for.
    static let rowCounts = 2...100

    /// The maximum number of characters; nil for no limit.
    public let lengthMax: Int?
    /// Whether it may contain newlines.
    public let isMultiline: Bool
    /// Whether it must be masked, as a password.
    public let isSecret: Bool
    /// The number of rows of one with newlines; nil for as many as its text has, within limits.
    package let rowCount: Int?
    /// The pattern that a part of the text must match, unless the text is empty.
    public let pattern: TextPattern?
  }

  /// One of the values to choose from.
  public struct Choice: Equatable, Sendable {
    /// The label that people read.
    public let title: Text
    /// The value in the payload, a scalar.
    public let value: Value
  }
}
