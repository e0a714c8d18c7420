/// The inotify watches on a script directory, and the interpretation of their records.
///
/// Directories are watched, never files, since a replaced file takes its watch with it. A method
/// that throws means that inotify can't continue; the tree is unusable after that.
final class WatchTree {
  /// The maximum number of reads in a batch, so that continuous writing can't delay events forever.
  private static let readCountMax = 64

  private let directory: ScriptDirectory
  private let queue: WatchQueue
  private var root: WatchedRoot?
  private var sentinels = RootSentinels()
  /// By watch, the relative paths of the directory: several if symbolic links point to it.
  private var folders: [Int32: Set<String>] = [:]
  private var watches: [String: Int32] = [:]
  private var links = WatchedLinks()
  /// Names that were created but gone when they were checked, until the record of their removal.
  private var unseen: Set<WatchedName> = []

  /// Starts watching.
  ///
  /// ``takeEvents()`` reports what happens after the call.
  init(_ directory: ScriptDirectory, kernel: Kernel) throws(SystemError) {
    self.directory = directory
    queue = try WatchQueue(kernel: kernel)
    try armRoot()
  }

  /// Readable while there are events to take.
  var descriptor: Int32 { queue.descriptor }

  var hasRoot: Bool { root != nil }

  /// Returns the combined events since the last call; empty if none of them matters.
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
    return batch.changed.isEmpty ? [] : [.changed(batch.changed)]
  }

  /// The combined effect of the records of one wake-up.
  private struct Batch {
    var changed: Set<String> = []
    var isOverflown = false
    var isRootInDoubt = false
    var hasRootEnded = false
  }

  private func take(_ record: InotifyRecord, into batch: inout Batch) throws(SystemError) {
    if record.has(InotifyRecord.overflow) { batch.isOverflown = true }
    if sentinels.areConcerned(by: record) { batch.isRootInDoubt = true }
    let isRoot = folders[record.watch]?.contains("") == true
    if record.has(InotifyRecord.ended) {
      batch.hasRootEnded = batch.hasRootEnded || isRoot
      batch.isRootInDoubt = batch.isRootInDoubt || isRoot
      try lose(record.watch, &batch)
    } else if record.has(InotifyRecord.moved) {
      // Below the root, the parent's watch reports the new place.
      batch.isRootInDoubt = batch.isRootInDoubt || isRoot
    } else {
      let name = WatchedName(watch: record.watch, name: record.name)
      try takeLinks(past: name, record, into: &batch)
      guard folders[record.watch] != nil, !ScriptName.isIgnored(record.name) else { return }
      try take(record, at: name, into: &batch)
    }
  }

  private func take(
    _ record: InotifyRecord, at name: WatchedName, into batch: inout Batch
  ) throws(SystemError) {
    let isDirectory = record.has(InotifyRecord.isDirectory)
    let isScript = ScriptName.isLua(name.name)
    if record.has(InotifyRecord.closeWrite) {
      unseen.remove(name)
      if isScript { batch.changed.formUnion(paths(of: name)) }
    } else if record.has(InotifyRecord.left) {
      // An unseen name may have been a link to a directory that was followed in the meantime.
      if unseen.remove(name) != nil || isDirectory || isScript {
        batch.changed.formUnion(paths(of: name))
      }
      leave(name, &batch)
    } else if isDirectory {
      try arrive(name, &batch)
    } else {
      let statuses = statuses(of: name)
      if statuses.contains(where: { $0 == nil }) { unseen.insert(name) }
      // A new file is reported when it is closed. A link, a second name for a file or a device is
      // never opened by its new name, so it is reported now.
      let isWhole =
        !record.has(InotifyRecord.created)
        || statuses.contains { $0.map { $0.linkCount > 1 || $0.kind == .special } == true }
      if isScript, isWhole { batch.changed.formUnion(paths(of: name)) }
      if statuses.contains(where: { $0?.kind == .symbolicLink }) {
        try arrive(name, &batch)
      } else {
        leave(name, &batch)
      }
    }
  }

  /// Returns the status at each path to the name.
  ///
  /// A path may lead elsewhere by now.
  private func statuses(of name: WatchedName) -> [FileStatus?] {
    paths(of: name).map { path in
      root.flatMap { try? FileStatus(at: $0.place.appending(path)) }
    }
  }

  /// Checks the links whose resolution looks up the name.
  private func takeLinks(
    past name: WatchedName, _ record: InotifyRecord, into batch: inout Batch
  ) throws(SystemError) {
    for link in links.passing(name) {
      if record.has(InotifyRecord.closeWrite) {
        if ScriptName.isLua(link.name) { batch.changed.formUnion(paths(of: link)) }
      } else {
        try arrive(link, &batch)
      }
    }
  }

  /// Checks everything that depended on the directory of a watch that has ended.
  private func lose(_ watch: Int32, _ batch: inout Batch) throws(SystemError) {
    let passing = links.passing(watch)
    for path in folders[watch] ?? [] {
      // A symbolic link may now lead to another directory, or to none; the link itself stays.
      if let name = name(of: path) { try arrive(name, &batch) }
    }
    for link in passing { try arrive(link, &batch) }
  }

  /// Records that a directory or a symbolic link is gone.
  private func leave(_ name: WatchedName, _ batch: inout Batch) {
    let counts = links.counts(name)
    for path in paths(of: name) {
      if counts || watches[path] != nil { batch.changed.insert(path) }
      forget(path)
    }
    links.remove(name).forEach(removeUnused)
  }

  /// Watches a new entry under all its paths, and records everything in it as changed.
  private func arrive(_ name: WatchedName, _ batch: inout Batch) throws(SystemError) {
    leave(name, &batch)
    var seen: [String] = []
    for path in paths(of: name) where !seen.contains(where: { ScriptName.isWithin(path, $0) }) {
      seen.append(path)
      guard let walk = try arm(path) else { continue }
      batch.changed.formUnion(walk.files.map(\.entry.path))
      batch.changed.formUnion(walk.directories.map(\.path))
      batch.changed.formUnion(walk.problems.map(\.path))
      for link in walk.links where link.counts { batch.changed.insert(link.path) }
    }
  }
}

