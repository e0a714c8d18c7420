/// The state of the root at one moment, to compare with another.
struct Snapshot: Sendable {
  /// The stamps of the root, its directories, files and problems, sorted by the bytes of the path.
  private let stamps: [(path: String, stamp: FileStamp)]

  /// Makes a snapshot; nil if the root is missing or can't be listed.
  ///
  /// - Complexity: O(n log n) for the n names below the root.
  init?(of directory: ScriptDirectory) {
    guard let confines = try? directory.confines() else { return nil }
    var walk = DirectoryWalk(confines)
    guard walk.run(from: "", announcing: { _ in .go }) == nil else { return nil }
    var stamps = walk.directories.map { (path: $0.path, stamp: $0.stamp) }
    stamps += walk.files.map { (path: $0.entry.path, stamp: $0.stamp) }
    stamps += walk.problems.map { problem in
      let status = try? FileStatus(at: confines.root.appending(problem.path))
      return (path: problem.path, stamp: FileStamp(unusable: status))
    }
    self.stamps = stamps.sorted { ScriptName.precedes($0.path, $1.path) }
  }

  /// The paths that were added, removed or changed between `self` and `later`.
  ///
  /// The root's path is empty.
  ///
  /// - Complexity: O(n) for the n paths in both.
  func differences(to later: Self) -> Set<String> {
    var paths: Set<String> = []
    var (old, new) = (stamps[...], later.stamps[...])
    while let left = old.first, let right = new.first {
      if ScriptName.precedes(left.path, right.path) {
        paths.insert(left.path)
        old.removeFirst()
      } else if ScriptName.precedes(right.path, left.path) {
        paths.insert(right.path)
        new.removeFirst()
      } else {
        if left.stamp.doubted || left.stamp != right.stamp { paths.insert(left.path) }
        old.removeFirst()
        new.removeFirst()
      }
    }
    return paths.union(old.map(\.path)).union(new.map(\.path))
  }
}
