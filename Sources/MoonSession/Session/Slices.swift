package import MoonValues

/// The slices of all modules with their versions, and the slices that are put aside.
package struct Slices {
  /// The slices of all modules, and the navigation.
  var state = Map()
  private var versions: [ModuleName: Int64] = [:]
  private var shapes: [ModuleName: StateShape] = [:]
  /// The slices of missing modules, and of other versions.
  package internal(set) var kept = KeptSlices()
  /// The modules that have a slice but couldn't start.
  package internal(set) var failedStarts = FailedStarts()

  /// Makes no slices.
  init() {}

  /// Makes the first slices of modules.
  init(of modules: [Module]) {
    for module in modules { set(module.state, of: module) }
  }

  /// The slice of a module; nil if it has none.
  subscript(module: ModuleName) -> Value? { state[Self.key(module)] }

  static func key(_ module: ModuleName) -> Key { .string(Text(module.text)) }

  /// Returns the slice of a module with its version; nil if it has none.
  func versioned(_ module: ModuleName) -> KeptSlice? {
    guard let slice = self[module], let version = versions[module] else { return nil }
    return KeptSlice(module: module, version: version, value: slice, shape: shapes[module])
  }

  /// The versions of the slices of modules, and their shapes as far as they are known; a module
  /// without a slice has its own version and no shape.
  func origins(
    in modules: ModuleSet
  ) -> (versions: [ModuleName: Int64], shapes: [ModuleName: StateShape]) {
    // Only modules in service are in `versions`. Almost always all are and have slices. Then both
    // are shared instead of made; making them was a third of the instructions of closing a session.
    if versions.count == modules.sorted.count,
      modules.sorted.allSatisfy({ state[$0.slice] != nil })
    {
      return (versions, shapes)
    }
    var found = (versions: [ModuleName: Int64](), shapes: [ModuleName: StateShape]())
    for entry in modules.sorted {
      let slice = versioned(entry.module.name)
      found.versions[entry.module.name] = slice?.version ?? entry.module.version
      found.shapes[entry.module.name] = slice?.shape
    }
    return found
  }

  /// Gives a module a slice that was fitted to it, outside of any action; nil removes it.
  mutating func set(_ slice: Value?, of module: Module) {
    state[Self.key(module.name)] = slice
    versions[module.name] = module.version
    shapes[module.name] = module.shape
  }

  /// Takes over the slice of an earlier run.
  mutating func set(_ slice: KeptSlice) {
    state[Self.key(slice.module)] = slice.value
    versions[slice.module] = slice.version
    shapes[slice.module] = slice.shape
  }

  /// Replaces the slices of all modules by those of a recorded state.
  package mutating func replaceAll(by recorded: Map) { state = recorded }

  /// Puts aside the slice of a module that leaves.
  mutating func putAside(_ module: ModuleName) {
    if let slice = versioned(module) { kept.add(slice) }
    state[Self.key(module)] = nil
    versions[module] = nil
    shapes[module] = nil
    _ = failedStarts.take(module)
  }
}
