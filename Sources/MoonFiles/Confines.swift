/// Where the scripts of a directory may lie, at one moment: below the root, and below those
/// directories that a person allows symbolic links to lead into.
struct Confines {
  /// The root, without symbolic links.
  let root: PathBytes
  /// The others, without symbolic links.
  private let linked: [PathBytes]

  /// Directories of `linked` that aren't there are left out.
  init(root: PathBytes, linked: [String] = []) {
    self.root = root
    self.linked = linked.compactMap { try? PathBytes(resolving: PathBytes($0)) }
  }

  /// Whether `location` is one of the directories or below it; it must be absolute and resolved.
  func contains(_ location: PathBytes) -> Bool {
    root.contains(location) || linked.contains { $0.contains(location) }
  }
}
