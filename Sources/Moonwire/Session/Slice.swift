import MoonValues

/// What a reload does to a module's part of the state.
enum Slice {
  /// `old` with the entries of `fresh` that it lacks, at any depth of maps.
  ///
  /// Lists and entries that are there stay as they are, also if their kind differs.
  static func filled(_ old: Value, with fresh: Value) -> Value {
    guard case .map(var map) = old, case .map(let defaults) = fresh else { return old }
    for (key, value) in defaults {
      if let known = map[key] {
        let filled = filled(known, with: value)
        if !filled.isIdentical(to: known) { map[key] = filled }
      } else {
        map[key] = value
      }
    }
    return .map(map)
  }
}
