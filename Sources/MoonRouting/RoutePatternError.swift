public import MoonValues

/// The reason that a text isn't a pattern.
///
/// Columns count characters (Unicode scalars) from 1.
public enum RoutePatternError: Error, Hashable, Sendable {
  /// The text has more than `max` bytes.
  case tooLong(max: Int)
  /// There are more than `max` components.
  case tooManyComponents(max: Int, column: Int)
  /// There are more than `max` groups.
  case tooManyGroups(max: Int, column: Int)
  /// The groups give more than `max` variants.
  case tooManyVariants(max: Int)
  /// A `(` has no `)`.
  case unclosedGroup(column: Int)
  /// A `)` has no `(`.
  case unopenedGroup(column: Int)
  /// There is nothing between `(` and `)`.
  case emptyGroup(column: Int)
  /// Something follows the `*`.
  case wildcardNotLast(column: Int)
  /// There is other text in the component of the `*`.
  case wildcardWithText(column: Int)
  /// A parameter with a type or a suffix has no name.
  case emptyName(column: Int)
  /// Two parameters of a component have no text between them.
  case adjacentParameters(column: Int)
  /// Two parameters have the same name, or one beside a `*` is named `wildcard`.
  case duplicateName(Text, column: Int)
  /// A `<` has no `>`.
  case unclosedType(column: Int)
  /// There is no such parameter type.
  case unknownType(Text, column: Int)
  /// A `%` isn't followed by two hexadecimal digits.
  case malformedEscape(column: Int)
  /// Escapes encode bytes that aren't UTF-8.
  case invalidUTF8(column: Int)
  /// A control character.
  case unexpectedByte(UInt8, column: Int)
  /// A literal has a `?`, which no URL's path can have.
  case queryInPattern(column: Int)
  /// There is a second `#`, which no URL can have.
  case secondFragment(column: Int)
  /// The `#` is followed by `name=value`, from which a URL's parameters are read.
  case parametersInFragment(column: Int)
  /// A network host after the scheme: hosts with a dot and `localhost` aren't part of the path.
  case hostInPattern(column: Int)
}

extension RoutePatternError: CustomStringConvertible {
  /// The problem with the pattern, in a few words.
  public var description: String {
    switch self {
    case .tooLong(let max): "it is longer than \(max) bytes"
    case .tooManyComponents(let max, let column):
      "it has more than \(max) components\(Self.at(column))"
    case .tooManyGroups(let max, let column): "it has more than \(max) groups\(Self.at(column))"
    case .tooManyVariants(let max): "its groups stand for more than \(max) patterns"
    case .unclosedGroup(let column): "the ( has no )\(Self.at(column))"
    case .unopenedGroup(let column): "the ) has no (\(Self.at(column))"
    case .emptyGroup(let column): "there is nothing in the group\(Self.at(column))"
    case .wildcardNotLast(let column): "a * must come last\(Self.at(column))"
    case .wildcardWithText(let column): "a * must stand alone between slashes\(Self.at(column))"
    case .emptyName(let column):
      "the parameter has no name\(Self.at(column)): write :: for a colon in a text"
    case .adjacentParameters(let column):
      "there is no text between this parameter and the one before\(Self.at(column))"
    case .duplicateName(let name, let column): "there is a second :\(name)\(Self.at(column))"
    case .unclosedType(let column): "the < has no >\(Self.at(column))"
    case .unknownType(let name, let column):
      "there is no type <\(name)>\(Self.at(column)): there are "
        + Wording.list(ParameterType.allCases.map(\.name).filter { !$0.isEmpty })
    case .malformedEscape(let column):
      "the % isn't followed by two hexadecimal digits\(Self.at(column))"
    case .invalidUTF8(let column): "the escapes aren't UTF-8\(Self.at(column))"
    case .unexpectedByte(_, let column): "there is a control character\(Self.at(column))"
    case .queryInPattern(let column):
      "patterns are about paths, not about queries\(Self.at(column))"
    case .secondFragment(let column): "there is a second #\(Self.at(column))"
    case .parametersInFragment(let column):
      "what follows the # is read as parameters, since it has the form name=value"
        + "\(Self.at(column)): leave it out, and use the parameter"
    case .hostInPattern(let column):
      "hosts with a dot aren't part of what is matched\(Self.at(column))"
    }
  }

  private static func at(_ column: Int) -> String { " (column \(column))" }
}
