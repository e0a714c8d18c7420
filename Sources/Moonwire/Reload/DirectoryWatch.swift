import MoonFiles
import MoonSession

/// The watching of a host's script directory, and what it has reported about itself.
struct DirectoryWatch {
  private var watcher: DirectoryWatcher?
  /// The latest notice; nil if there is none.
  private(set) var notice: DirectoryWatcher.Notice?

  /// Starts watching a directory, unless it is watched already.
  ///
  /// `handle` is called for changes that came since its last call, and takes them all.
  ///
  /// - Throws: ``FilesError`` if the system has no thread or descriptor left.
  mutating func begin(
    _ directory: ScriptDirectory, _ mode: DirectoryWatcher.Mode,
    _ handle: @escaping @Sendable (UnhandledChanges) async -> Void
  ) throws(FilesError) {
    guard watcher == nil else { return }
    let unhandled = UnhandledChanges()
    watcher = try DirectoryWatcher(directory, mode: mode) { event in
      guard unhandled.add(event) else { return }
      Task { await handle(unhandled) }
    }
  }

  /// Brings the modules up to date with what the watcher has reported; returns the events to
  /// announce.
  mutating func handle(
    _ event: DirectoryWatcher.Event, _ reloader: Reloader, _ sessions: [Session]
  ) -> [HostEvent] {
    switch event {
    case .notice(let notice):
      self.notice = notice
      return [.watching(notice)]
    case .changed(let paths):
      return reloader.update(paths, attempt: .first, sessions: sessions)
    case .rescan(let reason):
      return reloader.rescan(reason, attempt: .first, sessions: sessions)
    }
  }

  /// Stops the watcher.
  func stop() { watcher?.stop() }

  /// Stops the watcher, so that it can begin again.
  mutating func end() {
    stop()
    watcher = nil
  }
}
