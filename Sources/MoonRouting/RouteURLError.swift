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
