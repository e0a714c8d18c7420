import Synchronization

/// Collects which checks were violated: one sentence each, with how often.
final class Verdicts: Sendable {
  /// How many different sentences are kept; more say nothing new.
  static let sentencesMax = 20

  private let violated = Mutex<[(check: String, sentence: String, count: Int)]>([])

  /// Notes that a check was violated; of each check the first sentence is kept.
  func violate(_ check: String, _ sentence: String) {
    violated.withLock { all in
      if let index = all.firstIndex(where: { $0.check == check }) {
        all[index].count += 1
      } else if all.count < Self.sentencesMax {
        all.append((check, sentence, 1))
      }
    }
  }

  /// One sentence for each violated check.
  var sentences: [String] {
    violated.withLock { all in
      all.map { $0.count == 1 ? $0.sentence : "\($0.sentence) (and \($0.count - 1) times more)" }
    }
  }

  var isClean: Bool { violated.withLock { $0.isEmpty } }
}

/// What has happened so far, for the line of progress.
struct Progress: Sendable {
  var edits = 0
  var calls = 0
  /// What reloads led to, by the kind of event.
  var outcomes: [String: Int] = [:]
  var accepted = 0
  var refused = 0
  var quietChecks = 0

  /// Loads of a module that ended in one way or another.
  var reloads: Int {
    ["reloaded", "started", "failed", "removed", "recovered"]
      .reduce(0) { $0 + (outcomes[$1] ?? 0) }
  }
}
