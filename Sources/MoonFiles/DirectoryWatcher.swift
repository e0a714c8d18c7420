import Glibc
import Synchronization

/// A watcher that reports changes below the root of a script directory.
///
/// It uses inotify, or compares scans if inotify is unavailable or not wanted. There is no quiet
/// period: a finished save is delivered at once, together with any other pending changes. The root
/// may be missing, disappear and return; the watcher waits for it.
public final class DirectoryWatcher: Sendable {
  /// The default time between two scans.
  ///
  /// It is short enough to feel immediate, and long enough to be cheap for a thousand files.
  package static let pollInterval: Duration = .milliseconds(500)

  private let thread: SystemThread
  private let signal: StopSignal
  private let joined = Mutex(false)

  /// Starts watching.
  ///
  /// Changes after this call are delivered, so scan after it, not before. If the root is missing,
  /// the first event is `rescan(.rootVanished)`.
  ///
  /// - Parameters:
  ///   - directory: The directory to watch.
  ///   - mode: How to find changes.
  ///   - pollInterval: The time between two scans when polling, at least one millisecond.
  ///   - deliver: Called on the watcher's own thread, one event at a time. Changes during the call
  ///     are delivered after it. It may call ``stop()``.
  /// - Throws: ``FilesError/watcherUnavailable(path:cause:)`` if the process can't create a thread
  ///   or a descriptor.
  package convenience init(
    _ directory: ScriptDirectory, mode: Mode = .automatic,
    pollInterval: Duration = DirectoryWatcher.pollInterval,
    deliver: @escaping @Sendable (Event) -> Void
  ) throws(FilesError) {
    try self.init(
      directory, mode: mode, pollInterval: pollInterval, kernel: Kernel(), deliver: deliver)
  }

  init(
    _ directory: ScriptDirectory, mode: Mode, pollInterval: Duration, kernel: Kernel,
    deliver: @escaping @Sendable (Event) -> Void
  ) throws(FilesError) {
    do {
      let signal = try StopSignal()
      let loop = WatchLoop(
        directory, mode: mode, pollInterval: pollInterval, kernel: kernel, signal: signal,
        deliver: deliver)
      thread = try SystemThread { loop.run() }
      self.signal = signal
    } catch {
      throw .watcherUnavailable(path: directory.root, cause: error)
    }
  }

  /// Stops watching, and waits until a delivery in progress has ended.
  ///
  /// No event follows.
  ///
  /// May be called more than once. A call from within a delivery doesn't wait; that delivery is the
  /// last.
  package func stop() {
    if thread.isCurrent {
      // A thread that joins itself waits forever, and a caller that is joining it may hold the
      // lock.
      signal.raise()
    } else {
      joined.withLock { join(&$0) }
    }
  }

  deinit {
    // There are no other references to the watcher, so no other call can hold the lock.
    joined.withLock { isJoined in
      if !isJoined, thread.isCurrent {
        // A delivery held the last reference. The thread ends after it and closes everything.
        signal.raise()
        thread.detach()
      } else {
        join(&isJoined)
      }
    }
  }

  /// Joins the thread.
  ///
  /// One of several callers joins it, and the others wait for the lock.
  private func join(_ isJoined: inout Bool) {
    guard !isJoined else { return }
    signal.raiseAndWake()
    thread.join()
    signal.closeDescriptors()
    isJoined = true
  }
}
