import MoonFiles
import Synchronization

/// The events of the directory watcher that the host hasn't handled yet.
///
/// Every reload costs time proportional to the number of modules. Changes that arrive while the
/// host is at work are therefore handled together, so that hundreds of saved files need a few
/// reloads and not hundreds.
final class UnhandledChanges: Sendable {
  private let events = Mutex<[DirectoryWatcher.Event]>([])

  /// Adds an event; returns whether it is the only one, so that the host must be called.
  func add(_ event: DirectoryWatcher.Event) -> Bool {
    events.withLock { events in
      if case .changed(let earlier) = events.last, case .changed(let paths) = event {
        events[events.count - 1] = .changed(earlier.union(paths))
        return false
      }
      events.append(event)
      return events.count == 1
    }
  }

  /// Removes all events and returns them in order.
  func takeAll() -> [DirectoryWatcher.Event] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
