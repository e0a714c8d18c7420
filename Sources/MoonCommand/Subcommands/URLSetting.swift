import ArgumentParser
import Moonwire

/// A rule for reading URLs as written on the command line: `plus=kept`, `schemes=closed`.
enum URLSetting: String, CaseIterable, Sendable {
  case plusSpace = "plus=space"
  case plusForm = "plus=form"
  case plusKept = "plus=kept"
  case hostDotless = "host=dotless"
  case hostComponent = "host=component"
  case schemesOpen = "schemes=open"
  case schemesClosed = "schemes=closed"

  /// The default rules.
  static let usual: [URLSetting] = [.plusSpace, .hostDotless, .schemesOpen]

  /// The effect of the rule on a URL.
  var meaning: String {
    switch self {
    case .plusSpace: "a + in a parameter is a space, even if written %2B"
    case .plusForm: "a + in a parameter is a space, and %2B a plus"
    case .plusKept: "a + in a parameter is a plus"
    case .hostDotless: "a host without a dot is the first component of the path"
    case .hostComponent: "every host is the first component of the path"
    case .schemesOpen: "URLs with a scheme may match routes without one"
    case .schemesClosed: "a scheme with routes of its own matches no others"
    }
  }

  /// Applies the rule.
  func set(in rules: inout RoutingRules) {
    switch self {
    case .plusSpace: rules.urls.plus = .everyPlusIsSpace
    case .plusForm: rules.urls.plus = .literalPlusIsSpace
    case .plusKept: rules.urls.plus = .kept
    case .hostDotless: rules.urls.host = .componentWithoutDot
    case .hostComponent: rules.urls.host = .alwaysComponent
    case .schemesOpen: rules.closesOwnSchemes = false
    case .schemesClosed: rules.closesOwnSchemes = true
    }
  }

  /// Returns the rules in effect, one of each name.
  static func effective(in rules: RoutingRules) -> [URLSetting] {
    allCases.filter { rule in
      var changed = rules
      rule.set(in: &changed)
      return changed == rules
    }
  }
}

/// The option that sets the rules for URLs.
struct URLOptions: ParsableArguments {
  @Option(
    name: .customLong("urls"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      A rule for URLs: \(URLSetting.allCases.map { "\($0.rawValue) (\($0.meaning))" }
        .joined(separator: ", ")). May be given several times.
      """, valueName: "rule"))
  var rules: [String] = []

  func validate() throws {
    for text in rules where URLSetting(rawValue: text) == nil {
      let known = URLSetting.allCases.map(\.rawValue)
      let nearest = Spelling.nearest(to: text, in: known)
      throw ValidationError(
        "--urls '\(text)': there is no such rule"
          + (nearest.map { "; did you mean \($0)?" } ?? ": there are \(Wording.list(known))"))
    }
  }

  /// The rules in the order in which they were given.
  var settings: [URLSetting] { rules.compactMap { URLSetting(rawValue: $0) } }
}
