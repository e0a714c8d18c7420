import Moonwire

/// The tests that a change of files can affect.
///
/// Modules that name each other belong together, as do those that they name, and so on. A test
/// belongs to the modules that it names, and to the one in whose folder it is or whose name it has.
struct AffectedTests: Sendable {
  /// A file of tests, with the words in its quoted texts.
  struct File: Sendable {
    let path: String
    let words: Set<String>
  }

  private let modules: [ModuleMentions]
  private let files: [File]

  init(_ modules: [ModuleMentions], _ files: [File]) {
    (self.modules, self.files) = (modules, files)
  }

  /// Returns the paths of the tests that a change of paths can affect; `former` is what was known
  /// before the change.
  func paths(changing changed: Set<String>, since former: AffectedTests?) -> Set<String> {
    let all = Set(files.map(\.path))
    let tests = changed.intersection(all)
    let others = changed.subtracting(all).subtracting(former?.files.map(\.path) ?? [])
    guard !others.isEmpty else { return tests }
    let known = modules + (former?.modules ?? [])
    let touched = known.filter { !$0.files.isDisjoint(with: others) }
    // Somebody may use what no module has loaded, such as a new module or a data file.
    let owned = touched.reduce(into: Set<String>()) { $0.formUnion($1.files) }
    guard others.isSubset(of: owned), !touched.contains(where: \.concernsAll) else { return all }
    let group = Self.group(of: Set(touched.map(\.name)), in: known)
    return tests.union(
      files.filter { file in
        !file.words.isDisjoint(with: group) || group.contains { Self.isNamed(file.path, after: $0) }
      }.map(\.path))
  }

  /// Returns the names of all modules that belong together with some.
  ///
  /// - Complexity: O(words)
  private static func group(of names: Set<String>, in known: [ModuleMentions]) -> Set<String> {
    let all = Set(known.map(\.name))
    var neighbours: [String: Set<String>] = [:]
    for module in known {
      for other in module.words.intersection(all) {
        neighbours[module.name, default: []].insert(other)
        neighbours[other, default: []].insert(module.name)
      }
      if module.concernsAll { neighbours[module.name, default: []].formUnion(all) }
    }
    var (group, left) = (names, Array(names))
    while let name = left.popLast() {
      for other in neighbours[name] ?? [] where group.insert(other).inserted { left.append(other) }
    }
    return group
  }

  /// Returns whether a test is `tests/todo.lua` or `todo/tests/….lua`.
  private static func isNamed(_ path: String, after module: String) -> Bool {
    path == "tests/\(module).lua" || path.hasPrefix("\(module)/tests/")
  }
}
