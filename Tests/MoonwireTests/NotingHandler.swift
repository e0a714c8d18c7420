import Logging

/// A log handler that takes notes.
struct NotingHandler: LogHandler {
  let notes: Notes
  /// Whether level and module are left out.
  var isPlain = false
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    if isPlain {
      notes.add("\(event.message)")
    } else {
      notes.add("\(event.level) \(event.metadata?["module"] ?? "-"): \(event.message)")
    }
  }
}
