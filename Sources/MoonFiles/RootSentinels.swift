/// The watches on the directories above the root, which report when the root disappears or returns.
///
/// A watch on a directory reports that it was moved, but not that a directory above it was. If a
/// directory is removed while a process uses it, only a watch on its parent reports that.
struct RootSentinels {
  /// By watch, the names whose creation or removal affects the root.
  private var names: [Int32: Set<String>] = [:]

  /// Watches the directories on the way to `root` that exist.
  ///
  /// While the root is there, only what is beside it can wake the watcher. The directories further
  /// up can't be removed then, and report their own moves. On a busy machine, a watch for names
  /// in `/tmp` would wake an idle host all the time.
  ///
  /// - Returns: The watches of an earlier call that are no longer needed.
  /// - Throws: A ``SystemError`` that means exhaustion. Directories that can't be watched for other
  ///   reasons are skipped.
  mutating func arm(
    around root: String, in queue: WatchQueue
  ) throws(SystemError) -> Set<Int32> {
    let previous = Set(names.keys)
    names = [:]
    if try !armNear(root, in: queue) { try armAll(around: root, in: queue) }
    return previous.subtracting(names.keys)
  }

  /// Watches for the root's name beside it, and for moves of the directories above it.
  ///
  /// - Returns: Whether that is enough: the root is there, and has no symbolic links on its path.
  private mutating func armNear(
    _ root: String, in queue: WatchQueue
  ) throws(SystemError) -> Bool {
    let place = PathBytes(root)
    guard let name = root.utf8.split(separator: UInt8(ascii: "/")).last,
      (try? PathBytes(resolving: place)) == place
    else { return false }
    try watchMoves(of: place.parent, in: queue)
    _ = try watch(place.parent, for: String(decoding: name, as: UTF8.self), in: queue)
    // Any later change has a record, unless the directory was gone before it was watched.
    return (try? PathBytes(resolving: place)) == place
  }

  /// Watches each directory on the path for the next name.
  ///
  /// Starts at the top, and watches each directory before it looks for the next. If one is missing
  /// or replaced, the queue therefore has the record of its creation.
  private mutating func armAll(around root: String, in queue: WatchQueue) throws(SystemError) {
    var directory = PathBytes("/")
    for component in root.utf8.split(separator: UInt8(ascii: "/")) {
      let name = String(decoding: component, as: UTF8.self)
      guard try watch(directory, for: name, in: queue) else { break }
      directory = directory.appending(name)
    }
    // If the root's path contains symbolic links, the directories above the resolved path matter
    // too.
    if let place = try? PathBytes(resolving: PathBytes(root)), place != PathBytes(root) {
      try watchMoves(of: place.parent, in: queue)
    }
  }

  var watches: Set<Int32> { Set(names.keys) }

  /// Returns whether the record may mean that the root's path now leads to another directory, or to
  /// none.
  func areConcerned(by record: InotifyRecord) -> Bool {
    guard let names = names[record.watch] else { return false }
    return record.has(InotifyRecord.ended | InotifyRecord.moved) || names.contains(record.name)
  }

  /// Watches a directory, and all above it, for being moved.
  private mutating func watchMoves(
    of directory: PathBytes, in queue: WatchQueue
  ) throws(SystemError) {
    var directory = directory
    while directory != PathBytes("/") {
      _ = try watch(directory, for: nil, in: queue)
      directory = directory.parent
    }
  }

  /// Watches a directory for being moved, and for a name if one is given.
  ///
  /// - Returns: Whether the directory exists.
  private mutating func watch(
    _ directory: PathBytes, for name: String?, in queue: WatchQueue
  ) throws(SystemError) -> Bool {
    do {
      let mask = name == nil ? WatchQueue.movesMask : WatchQueue.outerMask
      let watch = try queue.add(directory, mask)
      names[watch, default: []].formUnion(name.map { [$0] } ?? [])
    } catch {
      guard !error.meansExhausted else { throw error }
      return !error.meansAbsent
    }
    return true
  }
}
