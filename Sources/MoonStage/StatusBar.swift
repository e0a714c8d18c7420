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
  /// Whether a module's files have problems.
  var hasProblems = false
  var taskCount = 0
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

  /// The text at the right, beside a text at the left of which so many columns are seen.
  func right(besideColumns room: Int) -> String {
    let tasks = taskCount > 0 ? Wording.counted(taskCount, "task") + "  " : ""
    let isOfError = !note.isEmpty && (lastError.first.map(note.hasPrefix) ?? false)
    let hasMore = isOfError && (lastError.count > 1 || ColumnWidths.width(of: note) > room)
    return (isWaiting ? "the host is busy  " : "") + tasks + (hasMore ? "e more  " : "") + "? keys"
  }
}
