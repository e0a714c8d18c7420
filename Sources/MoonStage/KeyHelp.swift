import MoonTerminal
import Moonwire

/// What keys do, as a list to search and to choose from.
extension Picker {
  /// The keys of the app that act on what is shown, then those of the stage, then the other ones of
  /// the app.
  static func keys(of app: AppKeyList) -> Picker {
    let entries = app.entries.filter { $0.keys != KeyPress.focus }
    let here = rows(entries.filter(\.isActive))
    let elsewhere = rows(entries.filter { !$0.isActive })
    let stage = stageKeys.map { Row(keys: [$0.0], effect: $0.1, entry: nil) }
    let all = here + stage + elsewhere
    let width = all.map { ColumnWidths.width(of: $0.label) }.max() ?? 0
    let items = all.map { row in
      let space = String(repeating: " ", count: width - ColumnWidths.width(of: row.label) + 3)
      return Item(
        title: row.label + space + row.effect,
        note: row.entry?.isActive == false ? "not here" : "",
        isDimmed: row.entry?.isActive == false,
        meaning: row.entry.flatMap { $0.isActive ? .keys($0) : nil } ?? .nothing)
    }
    return Picker(.keys, title: "Keys (type to search, Enter presses, Esc closes)", items)
  }

  private struct Row {
    var keys: [String]
    var label: String { keys.joined(separator: ", ") }
    let effect: String
    let entry: AppKeyList.Entry?
  }

  /// Returns a row for each effect, with all keys that have it, in the order of the first ones.
  private static func rows(_ entries: [AppKeyList.Entry]) -> [Row] {
    var rows: [Row] = []
    var places: [String: Int] = [:]
    for entry in entries {
      if let place = places[entry.effect] {
        if !rows[place].keys.contains(entry.keys) { rows[place].keys.append(entry.keys) }
      } else {
        places[entry.effect] = rows.count
        rows.append(Row(keys: [entry.keys], effect: entry.effect, entry: entry))
      }
    }
    return rows
  }

  private static let stageKeys = [
    ("arrows, h j k l, Tab", "move to the next thing that can be used"),
    ("Enter, Space", "use it: tap, type, choose, switch"),
    ("Esc, Backspace", "go back; end typing; close what lies over the app"),
    ("[ ]", "the tab before, the tab after"),
    ("PgUp, PgDn, g, G", "scroll; to the beginning, to the end"),
    ("/ n N", "find text in what is shown; the next, the one before"),
    (": F12", "the prompt"),
    ("Ctrl-P", "actions, routes and tabs"),
    ("r", "reload all modules"),
    ("e", "the last error"),
    ("u", "undo the last action"),
    ("Ctrl-C", "stop running code, or else leave"),
    ("Ctrl-L", "draw again"),
    ("Ctrl-Z", "stop for a while; fg goes on"),
    ("q", "leave"),
    ("typing: Ctrl-A, Ctrl-E", "to the beginning, to the end"),
    ("typing: Ctrl-W, Ctrl-U, Ctrl-K", "cut a word, what is before, what is after"),
    ("typing: Shift with arrows", "select; what is typed takes its place"),
    ("typing: Ctrl-X, Ctrl-Y", "cut what is selected, insert what was cut"),
    ("typing: Ctrl-_", "undo"),
    ("typing: Tab, Esc", "end typing"),
    ("typing: Enter", "go on; after the last input, use the button that follows"),
  ]
}
