package import MoonValues

/// The state by modules, with the version of each slice, and slices that are put aside.
package struct Slices {
  /// The slices by module, and the navigation.
  var state = Map()
  private var versions: [ModuleName: Int64] = [:]
  /// Slices of modules that aren't there, and of other versions.
  package internal(set) var kept = KeptSlices()

  /// The slice of a module; nil if it has none.
  subscript(module: ModuleName) -> Value? { state[Self.key(module)] }

  static func key(_ module: ModuleName) -> Key { .string(Text(module.text)) }

  /// The slice of a module that is there, with its version; nil if it has none.
  func versioned(_ module: ModuleName) -> KeptSlice? {
    guard let slice = self[module], let version = versions[module] else { return nil }
    return KeptSlice(module: module, version: version, value: slice)
  }

  /// Puts a slice in place, outside of any action; nil takes it away.
  mutating func set(_ module: ModuleName, _ slice: Value?, version: Int64) {
    state[Self.key(module)] = slice
    versions[module] = version
  }

  /// Puts away the slice of a module that leaves.
  mutating func park(_ module: ModuleName) {
    if let slice = versioned(module) { kept.add(slice) }
    state[Self.key(module)] = nil
    versions[module] = nil
  }
}

extension Value {
  /// The value with the entries of `fresh` that it lacks, at any depth of maps.
  ///
  /// Lists and entries that are there stay as they are, also if their kind differs.
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
