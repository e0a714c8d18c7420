import MoonPrompt
import MoonTerminal
import Moonwire

/// The text of a commit in a list.
enum JournalText {
  /// The maximum width of a payload.
  private static let payloadWidthMax = 60

  /// Returns one line for each action of a commit.
  static func lines(_ commit: JournalEntry.CommitEntry, _ style: Style) -> [String] {
    let count = commit.edits.listValue?.count ?? 0
    let changes =
      commit.notes.isDropped
      ? "dropped" : count == 0 ? "changed nothing" : Wording.counted(count, "change")
    return commit.actions.map { action in
      let meta = action.meta
      let payload =
        action.payload == .null
        ? "" : " " + ValueText(style: style).line(action.payload, columns: payloadWidthMax)
      let parent = meta.parent.map { ", after #\($0)" } ?? ""
      return "#\(meta.id)  " + style.paint(TimeOfDay.text(meta.time), .dim) + "  "
        + style.paint(TerminalText.singleLine(action.type.string), .key) + payload
        + style.paint("  \(TerminalText.singleLine(meta.cause.description))\(parent)  ", .dim)
        + style.paint(changes, count == 0 ? .dim : .good)
    }
  }

  /// Returns the record of a commit for programs.
  static func record(_ commit: JournalEntry.CommitEntry) -> Map {
    guard var map = JournalEntry.commit(commit).value.mapValue else { return ["kind": "commit"] }
    map["kind"] = "commit"
    return map
  }
}

/// The check of a journal, record by record.
struct JournalCheck {
  private var state = ReplayedState()
  private var actionCount = 0
  private var stateCount = 0
  private var lastNumber: Int64 = 0
  /// The first problem; nil if there is none.
  private(set) var problem: JournalError.Reason?

  /// Takes the next entry; returns false at the first problem.
  mutating func take(_ number: Int64, _ entry: JournalEntry) -> Bool {
    do throws(JournalError.Reason) {
      try state.take(number, entry)
      if case .state = entry { stateCount += 1 }
      if case .commit(let commit) = entry { actionCount += commit.actions.count }
      lastNumber = number
      return true
    } catch {
      let what = if case .damaged(let what) = error { what } else { "\(error)" }
      problem = .damaged("record \(number): \(what)")
      return false
    }
  }

  /// Whether any valid entry has been read.
  var isBegun: Bool { lastNumber > 0 }

  /// One sentence.
  var summary: String {
    "\(Wording.counted(actionCount, "action")) and \(Wording.counted(stateCount, "whole state")) "
      + "up to record \(lastNumber) are as they were written"
  }

  var record: Map {
    [
      "kind": "verify", "actions": .int(Int64(actionCount)), "states": .int(Int64(stateCount)),
      "last": .int(lastNumber),
    ]
  }
}
