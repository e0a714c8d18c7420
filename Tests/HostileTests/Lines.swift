import Logging
import Synchronization

/// A record of logged lines.
final class Lines: LogHandler, Sendable {
  private let kept = Mutex<[String]>([])

  /// The lines logged so far.
  var texts: [String] { kept.withLock { $0 } }

  /// A logger that adds its lines here.
  var logger: Logger { Logger(label: "test") { _ in self } }

  subscript(metadataKey _: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  var logLevel: Logger.Level {
    get { .info }
    set {}
  }

  func log(event: LogEvent) {
    kept.withLock { $0.append(event.message.description) }
  }
}
