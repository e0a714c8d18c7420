package import Moonwire

/// Records of route patterns, and of their results for a URL.
package enum RoutesRecord {
  /// Returns all patterns and conflicts, with the rules that URLs are read by.
  package static func list(
    _ routes: [RouteInfo], _ conflicts: [RouteConflict], _ rules: RoutingRules
  ) -> Map {
    [
      "kind": "routes", "routes": list(routes, route),
      "conflicts": list(conflicts, conflict), "rules": settings(of: rules),
    ]
  }

  /// Returns the route that matches a URL with its parameters, the result of each pattern, and the
  /// rules that URLs are read by.
  package static func match(
    _ explanation: RouteExplanation, of url: Text, guards: [GuardInfo], _ rules: RoutingRules
  ) -> Map {
    var match = Value.null
    if let winner = explanation.winner {
      match = [
        "pattern": .string(winner.patternText), "module": .string(winner.owner),
        "place": place(winner.route.place), "params": .map(winner.parameters()),
        "wildcard": winner.wildcard.map { .list($0) } ?? .null,
        "scheme": winner.scheme.map { .string($0) } ?? .null,
        "guards": list(guards) {
          ["module": .string(Text($0.module.text)), "place": place($0.place)]
        },
      ]
    }
    return [
      "kind": "match", "url": .string(url), "match": match,
      "candidates": list(explanation.candidates, candidate), "rules": settings(of: rules),
    ]
  }

  /// Returns rules as they are written, such as `plus=space`.
  private static func settings(of rules: RoutingRules) -> Value {
    .list(List(URLSetting.effective(in: rules).map { .string(Text($0.rawValue)) }))
  }

  /// Returns a conflict; `check` uses it too.
  package static func conflict(_ conflict: RouteConflict) -> Value {
    var map = conflict.report.value.mapValue ?? Map()
    let (word, more): (String, Map) =
      switch conflict.kind {
      case .equal: ("equal", [:])
      case .shadowed: ("shadowed", [:])
      case .partlyShadowed(let texts):
        ("partly_shadowed", ["as": list(texts) { .string($0) }])
      case .sameName(let name): ("same_name", ["name": .string(name)])
      }
    map["conflict"] = .string(Text(word))
    for (key, value) in more { map[key] = value }
    map["earlier"] = route(conflict.earlier)
    map["later"] = route(conflict.later)
    if let place = conflict.later.place {
      map["file"] = .string(Text(place.file))
      map["line"] = .int(Int64(place.line))
    }
    return .map(map)
  }

  private static func route(_ info: RouteInfo) -> Value {
    [
      "pattern": .string(info.pattern), "module": .string(Text(info.module.text)),
      "place": place(info.place), "name": info.name.map { .string($0) } ?? .null,
      "option": info.option?.value ?? .null, "priority": .int(Int64(info.priority)),
      "target": .string(Text("\(info.target)")),
      "parent": info.parent.map { .string($0) } ?? .null, "when": .bool(info.isConditional),
    ]
  }

  private static func route(_ route: RouteEntry) -> Value {
    [
      "pattern": .string(route.pattern.text), "module": .string(route.owner),
      "place": place(route.place),
    ]
  }

  private static func candidate(_ candidate: RouteExplanation.Candidate) -> Value {
    [
      "pattern": .string(candidate.route.pattern.text), "module": .string(candidate.route.owner),
      "place": place(candidate.route.place), "verdict": .string(Text(candidate.verdict.word)),
      "reason": .string(Text("\(candidate.verdict)")),
    ]
  }

  private static func place(_ place: SourcePlace?) -> Value {
    place.map { .string(Text($0.description)) } ?? .null
  }

  private static func list<Element>(
    _ elements: [Element], _ make: (Element) -> Value
  ) -> Value {
    .list(List(elements.map(make)))
  }
}

extension RouteVerdict {
  /// The verdict as one word.
  fileprivate var word: String {
    switch self {
    case .won: "won"
    case .conditional: "conditional"
    case .wonOtherwise: "won_otherwise"
    case .lowerPriority: "lower_priority"
    case .lessSpecific: "less_specific"
    case .moreGroupsOmitted: "more_groups_omitted"
    case .laterOwner: "later_owner"
    case .laterText: "later_text"
    case .laterPlace: "later_place"
    case .afterOwnScheme: "after_own_scheme"
    case .otherScheme: "other_scheme"
    case .tooShort: "too_short"
    case .tooLong: "too_long"
    case .differentLiteral: "different_literal"
    case .differentSuffix: "different_suffix"
    case .differentForm: "different_form"
    case .typeMismatch: "type_mismatch"
    }
  }
}
