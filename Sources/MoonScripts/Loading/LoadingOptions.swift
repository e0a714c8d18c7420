package import MoonLua
package import MoonModules
package import MoonServiceKit

/// The limits on the code of modules, and the values of their settings.
package struct LoadingOptions: Sendable {
  /// The time budgets of calls into modules.
  package var budgets: Budgets
  /// The maximum memory of one module in bytes; 0 for no limit.
  package var memoryQuota: Int
  /// The maximum size of a module's slice in bytes; 0 for no limit.
  package var stateQuota: Int
  /// The limits of single modules that differ from those above.
  package var limits: [ModuleName: ModuleLimits]
  /// The source of modules' settings.
  package var settings: SettingSource
  /// Whether modules and registrations for debugging are loaded.
  package var isDebugging: Bool
  /// The allocation that fails in each module's machine, for tests.
  package var allocationFault: @Sendable (ModuleName) -> AllocationFault?

  /// Makes options.
  package init(
    budgets: Budgets, memoryQuota: Int, stateQuota: Int, limits: [ModuleName: ModuleLimits],
    settings: SettingSource, isDebugging: Bool,
    allocationFault: @escaping @Sendable (ModuleName) -> AllocationFault?
  ) {
    self.budgets = budgets
    self.memoryQuota = memoryQuota
    self.stateQuota = stateQuota
    self.limits = limits
    self.settings = settings
    self.isDebugging = isDebugging
    self.allocationFault = allocationFault
  }

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
  package func sliceQuota(of module: ModuleName) -> SliceQuota {
    SliceQuota(bytesMax: stateQuota(of: module))
  }
}
