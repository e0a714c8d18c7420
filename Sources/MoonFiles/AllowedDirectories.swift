/// The directories that may hold scripts at one moment: the root, and those that symbolic links may
/// lead into.
struct AllowedDirectories {
  /// The root's path without symbolic links.
  let root: PathBytes
  /// The paths of the other directories, without symbolic links.
  private let linked: [PathBytes]

  /// Resolves the directories; leaves out missing ones of `linked`.
  init(root: PathBytes, linked: [String] = []) {
    self.root = root
    self.linked = linked.compactMap { try? PathBytes(resolving: PathBytes($0)) }
  }

  /// Returns whether `location` is one of the directories or below it; it must be absolute and
  /// resolved.
  func contains(_ location: PathBytes) -> Bool {
    root.contains(location) || linked.contains { $0.contains(location) }
  }
}
