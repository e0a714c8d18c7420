import MoonTerminal
package import Moonwire
import Synchronization

/// Events as records, for programs.
package enum EventRecord {
  /// Returns the record of an event; nil for one that is about what is drawn.
  package static func record(_ event: HostEvent) -> Map? {
    if case .screenChanged = event { return nil }
    var map: Map = ["kind": "event", "event": .string(Text(event.name))]
    if case .tasksChangedState(_, let outcome) = event {
      map["changes"] = JSONRecord.changes(outcome.changes)
      map["failures"] = JSONRecord.failures(outcome.failures, outcome.faults)
      return map
    }
    map["module"] = event.module.map { JSONRecord.text($0.text) }
    map["text"] = JSONRecord.text(text(of: event))
    return map
  }

  /// The text that a person sees.
  private static func text(of event: HostEvent) -> String {
    let lines = Lines()
    let output = TerminalOutput(on: DistantTerminal { text, _ in lines.append(text) })
    EventPrinter(output: output, directory: "", keepsJournal: true).show([event])
    return lines.all
  }
}

/// Lines that are collected.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: String { lines.withLock { $0.joined(separator: "\n") } }

  func append(_ line: String) { lines.withLock { $0.append(line) } }
}

extension HostEvent {
  /// The word for the kind of event.
  fileprivate var name: String {
    switch self {
    case .started: "started"
    case .reloaded: "reloaded"
    case .failed: "failed"
    case .recovered: "recovered"
    case .removed: "removed"
    case .restarted: "restarted"
    case .suspended: "suspended"
    case .resumed: "resumed"
    case .fault: "fault"
    case .refused: "refused"
    case .slice: "slice"
    case .tasksChangedState: "changes"
    case .dispatchFailed: "dispatch_failed"
    case .failuresLeftOut: "failures_left_out"
    case .notKept: "not_kept"
    case .recordingEnded: "recording_ended"
    case .directoryLost: "directory_lost"
    case .directoryFound: "directory_found"
    case .conflicts: "conflicts"
    case .deadNames: "dead_names"
    case .doubtfulNames: "doubtful_names"
    case .screenChanged: "screen_changed"
    case .watching: "watching"
    case .longCall: "long_call"
    }
  }
}
