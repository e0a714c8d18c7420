extension DirectoryWatcher {
  /// The way of finding changes.
  public enum Mode: Hashable, Sendable {
    /// With inotify, or by polling after inotify has failed.
    case automatic
    /// By comparing scans, for file systems whose changes inotify doesn't report, such as NFS.
    case polling
  }

  /// An event that a watcher delivers.
  package enum Event: Hashable, Sendable {
    /// These relative paths were saved, created, removed or renamed. A renaming has both names.
    ///
    /// The paths are those of `.lua` files, and of directories that were added or removed as a
    /// whole: an added one together with all scripts in it, a removed one alone. A file may be
    /// named though it is unchanged. With inotify, a file with several hard links is reported under
    /// the name by which it was saved.
    case changed(Set<String>)
    /// Anything may have changed: the directory must be scanned again.
    case rescan(RescanReason)
    /// The watcher continues in a different way.
    case notice(Notice)
  }

  /// The reason that single changes can't be reported.
  package enum RescanReason: Hashable, Sendable {
    /// More changes were pending than inotify's queue holds.
    case overflow
    /// The root was removed, moved or unmounted, or is not a directory.
    ///
    /// The watcher waits for its return.
    case rootVanished
    /// A directory, the same one or another, is at the root's path again.
    case rootReturned
    /// inotify failed while watching, and recent changes may have been lost.
    case switchedToPolling
  }

  /// A notice about the watcher itself.
  public enum Notice: Hashable, Sendable {
    /// inotify failed with `cause`.
    ///
    /// From now on, scans are compared every `interval`.
    ///
    /// `setting` is the sysctl of the limit that was reached, if there is one.
    case pollingInstead(cause: SystemError, setting: String?, interval: Duration)
  }
}
