import MoonFiles
import MoonScripts

/// What follows from changes of files, which a host's watcher has reported.
enum FileChanges {
  /// Brings the modules of a host up to date.
  static func handle(_ unhandled: UnhandledChanges, on host: isolated Host) {
    for event in unhandled.takeAll() {
      host.announce(host.modules.handle(event, in: host.sessions.all))
    }
    retryLater(on: host)
  }

  /// Schedules a second attempt to load some files, before their failure is reported.
  private static func retryLater(on host: isolated Host) {
    guard let (paths, number) = host.modules.takeRetries() else { return }
    let delay = host.options.trial.retryDelay
    Task { [weak host] in
      try? await Task.sleep(for: delay)
      if let host { await retry(paths, number, on: host) }
    }
  }

  private static func retry(_ paths: Set<String>, _ number: Int, on host: isolated Host) {
    guard let events = host.modules.retry(paths, number, in: host.sessions.all) else { return }
    host.announce(events)
    retryLater(on: host)
  }
}
