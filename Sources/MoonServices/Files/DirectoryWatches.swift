import Dispatch
import Glibc
import MoonFiles
import Moonwire
import Synchronization

/// The watches of all scripts on one inotify queue, because a process may have only a few queues.
///
/// The queue is made for the first watch, and kept.
final class DirectoryWatches: Sendable {
  fileprivate struct Watcher {
    let directory: WatchedDirectory
    /// The name to watch; nil for all names.
    let name: String?
    let changes: PendingChanges
  }

  fileprivate struct Contents {
    var queue: WatchQueue?
    var source: (any DispatchSourceRead)?
    var watchers: [Int32: [ObjectIdentifier: Watcher]] = [:]
  }

  private let contents = Mutex(Contents())

  /// Watches a directory, or one name in it, until the result is released.
  ///
  /// `place` is the path at which the grant was checked.
  func watch(
    _ directory: borrowing Descriptor, at place: String, name: String?, as path: String,
    in memory: HeldMemory
  ) throws(SystemError) -> FileWatch {
    let changes = PendingChanges(path, in: memory)
    let watched = try WatchedDirectory(directory, place)
    let watcher = Watcher(directory: watched, name: name, changes: changes)
    // The directory itself, whatever is at its path now.
    let opened = PathBytes("/proc/self/fd/\(directory.number)")
    let watch = try contents.withLock { contents throws(SystemError) in
      let queue = try self.queue(of: &contents)
      let watch = try queue.add(opened, WatchQueue.mask)
      contents.watchers[watch, default: [:]][ObjectIdentifier(changes)] = watcher
      return watch
    }
    return FileWatch(changes) { [weak self] in self?.remove(changes, watch) }
  }

  private func remove(_ changes: PendingChanges, _ watch: Int32) {
    contents.withLock { contents in
      guard contents.watchers[watch]?.removeValue(forKey: ObjectIdentifier(changes)) != nil,
        contents.watchers[watch]?.isEmpty == true
      else { return }
      contents.watchers[watch] = nil
      contents.queue?.remove(watch)
    }
  }

  private func queue(of contents: inout Contents) throws(SystemError) -> WatchQueue {
    if let queue = contents.queue { return queue }
    let queue = try WatchQueue()
    let source = DispatchSource.makeReadSource(
      fileDescriptor: queue.descriptor, queue: DispatchQueue(label: "moonwire.files.watch"))
    source.setEventHandler { [weak self] in self?.read() }
    source.activate()
    (contents.queue, contents.source) = (queue, source)
    return queue
  }

  /// Passes the waiting records to the watchers that they affect.
  private func read() {
    contents.withLock { contents in
      let records = (try? contents.queue?.read()) ?? []
      for record in records { contents.take(record) }
    }
  }
}

extension DirectoryWatches.Contents {
  mutating func take(_ record: InotifyRecord) {
    if record.has(InotifyRecord.overflow) {
      for watcher in watchers.values.flatMap(\.values) { watcher.changes.miss() }
    }
    guard let concerned = watchers[record.watch]?.values else { return }
    if record.has(InotifyRecord.ended | InotifyRecord.moved) {
      for watcher in concerned { watcher.end() }
      watchers[record.watch] = nil
      if record.has(InotifyRecord.moved) { queue?.remove(record.watch) }
    } else {
      for watcher in concerned { watcher.take(record) }
    }
  }
}

extension DirectoryWatches.Watcher {
  /// Ends the watches: the directory is gone, or elsewhere, where the module may not be allowed to
  /// look.
  func end() {
    changes.add(.removed)
    changes.finish()
  }

  func take(_ record: InotifyRecord) {
    guard name == nil || name == record.name, !DraftName.isOne(record.name) else { return }
    guard directory.isInPlace else { return end() }
    let shown = name == nil ? record.name : nil
    if record.has(InotifyRecord.left) {
      changes.add(.removed, shown)
    } else if !record.has(InotifyRecord.created) || directory.isWhole(record.name) {
      changes.add(.changed, shown)
    }
  }
}

/// A watched directory.
///
/// It isn't kept open, because the system reports the removal of a directory only when its last
/// descriptor is closed.
struct WatchedDirectory {
  private let place: PathBytes
  private let identity: FileIdentity

  init(_ directory: borrowing Descriptor, _ place: String) throws(SystemError) {
    self.place = PathBytes(place)
    identity = try directory.status().identity
  }

  /// Whether the directory is still where the grant was checked.
  var isInPlace: Bool { (try? FileStatus(at: place))?.identity == identity }

  /// Returns whether a new name stands for something that no process will still write and close:
  /// anything but a new file.
  func isWhole(_ name: String) -> Bool {
    guard let status = try? FileStatus(at: place.appending(PathBytes(name))) else { return false }
    return status.kind != .regular || status.linkCount > 1
  }
}
