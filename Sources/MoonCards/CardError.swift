public import MoonValues

/// The reason that a value isn't a screen's body, or that a part of one is left out.
///
/// Each case has the place of the problem, below the path that the reader was given.
public enum CardError: Error, Hashable, Sendable {
  /// A required field is missing.
  case missing(Path)
  /// A text or a list that must not be empty is empty.
  case empty(Path)
  /// A field holds a value of another kind.
  case wrongKind(Path, expected: Kind)
  /// A text isn't one of the known words.
  case unknownWord(Text, Path, known: [Text])
  /// A second part has the same id; `first` is the place of the first.
  case duplicateID(Text, Path, first: Path)
  /// A second choice has the same value.
  case duplicateChoice(Path)
  /// The initial value of an input is none of its choices.
  case notAChoice(Text, Path)
  /// A minimum is above the maximum.
  case invertedRange(Path)
  /// A text can't be compared with the pattern of an input.
  case wrongPattern(TextPattern.Problem, Path)
  /// A limit of a card is exceeded.
  case limitExceeded(Limit, max: Int, Path)

  /// The kind of value expected at a place.
  public enum Kind: String, Hashable, Sendable {
    /// A text.
    case text
    /// An integer.
    case integer
    /// An integer or a finite double.
    case number
    /// An integer above zero.
    case positiveInteger = "positive integer"
    case positiveNumber = "positive number"
    /// True or false.
    case boolean
    /// A text, a number or a boolean.
    case scalar
    /// A list; an empty map counts as an empty list.
    case list
    /// A map.
    case map
    /// A map that is an element, or a text.
    case element
    /// A map that is an action.
    case action
    /// An action that dispatches one of the app: `Action.Execute` or `Action.Submit` with a verb.
    case execution = "action with a verb"
    /// A day of the calendar such as `2026-01-31`.
    case date
    /// A time of day such as `23:59`.
    case time
    /// A version such as `1.5`, or `*`.
    case version
    /// `auto`, `stretch`, a share, or pixels such as `80px`.
    case columnWidth = "column width"
  }

  /// The quantity that is limited in a card.
  public enum Limit: String, Hashable, Sendable {
    /// The nesting of lists and maps.
    case depth
    /// Elements, actions, columns, rows, cells, facts, choices and pieces of text.
    case parts
    /// Rows of a list.
    case rows
    /// The bytes of one text.
    case textBytes = "bytes of a text"
    /// The bytes of all texts.
    case cardBytes = "bytes of all texts"
  }

  /// The place.
  public var path: Path {
    switch self {
    case .missing(let path), .empty(let path), .wrongKind(let path, _),
      .unknownWord(_, let path, _), .duplicateID(_, let path, _), .duplicateChoice(let path),
      .notAChoice(_, let path), .invertedRange(let path), .wrongPattern(_, let path),
      .limitExceeded(_, _, let path):
      path
    }
  }

  /// The word in the script that caused the error: an unknown word, or the name of a field; empty
  /// if there is none.
  public var word: Text {
    switch self {
    case .unknownWord(let word, _, _), .duplicateID(let word, _, _): word
    case .missing, .empty, .wrongKind, .duplicateChoice, .notAChoice, .invertedRange, .wrongPattern,
      .limitExceeded:
      if case .key(let name)? = path.components.last { name } else { "" }
    }
  }
}

extension CardError: CustomStringConvertible {
  /// The place and the problem, in a few words.
  public var description: String {
    let place = path.components.isEmpty ? "" : "\(path): "
    return switch self {
    case .missing: "\(place)is missing"
    case .empty: "\(place)must not be empty"
    case .wrongKind(_, let expected): "\(place)must be \(expected.withArticle)"
    case .unknownWord(let word, _, let known):
      "\(place)unknown word \(Value.string(word)), it must be one of "
        + known.map(\.string).joined(separator: ", ")
    case .duplicateID(let id, _, let first):
      "\(place)the id \(Value.string(id)) is taken by \(first)"
    case .duplicateChoice: "\(place)another choice has the same value"
    case .notAChoice(let value, _): "\(place)\(Value.string(value)) is none of the choices"
    case .invertedRange: "\(place)is above the max"
    case .wrongPattern(let problem, _): "\(place)isn't a pattern that can be used: \(problem)"
    case .limitExceeded(let limit, let max, _): "\(place)more than \(max) \(limit.words)"
    }
  }
}

extension CardError.Kind {
  fileprivate var withArticle: String {
    switch self {
    case .integer, .element, .action, .execution: "an \(rawValue)"
    default: "a \(rawValue)"
    }
  }
}

extension CardError.Limit {
  fileprivate var words: String {
    switch self {
    case .depth: "lists and maps in one another"
    case .parts: "parts in a card"
    case .rows: "rows in a list"
    case .textBytes: "bytes in a text"
    case .cardBytes: "bytes in all texts"
    }
  }
}
