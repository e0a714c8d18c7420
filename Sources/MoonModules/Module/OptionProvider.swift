import MoonActions
public import MoonValues

/// A function that may change how a screen is presented.
///
/// The host calls all providers, those of low priority first. The last answer that isn't nil
/// counts.
public struct OptionProvider: Registrable, RoutingPart {
  /// A function that receives the current option; it returns nil to keep that.
  public typealias Body = (
    _ route: RouteResult, _ current: RoutingOption?, _ context: SessionContext
  ) throws -> RoutingOption?

  /// The route pattern that the provider applies to; nil means all.
  package let pattern: Text?
  /// The priority: providers of higher priority are called later, and 0 is the default.
  package let priority: Int
  /// The kind, name and place of the registration.
  package let registration: Registration
  package let body: Body

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

/// A registration that takes part in the routings of one pattern, or of all patterns.
package protocol RoutingPart: Registrable {
  /// The route pattern; nil means all.
  var pattern: Text? { get }
  /// The priority: parts of higher priority come first, and 0 is the default.
  var priority: Int { get }
}

extension RoutingPart {
  /// Returns whether the registration takes part in a routing.
  package func concerns(_ result: RouteResult) -> Bool {
    pattern.map { $0 == result.pattern } ?? true
  }
}
