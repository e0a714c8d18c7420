package import MoonValues

/// The places that recordings leave out: those that modules in service name, and those that modules
/// before them named.
///
/// What a module leaves behind, such as a slice that is put aside or an action that another module
/// takes, holds the same secrets.
package struct RedactedPaths {
  /// The maximum number of places.
  ///
  /// New ones replace the oldest that no module in service names.
  package static let countMax = 10_000

  /// The places, those of modules in service last.
  package private(set) var all: [Path] = []

  /// Makes an empty list.
  init() {}

  /// Takes the places that the modules in service name.
  mutating func note(inService paths: [Path]) {
    guard all.suffix(paths.count) != paths[...] else { return }
    let named = Set(paths)
    all = all.filter { !named.contains($0) } + paths
    all.removeFirst(max(0, all.count - max(Self.countMax, paths.count)))
  }

  /// Takes places that modules named earlier; returns false if all are known.
  mutating func note(earlier paths: [Path]) -> Bool {
    let known = Set(all)
    let others = paths.filter { !known.contains($0) }
    all = others.suffix(max(0, Self.countMax - all.count)) + all
    return !others.isEmpty
  }
}
