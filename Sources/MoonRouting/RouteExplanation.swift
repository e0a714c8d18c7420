public import MoonValues

/// The result of every route of a table for one URL.
package struct RouteExplanation: Sendable {
  /// The first route that matches, which wins unless it is conditional.
  package let winner: RouteMatch?
  /// All routes: first those that match, in winning order, then the others by owner and text.
  package let candidates: [Candidate]

  /// A route and why it won or lost.
  package struct Candidate: Hashable, Sendable {
    /// The route.
    package let route: RouteEntry
    /// The result of the route.
    package let verdict: RouteVerdict
  }
}

extension RoutePattern {
  /// The paths that a misspelt one may mean: its components in the places of parameters, among the
  /// literals of each variant that has as many.
  ///
  /// - Complexity: O(variants × components).
  package func paths(resembling path: [Text]) -> [String] {
    variants.compactMap { variant in
      let kinds = variant.components.map { components[$0].kind }
      let ownCount = kinds.last == .wildcard ? kinds.count - 1 : kinds.count
      guard kinds.last == .wildcard ? path.count >= ownCount : path.count == ownCount else {
        return nil
      }
      let own = zip(kinds, path).prefix(ownCount).map { kind, text in
        if case .literal(let literal) = kind { literal } else { text }
      }
      return "/" + (own + path[ownCount...]).map(\.string).joined(separator: "/")
    }
  }
}

/// The reason that a route won or lost.
public enum RouteVerdict: Hashable, Sendable {
  /// It is the first of those that match.
  case won
  /// It comes before all unconditional ones that match, and wins if its owner says so.
  case conditional
  /// It is the first unconditional one of those that match, and wins if no conditional one does.
  case wonOtherwise
  /// It matches, but the winner has a higher priority.
  case lowerPriority
  /// It matches, but the winner is more specific at a component.
  case lessSpecific(at: Int)
  /// It matches as specifically as the winner, but with more groups left out.
  case moreGroupsOmitted
  /// It matches as well as the winner, but the winner's owner comes first.
  case laterOwner
  /// It matches as well as the winner of the same owner, but the winner's text comes first.
  case laterText
  /// It repeats the winner's pattern at a later place.
  case laterPlace
  /// It matches, but as a global route it comes after the routes of the URL's scheme.
  case afterOwnScheme
  /// It is for another scheme, or global while the URL's scheme is closed.
  case otherScheme
  /// The URL ends where the pattern continues with this component.
  case tooShort(missing: Text)
  /// The pattern ends where the URL continues.
  case tooLong(at: Int)
  /// The URL has another component where the pattern has a literal.
  case differentLiteral(at: Int, expected: Text, found: Text)
  /// The URL's component doesn't end with the pattern's suffix after at least one other byte.
  case differentSuffix(at: Int, expected: Text, found: Text)
  /// The URL's component doesn't have the texts around and between the pattern's parameters.
  case differentForm(at: Int, expected: Text, found: Text)
  /// The URL's component isn't of the parameter's type.
  case typeMismatch(at: Int, name: Text, expected: ParameterType, found: Text)
}

extension RouteTable {
  /// Explains why each route won or lost for a URL.
  ///
  /// For a pattern with groups that doesn't match, the explanation is about the variant that
  /// matched the most components.
  ///
  /// - Complexity: O(size of the table).
  package func explain(_ request: RouteRequest) -> RouteExplanation {
    let matches = Array(matches(request))
    var seen: Set<Int> = []
    var candidates: [RouteExplanation.Candidate] = []
    var winner: RouteMatch?
    for match in matches where seen.insert(match.routeIndex).inserted {
      let verdict: RouteVerdict
      if let winner {
        verdict = match.verdict(behind: winner)
      } else if match.route.isConditional {
        verdict = .conditional
      } else {
        verdict = candidates.isEmpty ? .won : .wonOtherwise
        winner = match
      }
      candidates.append(RouteExplanation.Candidate(route: match.route, verdict: verdict))
    }
    let searched = trie.searches(request).map(\.root)
    var others: [RouteExplanation.Candidate] = []
    for index in trie.entries.indices where !seen.contains(index) {
      let route = trie.route(index)
      let isSearched = searched.contains(trie.entries[index].root)
      others.append(
        RouteExplanation.Candidate(
          route: route,
          verdict: isSearched ? route.pattern.mismatch(request) : .otherScheme))
    }
    others.sort { $0.route.tie(with: $1.route) ?? false }
    return RouteExplanation(winner: matches.first, candidates: candidates + others)
  }
}

extension RouteMatch {
  fileprivate func verdict(behind winner: RouteMatch) -> RouteVerdict {
    if scheme != winner.scheme { return .afterOwnScheme }
    let (mine, its) = (route, winner.route)
    let order = VariantOrder.decide(
      (its, its.pattern.variants[winner.ordinal]), (mine, mine.pattern.variants[ordinal])
    ).order
    return switch order {
    case .priority: .lowerPriority
    case .specificity(let index): .lessSpecific(at: index)
    case .omittedGroups: .moreGroupsOmitted
    case .owner: .laterOwner
    case .text: .laterText
    case .place, .none: .laterPlace
    }
  }
}

extension RoutePattern {
  /// Returns the reason that the pattern doesn't match a request.
  fileprivate func mismatch(_ request: RouteRequest) -> RouteVerdict {
    var farthest: (progress: Int, verdict: RouteVerdict)?
    // The fullest variant comes first, so it is preferred among equals.
    for variant in variants.reversed() {
      guard let trial = mismatch(request, variant) else { continue }
      if let farthest, farthest.progress >= trial.progress { continue }
      farthest = trial
    }
    guard let farthest else {
      preconditionFailure("the trie and the patterns disagree on a match")
    }
    return farthest.verdict
  }

