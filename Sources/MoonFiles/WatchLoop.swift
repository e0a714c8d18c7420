import Glibc

/// The loop of a watcher's thread.
///
/// It is created by the thread that starts the watcher, and then belongs to the watcher's thread.
final class WatchLoop {
  private let directory: ScriptDirectory
  private let pollInterval: Duration
  private let signal: StopSignal
  private let deliver: @Sendable (DirectoryWatcher.Event) -> Void
  private var method: Method
  /// The events to deliver before any change.
  private var firstEvents: [DirectoryWatcher.Event] = []

  private enum Method {
    case inotify(WatchTree)
    /// Holds the latest scan; nil while there is no root.
    case polling(Snapshot?)
  }

  init(
    _ directory: ScriptDirectory, mode: DirectoryWatcher.Mode, pollInterval: Duration,
    kernel: Kernel, signal: StopSignal,
    deliver: @escaping @Sendable (DirectoryWatcher.Event) -> Void
  ) {
    self.directory = directory
    self.pollInterval = pollInterval
    self.signal = signal
    self.deliver = deliver
    method = .polling(nil)
    switch mode {
    case .automatic:
      do {
        method = .inotify(try WatchTree(directory, kernel: kernel))
      } catch {
        method = .polling(Snapshot(of: directory))
        firstEvents.append(notice(of: error))
      }
    case .polling:
      method = .polling(Snapshot(of: directory))
    }
    if !hasRoot { firstEvents.append(.rescan(.rootVanished)) }
  }

  /// Returns when the signal is raised.
  func run() {
    deliverAll(firstEvents)
    while !signal.isRaised {
      switch method {
      case .inotify(let tree): waitForRecords(of: tree)
      case .polling(let snapshot): poll(after: snapshot)
      }
    }
  }

  private var hasRoot: Bool {
    switch method {
    case .inotify(let tree): tree.hasRoot
    case .polling(let snapshot): snapshot != nil
    }
  }

  private func waitForRecords(of tree: WatchTree) {
    wait(for: tree.descriptor, atMost: -1)
    guard !signal.isRaised else { return }
    do {
      deliverAll(try tree.takeEvents())
    } catch {
      let hadRoot = tree.hasRoot
      method = .polling(Snapshot(of: directory))
      deliverAll([notice(of: error), .rescan(.switchedToPolling)])
      if hadRoot, !hasRoot { deliverAll([.rescan(.rootVanished)]) }
    }
  }

  private func poll(after old: Snapshot?) {
    let (seconds, attoseconds) = pollInterval.components
    let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    wait(for: nil, atMost: Int32(min(max(milliseconds, 1), Double(Int32.max / 2))))
    guard !signal.isRaised else { return }
    let new = Snapshot(of: directory)
    method = .polling(new)
    switch (old, new) {
    case (let old?, let new?):
      let changed = old.differences(to: new)
      // The root's own path has changed: another directory has taken its place.
      if changed.contains("") {
        deliverAll([.rescan(.rootVanished), .rescan(.rootReturned)])
      } else if !changed.isEmpty {
        deliverAll([.changed(changed)])
      }
    case (_?, nil): deliverAll([.rescan(.rootVanished)])
    case (nil, _?): deliverAll([.rescan(.rootReturned)])
    case (nil, nil): break
    }
  }

  /// Waits until the descriptor is readable, the signal is raised or the time has passed.
  private func wait(for descriptor: Int32?, atMost milliseconds: Int32) {
    var awaited = [signal.descriptor, descriptor ?? -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // A signal may end the wait early, which is harmless.
    _ = Glibc.poll(&awaited, nfds_t(awaited.count), milliseconds)
  }

  private func deliverAll(_ events: [DirectoryWatcher.Event]) {
    for event in events where !signal.isRaised { deliver(event) }
  }

  private func notice(of cause: SystemError) -> DirectoryWatcher.Event {
    .notice(
      .pollingInstead(cause: cause, setting: cause.inotifySetting, interval: pollInterval))
  }
}
