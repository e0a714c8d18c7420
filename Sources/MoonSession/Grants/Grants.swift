/// The permissions that the person who runs the host gives to modules.
///
/// Anything that isn't granted is refused. A denial overrides any grant, regardless of order.
public struct Grants: Sendable, Equatable {
  /// One grant or denial.
  public struct Rule: Sendable, Equatable, CustomStringConvertible {
    /// The module; nil means all modules.
    public let module: ModuleName?
    /// The scope that is granted or denied.
    public let scope: Scope

    /// Makes a rule.
    public init(_ scope: Scope, for module: ModuleName? = nil) {
      self.module = module
      self.scope = scope
    }

    func concerns(_ name: ModuleName) -> Bool { module == nil || module == name }

    /// The rule as it is written: `state:*`, or `counter=state:*`.
    public var description: String { (module.map { "\($0)=" } ?? "") + "\(scope)" }
  }

  /// The answer to a module's request.
  public enum Answer: Sendable, Equatable {
    case granted
    /// No rule grants the scope.
    case notGranted
    /// This rule denies all or part of the scope.
    case denied(by: Rule)
  }

  /// The grants.
  public var allowed: [Rule] = []
  /// The denials.
  public var denied: [Rule] = []
  /// Whether every scope is granted to all modules, unless a rule denies it.
  public var allowsAll = false

  /// Makes a set of permissions that grants nothing.
  public init() {}

  /// Returns the answer to a module that requests a scope.
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
