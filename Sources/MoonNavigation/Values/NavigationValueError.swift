public import MoonValues

/// The reason why a value isn't a navigation tree, action or completion.
///
/// Each case names the place in the value, which for actions is the payload.
public enum NavigationValueError: Error, Hashable, Sendable {
  /// A field that must be there isn't.
  case missing(Path)
  /// A field holds a value of another kind.
  case wrongKind(Path, expected: Kind)
  /// An unknown field; an error, so that a misspelled one doesn't count as absent.
  case unknownField(Path)
  /// A text that is none of the known words.
  case unknownWord(Text, Path)
  /// Exactly one of the fields must be there, but none or several are.
  case notOne(of: [Text], Path)
  /// No action or completion has that type.
  case unknownType(Text)
  /// The value has the right form but makes no tree.
  case invalid(NavigationError, Path)

  /// The kind of value that is expected at a place.
  public enum Kind: String, Hashable, Sendable {
    /// A text.
    case text
    /// An integer.
    case integer
    /// True or false.
    case boolean
    /// A list; an empty map counts as an empty list.
    case list
    /// A map.
    case map
  }

  /// The place, nil if it is the type that is wrong.
  package var path: Path? {
    switch self {
    case .missing(let path), .wrongKind(let path, _), .unknownField(let path),
      .unknownWord(_, let path), .notOne(_, let path), .invalid(_, let path):
      path
    case .unknownType: nil
    }
  }
}

extension NavigationValueError: CustomStringConvertible {
  /// The place and what is wrong there, in a few words.
  public var description: String {
    let place = path.map { $0.components.isEmpty ? "" : "\($0): " } ?? ""
    return switch self {
    case .missing: "\(place)is missing"
    case .wrongKind(_, .integer): "\(place)must be an integer"
    case .wrongKind(_, let expected): "\(place)must be a \(expected.rawValue)"
    case .unknownField: "\(place)unknown field"
    case .unknownWord(let word, _): "\(place)unknown word \(word)"
    case .notOne(let names, _):
      "\(place)needs one of \(names.map(\.string).joined(separator: ", "))"
    case .unknownType(let type): "no navigation action \(type)"
    case .invalid(let error, _): "\(place)\(error)"
    }
  }
}
