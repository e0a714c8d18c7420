import Moonwire

/// What lies over the app and has the keys.
enum Overlay: Sendable {
  /// A line of the prompt, or an answer to a question.
  case prompt(PromptBox)
  /// A text to find in what is shown.
  case search(TextField)
  case picker(Picker)
  /// The fields of an action.
  case form(ActionForm)
  /// Text to read.
  case pages(Pages)
}

/// The prompt over the app.
struct PromptBox: Sendable {
  /// The maximum number of lines of output that are kept.
  static let lineCountMax = 5_000
  /// The maximum number of lines that are remembered.
  static let historyCountMax = 200

  var field = TextField()
  /// What is asked; nil for a line of the prompt.
  var question: String?
  var lines: [String] = []
  /// The number of lines below those that are seen.
  var scrolledBack = 0
  var candidates = ""
  var isRunning = false
  /// The lines entered before, and which of them is shown.
  var history: [String] = []
  var place: Int?

  mutating func show(_ text: String) {
    lines += text.lines
    if lines.count > Self.lineCountMax { lines.removeFirst(lines.count - Self.lineCountMax) }
    scrolledBack = 0
  }

  /// Shows an earlier or a later line.
  mutating func recall(_ step: Int) {
    guard !history.isEmpty else { return }
    let next = (place ?? history.count) + step
    place = min(max(0, next), history.count)
    field = TextField(next >= history.count ? "" : history[max(0, next)])
  }
}

/// Text to read.
struct Pages: Sendable {
  let title: String
  let lines: [String]
  var isError = false
  var first = 0

  init(_ title: String, _ lines: [String], isError: Bool = false) {
    (self.title, self.lines, self.isError) = (title, lines, isError)
  }

  /// The keys: those of the app, and those of the stage.
  static func keys(of app: AppKeyList) -> Pages {
    Pages("Keys", app.entries.isEmpty ? stageKeys : app.lines + [""] + stageKeys)
  }

  private static let stageKeys =
    [
      "Tab, Shift-Tab, arrows, h j k l   move to the next thing that can be used",
      "Enter, Space                      use it: tap, type, choose, switch",
      "Esc, Backspace                    go back; end typing; close what lies over the app",
      "[ ]                               the tab before, the tab after",
      "PgUp, PgDn, g, G                  scroll; to the beginning, to the end",
      "/  n  N                           find text in what is shown; the next, the one before",
      ":  F12                            the prompt",
      "Ctrl-P                            actions, routes and tabs",
      "r                                 reload all modules",
      "e                                 the last error",
      "u                                 undo the last action",
      "Ctrl-C                            stop running code, or else leave",
      "Ctrl-L                            draw again",
      "Ctrl-Z                            stop for a while; fg goes on",
      "q                                 leave",
      "",
      "While typing: Ctrl-A, Ctrl-E begin and end, Ctrl-W a word, Ctrl-U to the beginning,",
      "Ctrl-K to the end, Ctrl-_ undo. Tab or Esc ends typing; Enter goes on, and after the last",
      "input uses the button that follows it.",
    ]
}
