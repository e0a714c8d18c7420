public import MoonValues

/// The reason that a route and parameters don't make a URL.
public enum RouteURLError: Error, Hashable, Sendable {
  /// No route has the name.
  case unknownRoute(Text)
  /// The pattern needs a parameter that wasn't given.
  case missingParameter(Text, pattern: Text)
  /// A parameter doesn't fit its type.
  case wrongType(Text, expected: ParameterType, pattern: Text)
  /// A parameter is empty, which a component of a path can't be.
  case emptyParameter(Text, pattern: Text)
  /// A parameter is null, a list or a map where only a scalar can be written.
  case unsupportedValue(Text, pattern: Text)
  /// A parameter contains a `+`, which would be read back as a space.
  case plusInParameter(Text, pattern: Text)
  /// The URL wouldn't show which groups are present.
  case ambiguousGroups(pattern: Text)
  /// The URL would be too long, or have too many components or entries.
  case tooLong(pattern: Text)
}

extension RouteURLError: CustomStringConvertible {
  /// The problem, in one line.
  public var description: String {
    switch self {
    case .unknownRoute(let name): "no route has the name '\(name)'"
    case .missingParameter(let name, let pattern): "\(pattern) needs the parameter '\(name)'"
    case .wrongType(let name, let expected, let pattern):
      "'\(name)' of \(pattern) must be of the type \(expected.name)"
    case .emptyParameter(let name, let pattern): "'\(name)' of \(pattern) can't be empty"
    case .unsupportedValue(let name, let pattern):
      "'\(name)' of \(pattern) can't be a table or nothing"
    case .plusInParameter(let name, let pattern):
      "'\(name)' of \(pattern) has a +, which would be read as a space"
    case .ambiguousGroups(let pattern): "which groups of \(pattern) are meant can't be told"
    case .tooLong(let pattern): "the URL for \(pattern) would be too long"
    }
  }
}
