package import MoonValues

/// The state by modules, with the version of each slice, and slices whose module isn't there.
struct Slices {
  /// A slice and the version of its shape.
  typealias Versioned = (value: Value, version: Int64)

  /// The slices by module, and the navigation.
  var state = Map()
  private var versions: [ModuleName: Int64] = [:]
  /// Slices of modules that have left, kept in case they come back.
  private var parked: [ModuleName: Versioned] = [:]

  /// The slice of a module; nil if it has none.
  subscript(module: ModuleName) -> Value? { state[Self.key(module)] }

  static func key(_ module: ModuleName) -> Key { .string(Text(module.text)) }

  /// The slice of a module that is there, and its version.
  func versioned(_ module: Module) -> Versioned? {
    self[module.name].map { ($0, versions[module.name] ?? module.version) }
  }

  /// Puts a slice in place, outside of any action; nil takes it away.
  mutating func set(_ module: ModuleName, _ slice: Value?, version: Int64) {
    state[Self.key(module)] = slice
    versions[module] = slice == nil ? nil : version
  }

  /// Puts away the slice of a module that leaves.
  mutating func park(_ module: Module) {
    if let slice = versioned(module) { parked[module.name] = slice }
    set(module.name, nil, version: module.version)
  }

  /// Puts away a slice for a module that may come.
  mutating func park(_ slice: Versioned, of module: ModuleName) { parked[module] = slice }

  /// Takes what was put away for a module.
  mutating func unpark(_ module: ModuleName) -> Versioned? { parked.removeValue(forKey: module) }

  /// Whether anything is put away for a module.
  func isParked(_ module: ModuleName) -> Bool { parked[module] != nil }
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
