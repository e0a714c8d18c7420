package import Logging
package import MoonTerminal
package import Moonwire
import Synchronization

/// A line of the modules' log.
package struct LogLine: Sendable, Equatable {
  package let module: String
  package let level: String
  package let message: String

  package init(module: String, level: String, message: String) {
    (self.module, self.level, self.message) = (module, level, message)
  }

  /// Formats the line as `counter  info  text`.
  package func text(_ style: Style) -> String {
    let role: Style.Role =
      switch level {
      case "warning", "notice": .warning
      case "error", "critical": .error
      default: .dim
      }
    let text = TerminalText.indented(message, by: 4)
    return style.paint(module, .emphasis) + "  " + style.paint(level, role) + "  " + text
  }
}

/// The most recent lines of the log, in memory.
package final class LogRing: Sendable {
  /// The number of lines kept.
  static let lineCountMax = 1_000

  private struct Contents {
    var lines: [LogLine] = []
    var next = 0
  }

  private let contents = Mutex(Contents())
  /// Those that follow the log.
  package let readers = Readers<LogLine>()

  package init() {}

  func append(_ line: LogLine) {
    readers.tell(line)
    keep(line)
  }

  /// Keeps what a host reports about a failure, for those who look for it later.
  ///
  /// Those that follow the log get the report itself.
  package func note(_ event: HostEvent) {
    let module: String
    switch event {
    case .fault(_, let fault): module = "\(fault.module)"
    case .failed(let name, _, _): module = name?.text ?? "moonwire"
    case .suspended(let name, _, _): module = name.text
    case .dispatchFailed(_, let failure):
      module = String(failure.action.type.string.prefix { $0 != "/" })
    default: return
    }
    let text = EventRecord.record(event)?["text"]?.stringValue ?? ""
    keep(
      LogLine(
        module: module, level: "error",
        message: text.hasPrefix("error: ") ? String(text.dropFirst(7)) : text))
  }

  private func keep(_ line: LogLine) {
    contents.withLock { contents in
      if contents.lines.count < Self.lineCountMax {
        contents.lines.append(line)
      } else {
        contents.lines[contents.next] = line
        contents.next = (contents.next + 1) % Self.lineCountMax
      }
    }
  }

  /// Returns the most recent lines, oldest first.
  func last(_ count: Int) -> [LogLine] {
    contents.withLock { contents in
      let ordered = contents.lines[contents.next...] + contents.lines[..<contents.next]
      return Array(ordered.suffix(count))
    }
  }
}

/// A limit on the rate of log lines on a terminal.
struct LogThrottle: Sendable {
  /// The maximum number of lines in a second, more than anyone reads.
  static let lineCountMax = 100

  /// The decision about a line.
  enum Verdict: Equatable {
    case show(droppedBefore: Int)
    case drop
  }

  private var second = Int64.min
  private var count = 0
  private var droppedCount = 0

  /// Decides about a line at a time in seconds, on any clock that never goes back.
  mutating func verdict(at time: Int64) -> Verdict {
    if time != second {
      second = time
      count = 0
    }
    guard count < Self.lineCountMax else {
      droppedCount += 1
      return .drop
    }
    count += 1
    return .show(droppedBefore: takeDropped())
  }

  /// Returns the number of lines dropped since the last call.
  mutating func takeDropped() -> Int {
    defer { droppedCount = 0 }
    return droppedCount
  }
}

/// A log handler that prints lines and keeps the most recent ones.
package struct OutputLogHandler: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel: Logger.Level
  let ring: LogRing
  let show: @Sendable (LogLine) -> Void

  package init(
    logLevel: Logger.Level, ring: LogRing, show: @escaping @Sendable (LogLine) -> Void
  ) {
    self.logLevel = logLevel
    self.ring = ring
    self.show = show
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let module = event.metadata?["module"].map { "\($0)" } ?? "host"
    let line = LogLine(
      module: module, level: event.level.rawValue, message: event.message.description)
    ring.append(line)
    show(line)
  }
}
