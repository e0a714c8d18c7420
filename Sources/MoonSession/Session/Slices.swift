package import MoonValues

/// The slices of all modules with their versions, and the slices that are put aside.
package struct Slices {
  /// The slices of all modules, and the navigation.
  var state = Map()
  private var origins: [ModuleName: Origin] = [:]
  /// The slices of missing modules, and of other versions.
  package internal(set) var kept = KeptSlices()
  /// The modules that have a slice but couldn't start.
  package internal(set) var failedStarts = FailedStarts()

  /// The module that a slice was last fitted to.
  private struct Origin {
    let version: Int64
    let shape: StateShape?
  }

  /// The slice of a module; nil if it has none.
  subscript(module: ModuleName) -> Value? { state[Self.key(module)] }

  static func key(_ module: ModuleName) -> Key { .string(Text(module.text)) }

  /// Returns the slice of a module with its version; nil if it has none.
  func versioned(_ module: ModuleName) -> KeptSlice? {
    guard let slice = self[module], let origin = origins[module] else { return nil }
    return KeptSlice(module: module, version: origin.version, value: slice, shape: origin.shape)
  }

  /// Gives a module a slice that was fitted to it, outside of any action; nil removes it.
  mutating func set(_ slice: Value?, of module: Module) {
    state[Self.key(module.name)] = slice
    origins[module.name] = Origin(version: module.version, shape: module.shape)
  }

  /// Takes over the slice of an earlier run.
  mutating func set(_ slice: KeptSlice) {
    state[Self.key(slice.module)] = slice.value
    origins[slice.module] = Origin(version: slice.version, shape: slice.shape)
  }

  /// Replaces the slices of all modules by those of a recorded state.
  package mutating func replaceAll(by recorded: Map) { state = recorded }

  /// Puts aside the slice of a module that leaves.
  mutating func putAside(_ module: ModuleName) {
    if let slice = versioned(module) { kept.add(slice) }
    state[Self.key(module)] = nil
    origins[module] = nil
    _ = failedStarts.take(module)
  }
}
