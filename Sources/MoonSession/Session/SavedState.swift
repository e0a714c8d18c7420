package import MoonModules
package import MoonServiceKit
package import MoonValues

/// A session's state, with everything needed to continue it in another run.
public struct SavedState: Sendable, Equatable {
  /// The slices of all modules, and the navigation.
  package let slices: Map
  /// The version of each module's slice, including modules that have none.
  package let versions: [ModuleName: Int64]
  /// The shape of the `state` that each module's slice was last filled from, as far as it is known.
  package let shapes: [ModuleName: StateShape]
  /// The slices that are put aside; those of one module are in that order.
  package let keptSlices: [KeptSlice]
  /// The modules that have started, which don't start again; nil means all.
  package let startedModules: Set<ModuleName>?

  /// Makes a saved state.
  package init(
    slices: Map, versions: [ModuleName: Int64], shapes: [ModuleName: StateShape] = [:],
    keptSlices: [KeptSlice] = [], startedModules: Set<ModuleName>?
  ) {
    self.slices = slices
    self.versions = versions
    self.shapes = shapes
    self.keptSlices = keptSlices
    self.startedModules = startedModules
  }

  /// Returns whether a module has started.
  package func hasStarted(_ module: ModuleName) -> Bool { startedModules?.contains(module) ?? true }
}

extension SavedState {
  /// Captures the current state of a session, or the latest one if an earlier one is shown; with
  /// other slices if they are given.
  package init(of session: Session, slices given: Map? = nil) {
    let slices = session.slices
    let (versions, shapes) = slices.origins(in: session.modules)
    self.init(
      slices: given ?? session.timeTravel.latestSlices ?? slices.state,
      versions: versions,
      shapes: shapes, keptSlices: slices.kept.all,
      startedModules: session.modules.names.subtracting(slices.failedStarts.neverStarted))
  }
}

extension Slices {
  /// Takes over the slices of an earlier run, in their versions.
  ///
  /// Slices of missing modules are put aside.
  func takeOver(_ earlier: SavedState, presentModules: Set<ModuleName>) {
    for slice in earlier.keptSlices { kept.add(slice) }
    for (key, slice) in earlier.slices {
      guard case .string(let name) = key else { continue }
      if key == NavigationState.key {
        set(slice, under: key)
      } else if let module = ModuleName(name.string) {
        let slice = KeptSlice(
          module: module, version: earlier.versions[module] ?? Module.firstVersion, value: slice,
          shape: earlier.shapes[module])
        if presentModules.contains(module) { set(slice) } else { kept.add(slice) }
      }
    }
  }
}
