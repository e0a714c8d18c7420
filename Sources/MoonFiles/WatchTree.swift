/// The inotify watches on a script directory, and what their records mean.
///
/// Directories are watched and never files: a file that is replaced takes its watch along.
/// Every method that throws does so because inotify can't go on; the tree is of no use after that.
final class WatchTree {
  /// How many reads make up one batch, so that endless writing can't hold back what is known.
  private static let readCountMax = 64

  private let directory: ScriptDirectory
  private let queue: WatchQueue
  private var root: WatchedRoot?
  private var sentinels = RootSentinels()
  /// By watch: the relative paths of the directory; several if symbolic links lead to it.
  private var folders: [Int32: Set<String>] = [:]
  private var watches: [String: Int32] = [:]
  private var links = WatchedLinks()

  /// Watches from this moment on: what happens after the call is told by ``takeEvents()``.
  init(_ directory: ScriptDirectory, kernel: Kernel) throws(SystemError) {
    self.directory = directory
    queue = try WatchQueue(kernel: kernel)
    try armRoot()
  }

  /// Readable when there are events to take.
  var descriptor: Int32 { queue.descriptor }

  var hasRoot: Bool { root != nil }

  /// All that has happened since the last call, taken together; empty if none of it matters.
  func takeEvents() throws(SystemError) -> [DirectoryWatcher.Event] {
    var batch = Batch()
    for _ in 0..<Self.readCountMax {
      guard let records = try queue.read() else { break }
      for record in records { try take(record, into: &batch) }
    }
    if batch.isOverflown {
      let hadRoot = hasRoot
      try rearmRoot()
      guard hadRoot != hasRoot else { return [.rescan(.overflow)] }
      return [.rescan(.overflow), .rescan(hasRoot ? .rootReturned : .rootVanished)]
    }
    if batch.isRootInDoubt {
      let events = try reviewRoot(after: batch)
      guard events.isEmpty else { return events }
    }
    if batch.hasTouchedTree, let root {
      for link in links.takeChanged(below: root.place) {
        try arrive(link, &batch)
      }
    }
    return batch.changed.isEmpty ? [] : [.changed(batch.changed)]
  }

  /// What the records of one wake-up amount to.
  private struct Batch {
    var changed: Set<String> = []
    var hasTouchedTree = false
    var isOverflown = false
    var isRootInDoubt = false
    var hasRootEnded = false
  }

  private func take(_ record: InotifyRecord, into batch: inout Batch) throws(SystemError) {
    if record.has(InotifyRecord.overflow) { batch.isOverflown = true }
    if sentinels.areConcerned(by: record) { batch.isRootInDoubt = true }
    if links.watches.contains(record.watch) { batch.hasTouchedTree = true }
    guard let paths = folders[record.watch] else { return }
    batch.hasTouchedTree = true
    if record.has(InotifyRecord.ended) {
      batch.hasRootEnded = batch.hasRootEnded || paths.contains("")
      batch.isRootInDoubt = batch.isRootInDoubt || paths.contains("")
      // Behind a symbolic link's path there may be another directory, or none; the link stays.
      for path in paths where !path.isEmpty { try arrive(path, &batch) }
    } else if record.has(InotifyRecord.moved) {
      // Below the root, the directory above tells where it went.
      batch.isRootInDoubt = batch.isRootInDoubt || paths.contains("")
    } else if !ScriptName.isIgnored(record.name) {
      for path in paths {
        try take(record, at: ScriptName.join(path, record.name), into: &batch)
      }
    }
  }

  private func take(
    _ record: InotifyRecord, at path: String, into batch: inout Batch
  ) throws(SystemError) {
    let isDirectory = record.has(InotifyRecord.isDirectory)
    let isScript = ScriptName.isLua(path)
    if record.has(InotifyRecord.closeWrite) {
      if isScript { batch.changed.insert(path) }
    } else if record.has(InotifyRecord.left) {
      if isDirectory || isScript { batch.changed.insert(path) }
      leave(path, &batch)
    } else if isDirectory || !record.has(InotifyRecord.created) {
      if isScript, !isDirectory { batch.changed.insert(path) }
      try arrive(path, &batch)
    } else if let place = root?.place, let status = try? FileStatus(at: place.appending(path)) {
      // A new file is told when it is closed; a new name for a finished one is all there is.
      if status.kind == .symbolicLink {
        try arrive(path, &batch)
      } else if isScript, status.size > 0, status.linkCount > 1 {
        batch.changed.insert(path)
      }
    }
  }

