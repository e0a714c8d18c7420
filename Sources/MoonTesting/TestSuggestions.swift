import Moonwire

/// What could have been meant by a name in a test.
enum TestSuggestions {
  /// The maximum number of names in a list.
  private static let listedCountMax = 20

  /// Returns the end of a sentence about an unknown name.
  static func ending(_ name: String, _ known: some Sequence<String>, before: String = "") -> String
  {
    Spelling.nearest(to: name, in: known).map { "; did you mean \(before)\($0)?" } ?? ""
  }

  /// Returns the names that there are, on one line.
  static func list(_ names: [String]) -> String {
    names.prefix(listedCountMax).joined(separator: ", ")
      + (names.count > listedCountMax ? ", and \(names.count - listedCountMax) more" : "")
  }

  /// Returns a sentence about the first slice of a test that no module has; nil if there is none.
  static func missingModule(in slices: Map, _ names: [String]) -> String? {
    for key in slices.keys where key != NavigationState.key {
      let name = key.description
      guard !names.contains(name) else { continue }
      return "the option state: there is no module \(name)" + ending(name, names)
    }
    return nil
  }

  /// Returns the path that is meant by one at which nothing is; nil if no other is close to it.
  static func path(for path: Path, in state: Value) -> Path? {
    var known = Path()
    for component in path.components {
      let next = known.appending(component)
      guard case .some = state.value(at: next) else {
        let names = (state.value(at: known)?.mapValue ?? Map()).map { key, _ in key.description }
        return Spelling.nearest(to: component.mapKey.description, in: names).map {
          known.appending(.key(Text($0)))
        }
      }
      known = next
    }
    return nil
  }
}
