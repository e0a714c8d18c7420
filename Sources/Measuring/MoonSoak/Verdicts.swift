import Synchronization

/// The violated checks, with one sentence and a count each.
final class Verdicts: Sendable {
  /// The maximum number of sentences; more would say nothing new.
  static let sentencesMax = 20

  private let violated = Mutex<[(check: String, sentence: String, count: Int)]>([])

  /// Records a violated check.
  ///
  /// The first sentence about each check is kept.
  func violate(_ check: String, _ sentence: String) {
    violated.withLock { all in
      if let index = all.firstIndex(where: { $0.check == check }) {
        all[index].count += 1
      } else if all.count < Self.sentencesMax {
        all.append((check, sentence, 1))
      }
    }
  }

  /// The sentences, one for each violated check.
  var sentences: [String] {
    violated.withLock { all in
      all.map { $0.count == 1 ? $0.sentence : "\($0.sentence) (and \($0.count - 1) times more)" }
    }
  }

  var isClean: Bool { violated.withLock { $0.isEmpty } }
}

/// The progress of a run, as its progress line shows it.
struct Progress: Sendable {
  var edits = 0
  var calls = 0
  /// The number of events of each kind that reloads caused.
  var outcomes: [String: Int] = [:]
  var accepted = 0
  var refused = 0
  var quietChecks = 0

  /// The number of finished loads of a module, good or bad.
  var reloads: Int {
    ["reloaded", "started", "failed", "removed", "recovered"]
      .reduce(0) { $0 + (outcomes[$1] ?? 0) }
  }
}
