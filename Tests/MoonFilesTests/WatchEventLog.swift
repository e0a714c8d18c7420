import Dispatch
import MoonFiles
import MoonTestSupport
import Synchronization

/// A record of the events that a watcher delivers, which tests can wait for.
final class WatchEventLog: Sendable {
  /// The time after which an expected event counts as missing.
  static let patience: DispatchTimeInterval = .seconds(ProgramRun.secondsMax)

  private let events = Mutex<[DirectoryWatcher.Event]>([])
  private let news = DispatchSemaphore(value: 0)

  var all: [DirectoryWatcher.Event] { events.withLock { $0 } }

  /// All paths that were reported as changed.
  var changed: Set<String> {
    all.reduce(into: []) { paths, event in
      if case .changed(let more) = event { paths.formUnion(more) }
    }
  }

  func add(_ event: DirectoryWatcher.Event) {
    events.withLock { $0.append(event) }
    news.signal()
  }

  func clear() {
    events.withLock { $0 = [] }
  }

  /// - Returns: Whether all the paths were reported as changed in time.
  func hasChanged(_ paths: String...) -> Bool {
    wait { changed.isSuperset(of: paths) }
  }

  /// - Returns: Whether the events were delivered in time, in this order, with others between them.
  func has(_ expected: DirectoryWatcher.Event...) -> Bool {
    wait {
      var rest = expected[...]
      for event in all where event == rest.first { rest.removeFirst() }
      return rest.isEmpty
    }
  }

  func wait(until isFulfilled: () -> Bool) -> Bool {
    let deadline = DispatchTime.now() + Self.patience
    while !isFulfilled() {
      guard news.wait(timeout: deadline) == .success else { return isFulfilled() }
    }
    return true
  }
}

/// A watcher whose events are recorded.
struct Observation {
  let log = WatchEventLog()
  let watcher: DirectoryWatcher

  init(
    of folder: ScriptFolder, mode: DirectoryWatcher.Mode = .automatic
  ) throws {
    try OwnThread.require()
    watcher = try DirectoryWatcher(
      folder.directory, mode: mode, pollInterval: .milliseconds(10)
    ) { [log] in log.add($0) }
  }
}