  private func mismatch(
    _ request: RouteRequest, _ variant: PatternVariant
  ) -> (progress: Int, verdict: RouteVerdict)? {
    for (position, index) in variant.components.enumerated() {
      let component = components[index]
      if component.kind == .wildcard { return nil }
      guard position < request.segmentCount else {
        return (position, .tooShort(missing: Text(validUTF8: text.bytes[component.source])))
      }
      if let verdict = mismatch(index, request, position) { return (position, verdict) }
    }
    let count = variant.components.count
    return count < request.segmentCount ? (count, .tooLong(at: count)) : nil
  }

  private func mismatch(
    _ index: Int, _ request: RouteRequest, _ position: Int
  ) -> RouteVerdict? {
    let whole = request.component(position)
    // As the trie compares them.
    let isLowercased = position == 0 && (scheme != nil || request.hasHost)
    let kind = isLowercased ? components[index].kind.lowercased : components[index].kind
    let compared = isLowercased ? whole.lowercased : whole
    switch kind {
    case .literal(let literal):
      guard literal != compared, case .literal(let written) = components[index].kind else {
        return nil
      }
      return .differentLiteral(at: position, expected: written, found: whole)
    case .parameters(let parameters):
      return mismatch(parameters, index, compared, whole, request.options.plus, position)
    case .wildcard: return nil
    }
  }

  private func mismatch(
    _ parameters: [Parameter], _ index: Int, _ compared: Text, _ whole: Text, _ plus: PlusRule,
    _ position: Int
  ) -> RouteVerdict? {
    var bytes = compared.bytes
    if bytes.count > 1, bytes.last == .hash { bytes.removeLast() }
    let prefix = parameters[0].prefix.bytes
    func division(_ parameters: [Parameter]) -> [Range<Int>]? {
      guard bytes.count > prefix.count, bytes.starts(with: prefix) else { return nil }
      var parts = ComponentParts()
      let range = parts.range(of: parameters)
      return bytes.withUnsafeBufferPointer { bytes in
        parts.bytes.withUnsafeBufferPointer { texts in
          ComponentDivision(
            of: prefix.count..<bytes.count, in: bytes, parts.all[range], texts, plus)?.values
        }
      }
    }
    if division(parameters) != nil { return nil }
    guard let values = division(parameters.map(\.untyped)) else {
      if parameters.count == 1, prefix.isEmpty {
        return .differentSuffix(at: position, expected: parameters[0].suffix, found: whole)
      }
      let form = Text(validUTF8: text.bytes[components[index].source])
      return .differentForm(at: position, expected: form, found: whole)
    }
    let found = zip(parameters, values).map { parameter, range in
      let text = bytes.withUnsafeBufferPointer {
        PercentCoding.decode($0.slice(range), plus: plus)
      }
      return (parameter, text)
    }
    guard let wrong = found.first(where: { $0.type.value(of: $1) == nil }) ?? found.first else {
      return nil
    }
    return .typeMismatch(
      at: position, name: wrong.0.name, expected: wrong.0.type, found: wrong.1)
  }
}

extension RoutePattern.Parameter {
  /// The same with any text as its value.
  fileprivate var untyped: Self {
    Self(name: name, type: .text, prefix: prefix, suffix: suffix, endsPath: endsPath)
  }
}

extension RouteVerdict: CustomStringConvertible {
  /// The reason that the route takes the URL or doesn't: `ends where the URL continues`.
  public var description: String {
    switch self {
    case .won: "takes it"
    case .conditional: "takes it if its `when` says so"
    case .wonOtherwise: "takes it otherwise"
    case .lowerPriority: "matches, but has a lower priority"
    case .lessSpecific(let index): "matches, but is less specific at component \(index + 1)"
    case .moreGroupsOmitted: "matches, but with more of its groups left out"
    case .laterOwner: "matches as well, but its module's name comes later"
    case .laterText: "matches as well, but its text comes later"
    case .laterPlace: "is the same pattern at a later place"
    case .afterOwnScheme: "matches, but routes of the URL's own scheme come first"
    case .otherScheme: "isn't for URLs of this scheme"
    case .tooShort(let missing): "continues with \(Self.quoted(missing)) where the URL ends"
    case .tooLong(let index): "ends where the URL continues with component \(index + 1)"
    case .differentLiteral(_, let expected, let found):
      "has \(Self.quoted(expected)) where the URL has \(Self.quoted(found))"
    case .differentSuffix(_, let expected, let found):
      "\(Self.quoted(found)) doesn't end in \(Self.quoted(expected)) with something before it"
    case .differentForm(_, let expected, let found):
      "\(Self.quoted(found)) doesn't have the form \(Self.quoted(expected))"
    case .typeMismatch(_, let name, let expected, let found):
      ":\(name) takes \(expected.name), not \(Self.quoted(found))"
    }
  }

  /// Returns a part of a path with its letters decoded: `%C3%BC` is `ü`.
  private static func quoted(_ text: Text) -> String {
    let bytes = Array(text.string.utf8)
    var readable: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = UInt8(
          String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16),
        byte >= 0x80
      {
        readable.append(byte)
        index += 3
      } else {
        readable.append(bytes[index])
        index += 1
      }
    }
    return "'\(String(decoding: readable, as: UTF8.self))'"
  }
}
