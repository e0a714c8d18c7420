extension DirectoryWatcher {
  /// How changes are found.
  public enum Mode: Hashable, Sendable {
    /// With inotify; by polling after inotify has failed.
    case automatic
    /// By comparing scans, for file systems whose changes inotify doesn't see, such as NFS.
    case polling
  }

  /// What a watcher delivers.
  public enum Event: Hashable, Sendable {
    /// These relative paths were saved, created, removed or renamed, both names of a renaming.
    ///
    /// Paths of `.lua` files, and of directories that came or went as a whole: one that came with
    /// all scripts in it, one that went alone. It may name a file that is as it was. With inotify,
    /// a file with several hard links is told under the name by which it was saved.
    case changed(Set<String>)
    /// Anything may have changed: what is known of the directory must be scanned again.
    case rescan(RescanReason)
    /// The watcher goes on in another way, which is worth telling.
    case notice(Notice)
  }

  /// Why single changes can't be told.
  public enum RescanReason: Hashable, Sendable {
    /// More happened at once than inotify's queue holds.
    case overflow
    /// The root was removed, moved away or unmounted, or is no directory; its return is awaited.
    case rootVanished
    /// There is a directory at the root's path again, the same one or another.
    case rootReturned
    /// inotify failed under way, and changes of the last moment may have been lost.
    case switchedToPolling
  }

  /// Something about the watching itself.
  public enum Notice: Hashable, Sendable {
    /// inotify failed with `cause`; scans are compared every `interval` from now on.
    ///
    /// `setting` is the sysctl that names the limit that was hit, if it was one.
    case pollingInstead(cause: SystemError, setting: String?, interval: Duration)
  }
}
