/// What the person who runs the host allows modules.
///
/// Nothing is allowed that isn't granted. A denial counts more than any grant, whatever the order.
public struct Grants: Sendable, Equatable {
  /// One grant or denial.
  public struct Rule: Sendable, Equatable, CustomStringConvertible {
    /// The module; nil for all.
    public let module: ModuleName?
    /// What is granted or denied.
    public let scope: Scope

    /// Makes a rule.
    public init(_ scope: Scope, for module: ModuleName? = nil) {
      self.module = module
      self.scope = scope
    }

    func concerns(_ name: ModuleName) -> Bool { module == nil || module == name }

    /// As it is written: `state:*`, or `counter=state:*`.
    public var description: String { (module.map { "\($0)=" } ?? "") + "\(scope)" }
  }

  /// What a module gets when it asks.
  public enum Answer: Sendable, Equatable {
    case granted
    /// Nobody has granted it.
    case notGranted
    /// A rule denies some or all of it.
    case denied(by: Rule)
  }

  /// What is granted.
  public var allowed: [Rule] = []
  /// What is denied.
  public var denied: [Rule] = []
  /// Whether all modules get whatever they ask for, unless it is denied.
  public var allowsAll = false

  /// Grants nothing.
  public init() {}

  /// What a module gets that asks for a scope.
  ///
  /// - Complexity: O(rules).
  public func answer(to scope: Scope, of module: ModuleName) -> Answer {
    if let rule = denied.first(where: { $0.concerns(module) && $0.scope.overlaps(scope) }) {
      return .denied(by: rule)
    }
    let isAllowed =
      allowsAll || allowed.contains { $0.concerns(module) && $0.scope.covers(scope) }
    return isAllowed ? .granted : .notGranted
  }
}
