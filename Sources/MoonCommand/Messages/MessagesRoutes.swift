import Moonwire

extension Messages {
  static let routesAbstract = "Lists the patterns of URLs, or explains what takes one."
  static let routesDiscussion = "`moonwire routes DIR` is `moonwire routes list DIR`."
  static let routesListAbstract =
    "Lists the patterns of URLs, and those that get in each other's way."
  static let routesMatchAbstract =
    "Tells which pattern takes a URL, and why each other one doesn't."
  static let routesMatchDiscussion = """
    Nothing is started, and no handler or observer is asked. The code is 0 if a pattern takes the \
    URL, 1 if none does, 65 if it can't be read as a URL, 66 if there is no such directory.
    """

  /// Two routes of which one never gets a URL, or a name that two have.
  static func conflict(_ conflict: RouteConflict) -> Report {
    let (earlier, later) = (conflict.earlier, conflict.later)
    let winner = named(earlier)
    let headline =
      switch conflict.kind {
      case .equal: "\(named(later)) is never reached: \(winner) takes the same URLs"
      case .shadowed: "\(named(later)) is never reached: \(winner) takes all its URLs"
      case .partlyShadowed(let texts):
        "\(named(later)) is never reached as \(list(texts.map(\.string))): \(winner) takes that"
      case .sameName(let name):
        "\(named(later)) and \(winner) are both named \(name): URLs are made of the second"
      }
    let help: String? =
      switch conflict.kind {
      case .equal, .shadowed, .partlyShadowed:
        earlier.priority > later.priority
          ? "it has the higher priority; what it declines goes on to the other"
          : "a higher priority puts a route in front; what one declines goes on to the next"
      case .sameName: nil
      }
    return Report(.warning, headline, rows: help.map { [.init("help", $0)] } ?? [])
  }

  /// Reports on conflicts, as many as a person reads when nobody has asked for them.
  static func conflicts(
    _ conflicts: [RouteConflict], max: Int = conflictCountMax
  ) -> [Report] {
    var reports = conflicts.prefix(max).map(conflict)
    // What to do is said once.
    for index in reports.indices.dropLast() where reports[index].rows == reports[index + 1].rows {
      reports[index].rows = []
    }
    let left = conflicts.count - reports.count
    if left > 0 {
      reports.append(
        Report(
          .warning, "\(left) more routes get in each other's way",
          rows: [.init("help", "moonwire routes DIR --json has all")]))
    }
    return reports
  }

  /// How many conflicts are told unasked: half a screen.
  static let conflictCountMax = 10
  /// How many conflicts are told to somebody who looks for them.
  static let wantedConflictCountMax = 1_000

  /// A URL that isn't one.
  static func malformed(_ url: String, _ error: RouteRequestError) -> Report {
    Report(
      "'\(url)' can't be read as a URL", detail: error.sentence,
      rows: [.init("help", "write one such as /message/Max%20Mustermann?loud=1")])
  }

  /// Why a route doesn't take a URL, or that it does.
  static func verdict(_ verdict: RouteVerdict) -> String {
    switch verdict {
    case .won: "takes it"
    case .lowerPriority: "matches, but has a lower priority"
    case .lessSpecific(let index): "matches, but is less specific at component \(index + 1)"
    case .moreGroupsOmitted: "matches, but with more of its groups left out"
    case .laterOwner: "matches as well, but its module's name comes later"
    case .laterText: "matches as well, but its text comes later"
    case .laterPlace: "is the same pattern at a later place"
    case .afterOwnScheme: "matches, but routes of the URL's own scheme come first"
    case .otherScheme: "isn't for URLs of this scheme"
    case .tooShort(let missing): "goes on with \(quoted(missing)) where the URL ends"
    case .tooLong(let index): "ends where the URL goes on with component \(index + 1)"
    case .differentLiteral(_, let expected, let found):
      "has \(quoted(expected)) where the URL has \(quoted(found))"
    case .differentSuffix(_, let expected, let found):
      "\(quoted(found)) doesn't end in \(quoted(expected)) with something before it"
    case .typeMismatch(_, let name, let expected, let found):
      ":\(name) takes \(expected.name), not \(quoted(found))"
    }
  }

  /// What stands in a path, with letters as people write them: `%C3%BC` is `ü`.
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

  /// Says `/x/:id of module b (b.lua:3)`.
  private static func named(_ route: Route) -> String {
    "\(route.pattern.text) of module \(route.owner)" + (route.place.map { " (\($0))" } ?? "")
  }
}

extension Messages {
  static let noRoutes = "there are no routes"
  static let noMatch = "no pattern takes"
  /// What stands above the patterns that don't take a URL.
  static let others = "not taken by"

  /// Says `name counter, push, priority 5`.
  static func particulars(_ route: RouteInfo) -> String {
    [
      route.name.map { "name \($0)" }, route.option.map { "\($0.kind)" },
      route.priority == 0 ? nil : "priority \(route.priority)",
    ].compactMap(\.self).joined(separator: ", ")
  }
}
