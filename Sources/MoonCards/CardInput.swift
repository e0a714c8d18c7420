public import MoonValues

/// A field that a person can fill in.
///
/// Its texts are as the card has them: make them safe before showing them.
public struct CardInput: Equatable, Sendable {
  /// What its value is called in a payload.
  public let id: Text
  /// What kind of value it takes.
  public let kind: Kind
  /// What people read before it.
  public let label: Text?
  /// What stands there while it is empty.
  public let placeholder: Text?
  /// Its value before anybody has filled it in, as a payload has it; nil if it is empty then.
  public let initialValue: Value?
  /// Whether a payload needs it.
  public let isRequired: Bool
  /// What the card says when the value is missing or wrong.
  public let errorMessage: Text?

  /// What people call it: its label, else the title of what is switched on and off, else its id.
  public var name: Text {
    if case .toggle(let title, _, _) = kind { label ?? title } else { label ?? id }
  }

  /// What kind of value an input takes, and which ones.
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
    /// A time of a day such as `23:59`, within bounds.
    case time(min: Text?, max: Text?)
  }

  /// Which texts an input takes.
  public struct TextRules: Equatable, Sendable {
    /// How many characters it takes at most, nil if nobody cares.
    public let lengthMax: Int?
    /// Whether newlines belong in it.
    public let isMultiline: Bool
    /// Whether it must not be read over somebody's shoulder.
    public let isSecret: Bool
    /// A pattern as browsers read it.
    ///
    /// Kept for renderers; nothing here checks it, as a pattern of a stranger's can take for ever.
    public let pattern: Text?
  }

  /// One of the values to choose from.
  public struct Choice: Equatable, Sendable {
    /// What people read.
    public let title: Text
    /// What the payload has: a scalar.
    public let value: Value
  }
}
