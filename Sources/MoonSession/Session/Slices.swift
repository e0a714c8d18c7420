package import MoonValues

/// The slices of all modules with their versions, and the slices that are put aside.
package struct Slices {
  /// The slices of all modules, and the navigation.
  var state = Map()
  private var versions: [ModuleName: Int64] = [:]
  /// The slices of missing modules, and of other versions.
  package internal(set) var kept = KeptSlices()

  /// The slice of a module; nil if it has none.
  subscript(module: ModuleName) -> Value? { state[Self.key(module)] }

  static func key(_ module: ModuleName) -> Key { .string(Text(module.text)) }

  /// Returns the slice of a module with its version; nil if it has none.
  func versioned(_ module: ModuleName) -> KeptSlice? {
    guard let slice = self[module], let version = versions[module] else { return nil }
    return KeptSlice(module: module, version: version, value: slice)
  }

  /// Sets a slice outside of any action; nil removes it.
  mutating func set(_ module: ModuleName, _ slice: Value?, version: Int64) {
    state[Self.key(module)] = slice
    versions[module] = version
  }

  /// Puts aside the slice of a module that leaves.
  mutating func putAside(_ module: ModuleName) {
    if let slice = versioned(module) { kept.add(slice) }
    state[Self.key(module)] = nil
    versions[module] = nil
  }
}

extension Value {
  /// Returns the value with the entries of `fresh` that it lacks, at any depth of maps.
  ///
  /// Lists and existing entries stay unchanged, even if their kinds differ.
  package func filled(with fresh: Value) -> Value {
    guard case .map(var map) = self, case .map(let defaults) = fresh else { return self }
    for (key, value) in defaults {
      if let known = map[key] {
        let filled = known.filled(with: value)
        if !filled.isIdentical(to: known) { map[key] = filled }
      } else {
        map[key] = value
      }
    }
    return .map(map)
  }
}
