import MoonSession
import MoonValues

/// The limits of one module that differ from the host's.
///
/// For a limit that is missing here, the one in ``HostOptions`` applies.
public struct ModuleLimits: Sendable, Equatable {
  /// The time budgets of calls by kind; zero for no limit.
  public var budgets: [CallKind: Duration] = [:]
  /// The maximum memory of the module in bytes; 0 for no limit.
  public var memoryQuota: Int?
  /// The maximum size of its slice in bytes; 0 for no limit.
  public var stateQuota: Int?
  /// The number of faults in its last calls at which it is suspended; 0 for no limit.
  public var faultsMax: Int?

  /// Makes limits that are all the host's.
  public init() {}
}

extension HostOptions {
  /// The time budgets of a module.
  func budgets(of module: ModuleName) -> Budgets {
    var budgets = self.budgets
    for (kind, time) in limits[module]?.budgets ?? [:] { budgets[kind] = time }
    return budgets
  }

  /// The memory quota of a module in bytes.
  func memoryQuota(of module: ModuleName) -> Int { limits[module]?.memoryQuota ?? memoryQuota }

  /// The quota of a module's slice in bytes.
  func stateQuota(of module: ModuleName) -> Int { limits[module]?.stateQuota ?? stateQuota }

  /// The quota of a module's slice, with the module's name.
  func sliceQuota(of module: ModuleName) -> SliceQuota {
    SliceQuota(bytesMax: stateQuota(of: module))
  }

  /// The number of faults at which a module is suspended.
  func faultsMax(of module: ModuleName) -> Int { limits[module]?.faultsMax ?? faultsMax }
}
