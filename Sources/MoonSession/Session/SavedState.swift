public import MoonValues

/// A session's state, with what it takes to go on with it in another run.
public struct SavedState: Sendable, Equatable {
  /// The slices by module, and the navigation.
  public let slices: Map
  /// The version of each module's slice, also of modules that have none.
  public let versions: [ModuleName: Int64]
  /// The slices that were put aside, those of each module in that order.
  public let keptSlices: [KeptSlice]
  /// The modules that have been started, which aren't started again; nil for all there are.
  public let startedModules: Set<ModuleName>?

  /// Makes one.
  public init(
    slices: Map, versions: [ModuleName: Int64], keptSlices: [KeptSlice] = [],
    startedModules: Set<ModuleName>?
  ) {
    self.slices = slices
    self.versions = versions
    self.keptSlices = keptSlices
    self.startedModules = startedModules
  }

  /// Whether a module has been started.
  func hasStarted(_ module: ModuleName) -> Bool { startedModules?.contains(module) ?? true }
}

extension Session {
  /// The state as it is, for another run.
  package var saved: SavedState {
    let present = modules.sorted.map(\.module)
    return SavedState(
      slices: state,
      versions: Dictionary(
        present.map { ($0.name, slices.versioned($0.name)?.version ?? $0.version) },
        uniquingKeysWith: { first, _ in first }),
      keptSlices: slices.kept.all, startedModules: Set(present.map(\.name)))
  }
}
