/// The permissions that the person who runs the host gives to modules.
///
/// Anything that isn't granted is refused. A denial overrides any grant, regardless of order.
public struct Grants: Sendable, Equatable {
  /// One grant or denial.
  public struct Rule: Sendable, Hashable, CustomStringConvertible {
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
  /// The directories that paths in scopes are relative to.
  package var directories = ScopeDirectories()

  /// Makes a set of permissions that grants nothing.
  public init() {}

  /// Returns the answer to a module that requests a scope.
  ///
  /// A denial of part of a scope refuses it only if the kind isn't checked at each use, which is
  /// `state`. For the other kinds, the denied part is refused when it is used.
  ///
  /// - Complexity: O(rules).
  public func answer(to scope: Scope, of module: ModuleName) -> Answer {
    let denial = denied.first { rule in
      rule.concerns(module)
        && (scope.kind == .state
          ? rule.scope.overlaps(scope) : rule.scope.covers(scope, in: directories, asDenial: true))
    }
    if let denial { return .denied(by: denial) }
    let isAllowed =
      allowsAll
      || allowed.contains { $0.concerns(module) && $0.scope.covers(scope, in: directories) }
    return isAllowed ? .granted : .notGranted
  }
}

/// The permissions of one module: what it requests, and what it is granted.
package struct Permissions: Sendable {
  /// The scopes under `needs`.
  package let needs: [Scope]
  private let grants: Grants

  package init(needs: [Scope], _ grants: Grants) {
    self.needs = needs
    self.grants = grants
  }

  /// Checks that a scope is among those requested and is granted.
  ///
  /// - Throws: ``GrantRefusal``.
  func check(_ scope: Scope, of module: ModuleName) throws(GrantRefusal) {
    guard needs.contains(where: { $0.covers(scope, in: grants.directories) }) else {
      throw .notNeeded(scope, module)
    }
    switch grants.answer(to: scope, of: module) {
    case .granted: return
    case .notGranted: throw .notGranted(scope, module)
    case .denied(let rule): throw .denied(scope, module, by: rule)
    }
  }
}

/// The reason that a module may not use a scope.
public enum GrantRefusal: ServiceFailure, Equatable {
  /// The module doesn't request the scope under `needs`.
  case notNeeded(Scope, ModuleName)
  /// The person hasn't granted the scope.
  case notGranted(Scope, ModuleName)
  /// The person has denied the scope.
  case denied(Scope, ModuleName, by: Grants.Rule)

  /// A word for scripts to compare.
  public var code: String {
    switch self {
    case .notNeeded: "not_needed"
    case .notGranted: "not_granted"
    case .denied: "denied"
    }
  }

  /// One sentence: the scope, and what gives it.
  public var description: String {
    switch self {
    case .notNeeded(let scope, let module):
      "\(scope) isn't among the needs of module \(module): "
        + (scope.isLocal ? "a local address must be named, as in" : "write")
        + " needs = { \"\(scope)\" }"
    case .notGranted(let scope, let module):
      "\(scope) isn't granted to module \(module): --allow \(module)=\(scope) grants it"
    case .denied(let scope, let module, let rule):
      "\(scope) is denied to module \(module) by \(rule)"
    }
  }
}