extension WatchTree {
  /// Returns all paths that lead to the name, sorted.
  private func paths(of name: WatchedName) -> [String] {
    (folders[name.watch] ?? []).map { ScriptName.join($0, name.name) }
      .sorted(by: ScriptName.precedes)
  }

  /// Returns the watched name of a path; nil for the root, and for a path that isn't in a watched
  /// directory.
  private func name(of path: String) -> WatchedName? {
    guard let (directory, name) = ScriptName.split(path), let watch = watches[directory]
    else { return nil }
    return WatchedName(watch: watch, name: name)
  }

  /// Watches the directories from `start` on.
  ///
  /// Returns the walk; nil if the root or a directory above `start` is gone.
  private func arm(_ start: String) throws(SystemError) -> DirectoryWalk? {
    guard let root else { return nil }
    let confines = AllowedDirectories(root: root.place, linked: directory.linkedDirectories)
    var walk = DirectoryWalk(confines)
    var failure: SystemError?
    let cause = walk.run(from: start) { step in
      do throws(SystemError) {
        try watch(step, within: confines)
      } catch {
        // The removal of a missing directory will have a record, and the walk reports unreadable
        // ones.
        guard error.meansExhausted else { return error.meansAbsent ? .passOver : .go }
        failure = error
        return .endWalk
      }
      return .go
    }
    if let failure { throw failure }
    if let cause {
      // A path below the root is changing; a record of it will follow.
      guard cause.meansAbsent || !start.isEmpty else { throw cause }
      return nil
    }
    for link in walk.links {
      if let name = name(of: link.path) { links.note(name, counts: link.counts) }
    }
    return walk
  }

  private func watch(_ step: DirectoryWalk.Step, within confines: AllowedDirectories)
    throws(SystemError)
  {
    switch step {
    case .entering(let path):
      let watch = try queue.add(confines.root.appending(path), WatchQueue.mask)
      folders[watch, default: []].insert(path)
      watches[path] = watch
    case .following(let path):
      guard let name = name(of: path) else { return }
      try links.watchWay(
        of: name, at: confines.root.appending(path), within: confines, in: queue)
    }
  }

  /// Ends the watches on `path` and below it.
  ///
  /// - Complexity: O(number of watched directories); O(1) for a path that isn't watched.
  private func forget(_ path: String) {
    guard watches[path] != nil else { return }
    for (folder, watch) in watches where ScriptName.isWithin(folder, path) {
      watches[folder] = nil
      folders[watch]?.remove(folder)
      guard folders[watch]?.isEmpty == true else { continue }
      folders[watch] = nil
      links.removeAll(in: watch).union([watch]).forEach(removeUnused)
    }
  }

  private func removeUnused(_ watch: Int32) {
    guard folders[watch] == nil, !sentinels.watches.contains(watch), !links.pass(watch)
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
    // If another directory is there now, the sentinels have a record of it.
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
    (root, folders, watches, unseen) = (nil, [:], [:], [])
    (sentinels, links) = (RootSentinels(), WatchedLinks())
    old.forEach(queue.remove)
    try armRoot()
  }

  /// Checks whether the watched directory is still the one at the root's path.
  private func reviewRoot(
    after batch: Batch
  ) throws(SystemError) -> [DirectoryWatcher.Event] {
    let place = try? directory.resolvedRoot()
    if !batch.hasRootEnded, let root, root.place == place,
      (try? FileStatus(following: root.place).identity) == root.identity
    {
      try armSentinels()
      return []
    }
    let hadRoot = hasRoot
    try rearmRoot()
    return (hadRoot ? [.rescan(.rootVanished)] : []) + (hasRoot ? [.rescan(.rootReturned)] : [])
  }
}

/// The directory watched as the root.
struct WatchedRoot {
  /// Its path without symbolic links.
  let place: PathBytes
  let identity: FileIdentity
}
