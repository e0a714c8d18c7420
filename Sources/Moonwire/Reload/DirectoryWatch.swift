import MoonFiles

/// The watching of a host's script directory, and what it has reported about itself.
struct DirectoryWatch {
  private var watcher: DirectoryWatcher?
  /// The latest notice; nil if there is none.
  var notice: DirectoryWatcher.Notice?

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

  /// Stops the watcher.
  func stop() { watcher?.stop() }

  /// Stops the watcher, so that it can begin again.
  mutating func end() {
    stop()
    watcher = nil
  }
}
