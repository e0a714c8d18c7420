import Glibc
import Synchronization

/// Tells when something below the root of a script directory has changed.
///
/// Watches with inotify, or by comparing scans where that is not to be had or not wanted. There is
/// no quiet period: a finished save is delivered at once, together with what else is waiting by
/// then. The root may be missing, go, and come back; a watcher never gives up.
public final class DirectoryWatcher: Sendable {
  /// The time between two scans, unless another is asked for: short enough to feel like a reaction,
  /// long enough to cost nothing noticeable for a thousand files.
  public static let pollInterval: Duration = .milliseconds(500)

  private let thread: pthread_t
  private let signal: StopSignal
  private let joined = Mutex(false)

  /// Starts to watch.
  ///
  /// What happens after this returned is delivered, so scan after it, not before.
  /// If the root isn't there, the first event is `rescan(.rootVanished)`.
  ///
  /// - Parameters:
  ///   - directory: What to watch.
  ///   - mode: How to find changes.
  ///   - pollInterval: The time between two scans where changes are found by polling; at least a
  ///     millisecond is waited.
  ///   - deliver: Is called on the watcher's own thread, one event at a time. While it runs no
  ///     change is lost, but none is told either. It may call ``stop()``.
  /// - Throws: ``FilesError/watcherUnavailable(path:cause:)`` when the process can have no thread
  ///   or no descriptor more.
  public convenience init(
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
      thread = try Self.startThread(running: loop)
      self.signal = signal
    } catch {
      throw .watcherUnavailable(path: directory.root, cause: error)
    }
  }

  /// Stops to watch and waits until a delivery that is under way is done; none comes after this.
  ///
  /// May be called again. Called from within a delivery it doesn't wait: that delivery is the last.
  public func stop() {
    if isOnOwnThread {
      // Joining itself it would wait for ever; and the lock may be held by one who waits for it.
      signal.raise()
    } else {
      joined.withLock { join(&$0) }
    }
  }

  deinit {
    // Nobody else refers to the watcher, so there is no other call that could hold the lock.
    joined.withLock { isJoined in
      if !isJoined, isOnOwnThread {
        // A delivery held the last reference: the thread ends after it and closes everything.
        signal.raise()
        pthread_detach(thread)
      } else {
        join(&isJoined)
      }
    }
  }

  private var isOnOwnThread: Bool { pthread_equal(pthread_self(), thread) != 0 }

  /// Of several callers one joins, and the others wait for it at the lock.
  private func join(_ isJoined: inout Bool) {
    guard !isJoined else { return }
    signal.raiseAndWake()
    pthread_join(thread, nil)
    signal.closeDescriptors()
    isJoined = true
  }

  private static func startThread(running loop: WatchLoop) throws(SystemError) -> pthread_t {
    // The thread inherits a mask that blocks every signal: signals are for the others, whose system
    // calls and handlers expect them.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    // The loop is handed over: from here on only the new thread refers to it.
    let handle = Unmanaged.passRetained(loop)
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<WatchLoop>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, handle.toOpaque())
    guard code == 0 else {
      handle.release()
      throw SystemError(code: code)
    }
    return thread
  }
}
