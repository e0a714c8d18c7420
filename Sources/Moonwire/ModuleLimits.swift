import MoonSession
import MoonValues

/// What one module may use, where that isn't what the host grants to all.
///
/// What is nil is as the ``HostOptions`` have it for every module.
public struct ModuleLimits: Sendable, Equatable {
  /// How long single calls may run, by their kind; zero for as long as they like.
  public var budgets: [CallKind: Duration] = [:]
  /// How many bytes its code may use; 0 for as many as there are.
  public var memoryQuota: Int?
  /// How many bytes its slice may take; 0 for as many as there are.
  public var stateQuota: Int?
  /// How many of its last calls may fail until it is suspended; 0 for all.
  public var faultsMax: Int?

  /// Makes limits that are the host's.
  public init() {}
}

extension HostOptions {
  /// How long the code of a module may run.
  func budgets(of module: ModuleName) -> Budgets {
    var budgets = self.budgets
    for (kind, time) in limits[module]?.budgets ?? [:] { budgets[kind] = time }
    return budgets
  }

  /// How many bytes the code of a module may use.
  func memoryQuota(of module: ModuleName) -> Int { limits[module]?.memoryQuota ?? memoryQuota }

  /// How many bytes the slice of a module may take.
  func stateQuota(of module: ModuleName) -> Int { limits[module]?.stateQuota ?? stateQuota }

  /// How large the slice of a module may become.
  func sliceQuota(of module: ModuleName) -> SliceQuota {
    SliceQuota(bytesMax: stateQuota(of: module))
  }

  /// Checks that each slice of an earlier run is one that its module could have made.
  ///
  /// - Throws: ``RestoreError/refusedSlice(_:_:)``.
  func check(_ saved: SavedState) throws(RestoreError) {
    for (key, slice) in saved.slices where key != NavigationState.key {
      try check(slice, of: ModuleName(key.description), key.description)
    }
    for kept in saved.keptSlices { try check(kept.value, of: kept.module, kept.module.text) }
  }

  private func check(
    _ slice: Value, of module: ModuleName?, _ name: String
  ) throws(RestoreError) {
    let quota = module.map(sliceQuota) ?? SliceQuota(bytesMax: stateQuota)
    if let refusal = quota.refusal(ofWhole: slice) { throw .refusedSlice(name, refusal) }
  }

  /// How many of a module's last calls may fail until it is suspended.
  func faultsMax(of module: ModuleName) -> Int { limits[module]?.faultsMax ?? faultsMax }
}
