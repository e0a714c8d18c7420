import MoonStore
public import MoonValues

/// A function that has a say in how a screen is presented.
///
/// All providers are asked, those of low priority first; the last opinion counts.
public struct OptionProvider: Registrable, RoutingPart {
  /// Gets the option as it stands; nil for no opinion.
  public typealias Body = (
    _ route: RouteResult, _ current: RoutingOption?, _ context: SessionContext
  ) throws -> RoutingOption?

  /// The pattern it is asked about; nil for all.
  public let pattern: Text?
  /// Providers of higher priority decide later; 0 is usual.
  public let priority: Int
  /// What names it.
  public let registration: Registration
  let body: Body

  /// Makes an option provider.
  public init(
    pattern: Text? = nil, priority: Int = 0, place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.pattern = pattern
    self.priority = priority
    registration = Registration(.optionProvider, pattern?.string ?? "all routes", place: place)
    self.body = body
  }
}

/// What takes part in the routings of one pattern, or of all.
protocol RoutingPart: Registrable {
  /// The pattern; nil for all.
  var pattern: Text? { get }
  /// Parts of higher priority come first; 0 is usual.
  var priority: Int { get }
}

extension RoutingPart {
  /// Whether it takes part in a routing.
  func concerns(_ result: RouteResult) -> Bool { pattern.map { $0 == result.pattern } ?? true }
}
