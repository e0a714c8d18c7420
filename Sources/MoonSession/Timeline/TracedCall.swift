public import MoonModules
public import MoonServiceKit
public import MoonValues

/// A call of a registration for an action, before its commit.
public struct TracedCall: Sendable {
  /// The module whose code was called.
  public let module: ModuleName
  /// The registration: middleware, a mapper or a reducer, for example.
  public let registration: Registration
  /// The time that it took.
  public let time: Duration
  /// The changes that a reducer made to its slice; nil for other calls.
  public internal(set) var changes: Diff?
}
