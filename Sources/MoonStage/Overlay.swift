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
}
