import MoonTerminal
import Moonwire

/// What the last line tells.
struct StatusBar: Equatable, Sendable {
  var name = ""
  /// What was told last, until the next key.
  var note = ""
  /// The last reload, or what a module has done last, until the next key.
  var event = ""
  /// The last error, whole.
  var lastError: [String] = []
  /// The note that tells of it.
  private var errorNote = ""
  /// Whether a module's files have problems.
  var hasProblems = false
  var taskCount = 0
  /// Whether the person has been told that leaving ends tasks.
  var hasWarned = false
  /// Whether the tasks are asked for again soon, since nobody tells that they end.
  var asksLater = false
  /// The number of calls whose answers are awaited.
  var callCount = 0
  /// Whether one of them has been awaited for more than a moment.
  var isWaiting = false
  var isLost = false

  /// The text at the left.
  var left: String {
    if isLost { return "the host has ended; its next start is waited for" }
    if !note.isEmpty { return note }
    if hasProblems { return "a module has a problem: e shows it" }
    return event
  }

  /// Tells of an error in a note, and keeps all of it.
  mutating func tell(_ note: String, of error: [String]) {
    (self.note, errorNote, lastError) = (note, note, error)
  }

  /// The text at the right, and how much of the one at the left there is room for.
  func right(columns: Int) -> (text: String, room: Int) {
    let tasks = taskCount > 0 ? Wording.counted(taskCount, "task") + "  " : ""
    let text = (isWaiting ? "the host is busy  " : "") + tasks + "? keys"
    let room = max(0, columns - text.count - 4)
    guard !note.isEmpty, note == errorNote,
      lastError.count > 1 || ColumnWidths.width(of: note) > room
    else { return (text, room) }
    return ("e more  " + text, max(0, room - 8))
  }
}
