import Logging
import Synchronization

/// The lines that a logger has written.
final class LogLines: Sendable {
  private let texts = Mutex<[String]>([])
  var lines: [String] { texts.withLock { $0 } }
  var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

  private struct Handler: LogHandler {
    let log: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning
    subscript(metadataKey key: String) -> Logger.MetadataValue? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) { log.texts.withLock { $0.append("\(event.message)") } }
  }
}
