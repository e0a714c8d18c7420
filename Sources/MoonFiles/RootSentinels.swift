/// The watches on the directories above the root, which report when the root disappears or returns.
///
/// A watch on a directory reports that it was moved, but not that a directory above it was. If a
/// directory is removed while a process uses it, only a watch on its parent reports that.
struct RootSentinels {
  /// By watch, the names whose creation or removal concerns the root.
  private var names: [Int32: Set<String>] = [:]

  /// Watches all directories on the way to `root` that exist.
  ///
  /// Starts at the top, and watches each directory before it looks for the next. If one is missing
  /// or replaced, the queue therefore has the record of its creation.
  ///
  /// - Returns: The watches of an earlier call that are no longer needed.
  /// - Throws: A ``SystemError`` that means exhaustion. Directories that can't be watched for other
  ///   reasons are skipped.
  mutating func arm(
    around root: String, in queue: WatchQueue
  ) throws(SystemError) -> Set<Int32> {
    let previous = Set(names.keys)
    names = [:]
    var directory = PathBytes("/")
    for component in root.utf8.split(separator: UInt8(ascii: "/")) {
      let name = String(decoding: component, as: UTF8.self)
      guard try watch(directory, for: name, in: queue) else { break }
      directory = directory.appending(name)
    }
    // If the root's path contains symbolic links, the directories above the resolved path matter
    // too.
    if var place = try? PathBytes(resolving: PathBytes(root)), place != PathBytes(root) {
      while place != PathBytes("/") {
        place = place.parent
        _ = try watch(place, for: nil, in: queue)
      }
    }
    return previous.subtracting(names.keys)
  }

  var watches: Set<Int32> { Set(names.keys) }

  /// Returns whether the record may mean that the root's path now leads to another directory, or to
  /// none.
  func areConcerned(by record: InotifyRecord) -> Bool {
    guard let names = names[record.watch] else { return false }
    return record.has(InotifyRecord.ended | InotifyRecord.moved) || names.contains(record.name)
  }

  /// Watches a directory for a name; returns false if the directory doesn't exist.
  private mutating func watch(
    _ directory: PathBytes, for name: String?, in queue: WatchQueue
  ) throws(SystemError) -> Bool {
    do {
      let watch = try queue.add(directory, WatchQueue.outerMask)
      names[watch, default: []].formUnion(name.map { [$0] } ?? [])
    } catch {
      guard !error.meansExhausted else { throw error }
      return !error.meansAbsent
    }
    return true
  }
}
