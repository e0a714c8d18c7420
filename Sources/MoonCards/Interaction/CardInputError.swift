public import MoonValues

/// The reason that an input doesn't accept a value.
public struct CardInputError: Error, Equatable, Sendable {
  /// The input's id.
  public let input: Text
  /// The input's name for people.
  public let name: Text
  /// The problem with the value.
  public let reason: Reason
  /// The card's own message for the error.
  public let message: Text?

  /// The problem with a value.
  public enum Reason: Equatable, Sendable {
    /// No visible input has the id.
    case unknownInput
    /// A required value is missing.
    case missing
    /// It isn't a text.
    case notAText
    /// It isn't a finite number.
    case notANumber
    /// It isn't an integer.
    case notAnInteger
    /// It is neither of a toggle's two values.
    case notAToggle
    /// It is none of the choices, which have these titles.
    case notAChoice(given: Text, titles: [Text])
    /// It isn't a day such as `2026-01-31`.
    case notADate
    /// It isn't a time such as `23:59`.
    case notATime
    /// It has more characters than `max`.
    case tooLong(max: Int)
    /// It doesn't match the input's pattern.
    case noMatch(TextPattern)
    /// It is below the minimum.
    case tooLow(min: Value)
    /// It is above the maximum.
    case tooHigh(max: Value)
  }
}

extension CardInputError.Reason: CustomStringConvertible {
  /// The problem, in a few words.
  public var description: String {
    switch self {
    case .unknownInput: "isn't an input"
    case .missing: "is missing"
    case .notAText: "must be a text"
    case .notANumber: "must be a number"
    case .notAnInteger: "must be an integer"
    case .notAToggle: "must be yes or no"
    case .notAChoice(_, let titles):
      "must be one of \(titles.map(\.string).joined(separator: ", "))"
    case .notADate: "must be a date such as 2026-01-31"
    case .notATime: "must be a time such as 23:59"
    case .tooLong(let max): "must have at most \(max) characters"
    case .noMatch(let pattern): "must match \(pattern.source)"
    case .tooLow(let min): "must be at least \(min.inputText)"
    case .tooHigh(let max): "must be at most \(max.inputText)"
    }
  }
}

extension CardInputError: CustomStringConvertible {
  /// The input and the problem with its value, in a few words.
  public var description: String { "\(name) \(reason)" }
}
