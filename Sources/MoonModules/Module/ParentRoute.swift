package import MoonRouting
package import MoonValues

/// The pattern of the route whose screen lies below the screens of another route.
///
/// Its parameters are taken from the other route's URL: below `/lists/7/items/3`, a URL of
/// `/lists/:list/items/:item`, the parent `/lists/:list` is `/lists/7`.
package struct ParentRoute: Sendable, Equatable {
  /// The pattern.
  package let pattern: RoutePattern

  /// Reads the parent of a route.
  ///
  /// - Throws: ``ParentError``
  package init(parsing text: Text, of route: RoutePattern) throws(ParentError) {
    do throws(RoutePatternError) {
      pattern = try RoutePattern(parsing: text)
    } catch {
      throw .malformed(error)
    }
    guard !pattern.hasWildcard, !pattern.components.contains(where: \.isOptional) else {
      throw .manyForms
    }
    let names = route.requiredParameterNames
    let missing = pattern.parameterNames.first { !names.contains($0) }
    if let missing { throw .missingParameter(missing, known: names) }
    if pattern.text == route.text { throw .itself }
  }

  /// Returns the URL of the parent below a URL with these parameters.
  ///
  /// - Throws: ``RouteURLError``
  package func url(below parameters: Map, plus: PlusRule) throws(RouteURLError) -> Text {
    let own = pattern.parameterNames.compactMap { name in
      parameters[.string(name)].map { (Key.string(name), $0) }
    }
    return try pattern.url(Map(own), plus: plus)
  }
}

/// The reason that a pattern can't be the parent of a route.
package enum ParentError: Error, Sendable, Equatable {
  /// The text isn't a pattern.
  case malformed(RoutePatternError)
  /// The pattern has a `*` or a group, so it doesn't determine one URL.
  case manyForms
  /// The pattern has a parameter that not every URL of the route has.
  case missingParameter(Text, known: [Text])
  /// The pattern is that of the route itself.
  case itself
}

extension RoutePattern {
  /// The parameters that every URL of the pattern has.
  fileprivate var requiredParameterNames: [Text] {
    components.flatMap { component -> [Text] in
      guard !component.isOptional, case .parameters(let parameters) = component.kind else {
        return []
      }
      return parameters.map(\.name)
    }
  }
}

extension ParentError: CustomStringConvertible {
  /// A few words.
  package var description: String {
    switch self {
    case .malformed(let error): "\(error)"
    case .manyForms: "with a * or a (group), it stands for more than one URL"
    case .missingParameter(let name, let known):
      "its parameter :\(name) isn't one of the route's"
        + (known.isEmpty
          ? ", which has none" : ": \(known.map { ":\($0)" }.joined(separator: ", "))")
    case .itself: "it is the route itself"
    }
  }
}
