import MoonModules
import MoonServiceKit
package import MoonValues

/// The slices of all modules with their versions, and the slices that are put aside.
///
/// Confined to the host.
package final class Slices {
  private var all = Map()
  /// Whether one of the slices is lent, so that null stands for it.
  private var isLent = false
  /// The slices when changes last began to be noted.
  private var former = FormerSlices.unknown
  private var versions: [ModuleName: Int64] = [:]
  private var shapes: [ModuleName: StateShape] = [:]
  /// The slices of missing modules, and of other versions.
  package internal(set) var kept = KeptSlices()
  /// The modules that have a slice but couldn't start.
  package internal(set) var failedStarts = FailedStarts()

  /// Makes no slices.
  init() {}

  /// Takes over everything that others hold.
  func copy(_ others: Slices) {
    former.noteReplacement(of: state)
    (all, versions, shapes) = (others.state, others.versions, others.shapes)
    (kept, failedStarts) = (others.kept, others.failedStarts)
  }

  /// Makes the first slices of modules.
  init(of modules: [Module]) {
    for module in modules { set(module.state, of: module) }
  }

  /// The slices of all modules, and the navigation.
  ///
  /// They may not be read while one of them is lent.
  private(set) var state: Map {
    get {
      assert(!isLent, "the state was read while a slice was lent")
      return all
    }
    set { all = newValue }
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
  func set(_ slice: Value?, of module: Module) {
    set(slice, under: Self.key(module.name))
    versions[module.name] = module.version
    shapes[module.name] = module.stateKeys
  }

  /// Takes over the slice of an earlier run.
  func set(_ slice: KeptSlice) {
    set(slice.value, under: Self.key(slice.module))
    versions[slice.module] = slice.version
    shapes[slice.module] = slice.shape
  }

  /// Sets what is under a key of the state; nil removes it.
  func set(_ slice: Value?, under key: Key) {
    former.noteReplacement(of: state)
    state[key] = slice
  }

  /// Replaces the slices of all modules, and the navigation.
  package func replaceAll(by slices: Map) {
    former.noteReplacement(of: state)
    state = slices
  }

  /// Lends a slice to be changed in place; returns false if there is none, or if something else
  /// holds the state.
  func lend(_ key: Key, to lent: inout LentValue) -> Bool {
    isLent = all.lend(key, to: &lent)
    return isLent
  }

  /// Puts a slice back, and notes its change.
  func giveBack(_ slice: inout LentValue) {
    all.giveBack(&slice)
    isLent = false
    former.note(slice.change, at: slice.place, in: all)
  }

  /// Begins to note changes, for the outcome of a dispatch.
  func noteChanges() { former = .same }

  /// Stops noting changes, and returns the slices when this began.
  func takeFormer() -> FormerSlices {
    defer { former = .unknown }
    return former
  }

  /// Puts aside the slice of a module that leaves.
  func putAside(_ module: ModuleName) {
    if let slice = versioned(module) { kept.add(slice) }
    set(nil, under: Self.key(module))
    versions[module] = nil
    shapes[module] = nil
    _ = failedStarts.take(module)
  }
}
