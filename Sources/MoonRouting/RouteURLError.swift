public import MoonValues

/// Why no URL can be made of a route and parameters.
public enum RouteURLError: Error, Hashable, Sendable {
  /// No route has the name.
  case unknownRoute(Text)
  /// The pattern needs a parameter that wasn't given.
  case missingParameter(Text, pattern: Text)
  /// A parameter isn't what its type demands.
  case wrongType(Text, expected: ParameterType, pattern: Text)
  /// A parameter is empty, and a component of a path can't be.
  case emptyParameter(Text, pattern: Text)
  /// A parameter is null, a list or a map where only a scalar can be written.
  case unsupportedValue(Text, pattern: Text)
  /// A parameter has a `+`, which whoever reads the URL would take for a space.
  case plusInParameter(Text, pattern: Text)
  /// Which groups are there can't be told from the URL.
  case ambiguousGroups(pattern: Text)
  /// No URL is that long, or has that many components or entries.
  case tooLong(pattern: Text)
}

extension RouteURLError: CustomStringConvertible {
  /// What is wrong, in one line.
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
