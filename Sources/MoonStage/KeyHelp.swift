import MoonTerminal
import Moonwire

/// What keys do, as a list to search and to choose from.
extension Picker {
  /// The keys of the app that act on what is shown, then those of the stage, then the other ones of
  /// the app.
  static func keys(of app: AppKeyList) -> Picker {
    let entries = app.entries.filter { $0.keys != KeyPress.focus }.sorted {
      ($0.keys.rank, $0.keys) < ($1.keys.rank, $1.keys)
    }
    let here = rows(entries.filter(\.isActive))
    let elsewhere = rows(entries.filter { !$0.isActive })
    // The app's keys come first.
    let taken = Set(entries.filter(\.isActive).map(\.keys))
    let stage = stageKeys.filter { key in !(key.2?.name.map(taken.contains) ?? false) }
      .map { Row(keys: [$0.0], effect: $0.1, meaning: $0.2.map { .stageKey($0) } ?? .nothing) }
    let all = here + stage + elsewhere
    let width = all.map { ColumnWidths.width(of: $0.label) }.max() ?? 0
    let items = all.map { row in
      let space = String(repeating: " ", count: width - ColumnWidths.width(of: row.label) + 3)
      return Item(
        title: row.label + space + row.effect,
        note: row.isElsewhere ? "not here" : "", isDimmed: row.isElsewhere,
        meaning: row.meaning)
    }
    return Picker(.keys, title: "Keys (type to search, Enter presses, Esc closes)", items)
  }

  private struct Row {
    var keys: [String]
    var label: String { keys.joined(separator: ", ") }
    let effect: String
    var isElsewhere = false
    let meaning: Meaning
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
        rows.append(
          Row(
            keys: [entry.keys], effect: entry.effect, isElsewhere: !entry.isActive,
            meaning: entry.isActive ? .keys(entry) : .nothing))
      }
    }
    return rows
  }

  private static let stageKeys: [(String, String, StageKey?)] = [
    ("arrows, h j k l, Tab", "move to the next thing that can be used", nil),
    ("Enter, Space", "use it: tap, type, choose, switch", .enter),
    ("Esc, Backspace", "go back; end typing; close what lies over the app", .escape),
    ("[", "the tab before", .character("[")), ("]", "the tab after", .character("]")),
    ("PgUp", "scroll up", .pageUp), ("PgDn", "scroll down", .pageDown),
    ("g", "to the beginning", .character("g")), ("G", "to the end", .character("G")),
    ("/", "find text in what is shown", .character("/")),
    ("n", "find it again", .character("n")), ("N", "find it upwards", .character("N")),
    (": F12", "the prompt", .function(12)),
    ("Ctrl-P", "actions, routes and tabs", .control("p")),
    ("r", "reload all modules", .character("r")), ("e", "the last error", .character("e")),
    ("u", "undo the last action", .character("u")),
    ("Ctrl-C", "stop running code, or else leave", .control("c")),
    ("Ctrl-L", "draw again", .control("l")),
    ("Ctrl-Z", "stop for a while; fg goes on", .control("z")), ("q", "leave", .character("q")),
    ("typing: Ctrl-A, Ctrl-E", "to the beginning, to the end", nil),
    ("typing: Ctrl-Left, Ctrl-Right", "a word back, a word on", nil),
    ("typing: Ctrl-W, Ctrl-U, Ctrl-K", "cut a word, what is before, what is after", nil),
    ("typing: Shift with arrows", "select; what is typed takes its place", nil),
    ("typing: Ctrl-X, Ctrl-Y", "cut what is selected, insert what was cut", nil),
    ("typing: Ctrl-_", "undo", nil), ("typing: Tab, Esc", "end typing", nil),
    ("typing: Enter", "go on; after the last input, use the button that follows", nil),
  ]
}

extension String {
  /// Letters come first, then keys with names, then other characters.
  fileprivate var rank: Int { first?.isLetter ?? false ? min(count, 2) : 3 }
}
