import Logging

/// A log handler that takes notes.
struct NotingHandler: LogHandler {
  /// What is noted of a line.
  enum Form { case message, levelAndModule, metadata }

  let notes: Notes
  var form = Form.levelAndModule
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    switch form {
    case .message: notes.add("\(event.message)")
    case .levelAndModule:
      notes.add("\(event.level) \(event.metadata?["module"] ?? "-"): \(event.message)")
    case .metadata:
      let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }
      let text = "\(event.message)".split(separator: ": ").last ?? ""
      notes.add(fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ") + " \(text)")
    }
  }
}
