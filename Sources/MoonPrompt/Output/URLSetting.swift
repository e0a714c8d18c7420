package import Moonwire

/// A rule for reading URLs as written on the command line: `plus=kept`, `schemes=closed`.
package enum URLSetting: String, CaseIterable, Sendable {
  case plusSpace = "plus=space"
  case plusForm = "plus=form"
  case plusKept = "plus=kept"
  case hostDotless = "host=dotless"
  case hostComponent = "host=component"
  case schemesOpen = "schemes=open"
  case schemesClosed = "schemes=closed"

  /// The default rules.
  package static let usual: [URLSetting] = [.plusSpace, .hostDotless, .schemesOpen]

  /// The effect of the rule on a URL.
  package var meaning: String {
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
  package func set(in rules: inout RoutingRules) {
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
  package static func effective(in rules: RoutingRules) -> [URLSetting] {
    allCases.filter { rule in
      var changed = rules
      rule.set(in: &changed)
      return changed == rules
    }
  }
}
