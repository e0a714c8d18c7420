package import MoonValues

/// A part of a card that is omitted or has no effect.
///
/// The rest of the card is valid.
package enum CardWarning: Hashable, Sendable {
  /// An unknown field; `known` lists the fields of the element.
  case unknownField(Path, known: [Text])
  /// An element of an unknown type, replaced by its fallback or a placeholder.
  case unknownElement(Text, Path)
  /// An action of an unknown type, replaced by its fallback or a placeholder.
  case unknownAction(Text, Path)
  /// An element that requires a missing feature or version.
  case unmetRequirement(Text, Path)
  /// An action that shows or hides an element that doesn't exist.
  case unknownTarget(Text, Path)
  /// There is no body, not even an empty one.
  case noBody(Path)
  /// A detail or an element is wrong.
  ///
  /// A detail counts as missing, an element is replaced by a placeholder, and an action can't be
  /// used. The place is marked with `(!)`.
  case leftOut(CardError)

  /// The place.
  package var path: Path {
    switch self {
    case .unknownField(let path, _), .unknownElement(_, let path), .unknownAction(_, let path),
      .unmetRequirement(_, let path), .unknownTarget(_, let path), .noBody(let path):
      path
    case .leftOut(let error): error.path
    }
  }
}

extension CardWarning {
  /// The word in the script: the field, the type, the feature or the id; empty if there is none.
  package var word: Text {
    switch self {
    case .unknownField(let path, _):
      if case .key(let name)? = path.components.last { name } else { "" }
    case .unknownElement(let word, _), .unknownAction(let word, _), .unmetRequirement(let word, _),
      .unknownTarget(let word, _):
      word
    case .noBody: ""
    case .leftOut(let error): error.word
    }
  }

  /// The known words of the same kind; empty if there is no list of them.
  package var known: [Text] {
    switch self {
    case .unknownField(_, let known): known
    case .unknownElement: Card.elementTypes
    case .unknownAction: Card.actionTypes
    case .leftOut(.unknownWord(_, _, let known)): known
    case .unmetRequirement, .unknownTarget, .noBody, .leftOut: []
    }
  }
}

extension CardWarning: CustomStringConvertible {
  /// The place and the problem, in a few words.
  package var description: String {
    let place = path.components.isEmpty ? "" : "\(path): "
    return switch self {
    case .unknownField: "\(place)unknown field"
    case .unknownElement(let type, _): "\(place)unknown element \(Value.string(type))"
    case .unknownAction(let type, _): "\(place)unknown action \(Value.string(type))"
    case .unmetRequirement(let feature, _):
      "\(place)requires \(Value.string(feature)), which isn't there"
    case .unknownTarget(let id, _): "\(place)no element has the id \(Value.string(id))"
    case .leftOut(let error): "\(error)"
    case .noBody: "nothing was returned; return a list of elements, or {} to show nothing"
    }
  }
}
