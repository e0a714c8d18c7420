import MoonLua
import MoonSession

/// The limits on the code of modules, and the values of their settings.
struct LoadingOptions: Sendable {
  /// The time budgets of calls into modules.
  var budgets: Budgets
  /// The maximum memory of one module in bytes; 0 for no limit.
  var memoryQuota: Int
  /// The maximum size of a module's slice in bytes; 0 for no limit.
  var stateQuota: Int
  /// The limits of single modules that differ from those above.
  var limits: [ModuleName: ModuleLimits]
  /// The source of modules' settings.
  var settings: SettingSource
  /// The allocation that fails in each module's machine, for tests.
  var allocationFault: @Sendable (ModuleName) -> AllocationFault?

  /// Returns the time budgets of a module.
  func budgets(of module: ModuleName) -> Budgets {
    var budgets = self.budgets
    for (kind, time) in limits[module]?.budgets ?? [:] { budgets[kind] = time }
    return budgets
  }

  /// Returns the memory quota of a module in bytes.
  func memoryQuota(of module: ModuleName) -> Int { limits[module]?.memoryQuota ?? memoryQuota }

  /// Returns the quota of a module's slice in bytes.
  func stateQuota(of module: ModuleName) -> Int { limits[module]?.stateQuota ?? stateQuota }

  /// Returns the quota of a module's slice, with the module's name.
  func sliceQuota(of module: ModuleName) -> SliceQuota {
    SliceQuota(bytesMax: stateQuota(of: module))
  }
}
