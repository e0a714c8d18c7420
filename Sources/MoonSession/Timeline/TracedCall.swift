package import MoonModules
package import MoonServiceKit
package import MoonValues

/// A call of a registration for an action, before its commit.
package struct TracedCall: Sendable {
  /// The module whose code was called.
  package let module: ModuleName
  /// The registration: middleware, a mapper or a reducer, for example.
  package let registration: Registration
  /// The time that it took.
  package let time: Duration
  /// The changes that a reducer made to its slice; nil for other calls.
  package internal(set) var changes: Diff?
}
