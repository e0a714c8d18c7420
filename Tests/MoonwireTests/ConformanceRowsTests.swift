import Testing

/// The behaviours of the ancestors that this core is to have, or to do without for a reason.
///
/// Built-in modules and entities aren't among them. The parsing of URLs and the changes of
/// the navigation have tables of their own, beside their targets.
struct ConformanceRowsTests {
  /// The numbers of the ancestors' own test cases.
  static let numbers: [String] =
    Array(1...25).map(String.init) + ["29", "30", "31", "32"] + (36...52).map(String.init)
    + (54...68).map(String.init) + ["86", "87"] + (88...93).map(String.init)

  /// The names of the behaviours that none of their tests shows.
  static let names = [
    "VISPER slashes", "VISPER wildcard place", "VISPER literals", "VISPER result",
    "VISPER precedence", "VISPER tie", "VISPER wildcard", "VISPER wildcard minimum",
    "VISPER empty", "VISPER escapes", "VISPER default option", "VISPER order", "VISPER make",
    "VISPER presenters", "VISPER presenter asked", "VISPER presenter fails",
    "VISPER foreign presenter fails", "VISPER presenter feature", "VISPER routing presenter",
    "VISPER predicate", "VISPER predicate asked", "VISPER veto", "VISPER containers", "VISPER top",
    "VISPER nothing behind", "VISPER feature observer", "VISPER transaction", "VISPER content",
    "VISPER option equality", "VISPER options", "VISPER modal", "VISPER lifecycle priority",
    "VISPER lifecycle events", "VISPER will_route", "VISPER redirect", "VISPER redirect circle",
    "VISPER error observer", "VISPER gate", "VISPER composite", "VISPER wrong types",
    "VISPER batch", "VISPER middleware kinds", "VISPER state of middleware",
    "VISPER order of subscribers", "VISPER delivery", "VISPER-Sourcery", "JLRoutes slash",
    "JLRoutes false", "JLRoutes order", "JLRoutes unmatched", "JLRoutes parameters",
    "JLRoutes handlers of several", "ReSwift order", "ReSwift setter", "ReduxUI middlewares",
    "ReduxUI multiple", "ReduxUI route", "ReduxUI output", "Caesura slices",
    "Caesura whole-state reducer", "Caesura shapes of mappers", "Caesura navigation mapper",
    "Caesura navigation actions", "Caesura app notifications",
  ]

  /// The numbers and names that some case or test shows.
  private static var shown: [String] {
    let cases =
      RoutingConformanceTests.cases.map(\.number) + WireframeConformanceTests.all.map(\.number)
      + StoreConformanceTests.all.map(\.number) + FeatureConformanceTests.all.map(\.number)
      + RequestConformanceTests.all.map(\.number)
    return cases.flatMap { $0.split(separator: ", ").map(row) }
      + RoutingConformanceTests.shown + WireframeConformanceTests.shown
      + StoreConformanceTests.shown + FeatureConformanceTests.shown
  }

  /// Returns the row of a case: `2` for `2b`.
  private static func row(of number: Substring) -> String {
    let isVariant = number.first?.isNumber ?? false
    return String(isVariant ? number.prefix { $0.isNumber } : number)
  }

  @Test func `every behaviour has a case, and every case is of one`() {
    let rows = Set(Self.numbers + Self.names)
    let shown = Set(Self.shown)
    #expect(rows.subtracting(shown).sorted() == [])
    #expect(shown.subtracting(rows).sorted() == [])
    #expect(rows.count == Self.numbers.count + Self.names.count)
  }
}