  /// Counts a directory or a symbolic link as changed that was at `path` and isn't any more.
  private func leave(_ path: String, _ batch: inout Batch) {
    if watches[path] != nil || links.counts(path) { batch.changed.insert(path) }
    forget(path)
  }

  /// Watches what has come to `path`, and counts all that's in it as changed.
  private func arrive(_ path: String, _ batch: inout Batch) throws(SystemError) {
    leave(path, &batch)
    guard let walk = try arm(path) else { return }
    batch.changed.formUnion(walk.files.map(\.entry.path))
    batch.changed.formUnion(walk.directories.map(\.path))
    batch.changed.formUnion(walk.problems.map(\.path))
  }
}

extension WatchTree {
  /// Nil when the root, or what is above `start`, is gone meanwhile.
  private func arm(_ start: String) throws(SystemError) -> DirectoryWalk? {
    guard let root else { return nil }
    var walk = DirectoryWalk(root: root.place)
    var failure: SystemError?
    let cause = walk.run(from: start) { path in
      do throws(SystemError) {
        let watch = try queue.add(root.place.appending(path), WatchQueue.mask)
        folders[watch, default: []].insert(path)
        watches[path] = watch
      } catch {
        // An unreadable or vanished directory is the walk's to report.
        guard error.meansExhausted else { return .enter }
        failure = error
        return .endWalk
      }
      return .enter
    }
    if let failure { throw failure }
    if let cause {
      guard cause.meansAbsent else { throw cause }
      return nil
    }
    for link in walk.links {
      try links.insert(link, below: root.place, in: queue)
    }
    return walk
  }

  /// Ends the watches on `path` and below it.
  ///
  /// - Complexity: O(directories watched), and O(1) for a path that isn't one of them.
  private func forget(_ path: String) {
    links.remove(within: path)
    guard watches[path] != nil else { return }
    for (folder, watch) in watches where ScriptName.isWithin(folder, path) {
      watches[folder] = nil
      folders[watch]?.remove(folder)
      guard folders[watch]?.isEmpty == true else { continue }
      folders[watch] = nil
      removeUnused(watch)
    }
  }

  private func removeUnused(_ watch: Int32) {
    guard folders[watch] == nil, !sentinels.watches.contains(watch),
      !links.watches.contains(watch)
    else { return }
    queue.remove(watch)
  }

  private func armRoot() throws(SystemError) {
    try armSentinels()
    let place: PathBytes
    do {
      place = try directory.resolvedRoot()
    } catch .rootUnreadable(_, let cause) {
      throw cause
    } catch {
      return
    }
    guard let before = try? FileStatus(following: place).identity else { return }
    root = WatchedRoot(place: place, identity: before)
    // If another directory is there by now, the sentinels have a record of it.
    guard try arm("") != nil, (try? FileStatus(following: place).identity) == before else {
      root = nil
      return
    }
  }

  private func armSentinels() throws(SystemError) {
    try sentinels.arm(around: directory.root, in: queue).forEach(removeUnused)
  }

  private func rearmRoot() throws(SystemError) {
    let old = sentinels.watches.union(folders.keys).union(links.watches)
    (root, folders, watches) = (nil, [:], [:])
    (sentinels, links) = (RootSentinels(), WatchedLinks())
    old.forEach(queue.remove)
    try armRoot()
  }

  /// Finds out whether the directory that is watched is still the one at the root's path.
  private func reviewRoot(
    after batch: Batch
  ) throws(SystemError) -> [DirectoryWatcher.Event] {
    let place = try? directory.resolvedRoot()
    if !batch.hasRootEnded, let root, let place,
      (try? FileStatus(following: place).identity) == root.identity
    {
      self.root = WatchedRoot(place: place, identity: root.identity)
      try armSentinels()
      return []
    }
    let hadRoot = hasRoot
    try rearmRoot()
    return (hadRoot ? [.rescan(.rootVanished)] : []) + (hasRoot ? [.rescan(.rootReturned)] : [])
  }
}

/// The directory that is watched as the root.
struct WatchedRoot {
  /// Where it is, without symbolic links.
  let place: PathBytes
  let identity: FileIdentity
}
