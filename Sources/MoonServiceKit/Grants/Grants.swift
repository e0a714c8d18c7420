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
    /// The path of the file that has the rule; nil for a rule from elsewhere.
    package let file: String?

    /// Makes a rule.
    public init(_ scope: Scope, for module: ModuleName? = nil) {
      self.init(scope, for: module, in: nil)
    }

    package init(_ scope: Scope, for module: ModuleName?, in file: String?) {
      self.module = module
      self.scope = scope
      self.file = file
    }

    func concerns(_ name: ModuleName) -> Bool { module == nil || module == name }

    /// The rule as it is written: `state:*`, or `counter=state:*`.
    public var description: String { (module.map { "\($0)=" } ?? "") + "\(scope)" }
  }

  /// The answer to a module's request.
  package enum Answer: Sendable, Equatable {
    case granted
    /// No rule grants the scope.
    case notGranted
    /// This rule denies all or part of the scope.
    case denied(by: Rule)
  }

  /// The grants.
  public var allowed: [Rule] = [] { didSet { findPlaces() } }
  /// The denials.
  public var denied: [Rule] = [] { didSet { findPlaces() } }
  /// Whether every scope is granted to all modules, unless a rule denies it.
  public var allowsAll = false
  /// The directories that paths in scopes are relative to.
  package var directories = ScopeDirectories() {
    didSet {
      places = [:]
      findPlaces()
    }
  }
  /// Where the paths of rules led when the rules were given.
  ///
  /// Links are followed once, so that nothing that is moved or linked later moves a grant.
  private var places: [Scope: PathPattern] = [:]

  /// Makes a set of permissions that grants nothing.
  public init() {}

  /// Returns the answer to a module that requests a scope.
  ///
  /// Symbolic links in paths are followed once a host has the grants; before, paths are compared as
  /// they are written.
  ///
  /// A denial of part of a scope refuses it only if the kind isn't checked at each use, which is
  /// `state`. For the other kinds, the denied part is refused when it is used.
  ///
  /// - Complexity: O(rules).
  package func answer(to scope: Scope, of module: ModuleName) -> Answer {
    let denial = denied.first { rule in
      rule.concerns(module)
        && (scope.kind == .state
          ? rule.scope.overlaps(scope)
          // Also where its path leads now, since a denial must not be evaded by a link.
          : rule.scope.covers(scope, in: directories, asDenial: true) || covers(rule, scope))
    }
    if let denial { return .denied(by: denial) }
    let isAllowed = allowsAll || allowed.contains { $0.concerns(module) && covers($0, scope) }
    return isAllowed ? .granted : .notGranted
  }

  /// Returns the rule that denies a scope to a module or, for files, anything below its path; nil
  /// if there is none.
  ///
  /// The disk isn't searched: what a rule names needn't exist.
  func denial(atOrBelow scope: Scope, of module: ModuleName) -> Rule? {
    if case .denied(let rule) = answer(to: scope, of: module) { return rule }
    guard scope.kind == .read || scope.kind == .write, let place = scope.place(in: directories)
    else { return nil }
    return denied.first { rule in
      guard rule.concerns(module), rule.scope.kind == scope.kind else { return false }
      // Where its path led at first, and where it leads now.
      return [places[rule.scope], rule.scope.place(in: directories)].contains {
        $0.map(place.covers) ?? false
      }
    }
  }

  private func covers(_ rule: Rule, _ scope: Scope) -> Bool {
    switch rule.scope.kind {
    case .read, .write:
      guard rule.scope.kind == scope.kind, let place = places[rule.scope] else { return false }
      return scope.place(in: directories).map(place.covers) ?? false
    case .state, .net, .storage, .env, .run, .control:
      return rule.scope.covers(scope, in: directories)
    }
  }

  private mutating func findPlaces() {
    for rule in allowed + denied where places[rule.scope] == nil {
      switch rule.scope.kind {
      case .read, .write: places[rule.scope] = rule.scope.place(in: directories)
      case .state, .net, .storage, .env, .run, .control: continue
      }
    }
  }

  /// Returns where the paths of scopes of files lead now.
  package func places(of scopes: [Scope]) -> [Scope: PathPattern] {
    var places: [Scope: PathPattern] = [:]
    for scope in scopes where scope.kind == .read || scope.kind == .write {
      places[scope] = scope.place(in: directories)
    }
    return places
  }

  /// Returns the path that a scope of files leads to through symbolic links; nil if there are none
  /// in its path.
  package func destination(of scope: Scope) -> String? {
    switch scope.kind {
    case .read, .write:
      PathPattern.destination(of: scope.pattern, in: directories)
    case .state, .net, .storage, .env, .run, .control: nil
    }
  }
}

/// What a module requests under `needs`.
package struct RequestedScopes: Equatable, Sendable {
  /// The scopes that the module can't do without.
  package var needs: [Scope] = []
  /// The scopes that it can do without.
  package var optional: [Scope] = []
  /// What the module says that scopes are for.
  package var reasons: [Scope: String] = [:]
  /// Where the paths of scopes of files led when the module was loaded.
  ///
  /// Links are followed once, so that nothing that is moved or linked later moves a scope.
  package var places: [Scope: PathPattern] = [:]

  package init(needs: [Scope] = []) { self.needs = needs }
}

/// The permissions of one module: what it requests, and what it is granted.
package struct Permissions: Sendable {
  private let requested: RequestedScopes
  private let grants: Grants

  package init(_ requested: RequestedScopes, _ grants: Grants) {
    self.requested = requested
    self.grants = grants
  }

  package init(needs: [Scope], _ grants: Grants) {
    self.init(RequestedScopes(needs: needs), grants)
  }

  /// The scopes under `needs`.
  package var needs: [Scope] { requested.needs }

  /// Checks that a scope is among those requested and is granted.
  ///
  /// - Throws: ``GrantRefusal``.
  package func check(_ scope: Scope, of module: ModuleName) throws(GrantRefusal) {
    guard (needs + requested.optional).contains(where: { covers($0, scope) }) else {
      throw .notNeeded(scope, module)
    }
    switch grants.answer(to: scope, of: module) {
    case .granted: return
    case .notGranted: throw .notGranted(scope, module)
    case .denied(let rule): throw .denied(scope, module, by: rule)
    }
  }

  /// Checks that no scope is denied, nor for files anything below its path.
  ///
  /// - Throws: ``GrantRefusal/denied(_:_:by:)``.
  func checkDenials(of scopes: [Scope], of module: ModuleName) throws(GrantRefusal) {
    for scope in scopes {
      if let rule = grants.denial(atOrBelow: scope, of: module) {
        throw .denied(scope, module, by: rule)
      }
    }
  }

  /// Returns whether a module may use a scope.
  package func allow(_ scope: Scope, to module: ModuleName) -> Bool {
    do throws(GrantRefusal) { try check(scope, of: module) } catch { return false }
    return true
  }

  private func covers(_ need: Scope, _ scope: Scope) -> Bool {
    guard let place = requested.places[need] else {
      return need.covers(scope, in: grants.directories)
    }
    guard need.kind == scope.kind else { return false }
    return scope.place(in: grants.directories).map(place.covers) ?? false
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

  /// The module.
  package var module: ModuleName {
    switch self {
    case .notNeeded(_, let module), .notGranted(_, let module), .denied(_, let module, _): module
    }
  }

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
