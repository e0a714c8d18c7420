/// Texts that wait for the reading thread to print them above the line.
struct PrintQueue {
  /// The most lines that wait.
  ///
  /// The reading thread empties the queue whenever it isn't drawing, so that so many wait only if
  /// the terminal accepts nothing or a script prints without end.
  static let lineCountMax = 10_000
  /// The most bytes that wait, for the sake of long lines.
  static let byteCountMax = 4 << 20

  /// A text and where it goes.
  struct Text {
    var text: String
    var stream: LineEditor.Stream

    var endingInNewline: Text {
      text.utf8.last == UInt8(ascii: "\n") ? self : Text(text: text + "\n", stream: stream)
    }
  }

  /// What adding a text led to.
  enum Addition {
    /// It is the first one, so the reader must be woken.
    case first
    /// It waits behind others, or was dropped because the queue is full.
    case later
  }

  private var texts: [Text] = []
  private var lineCount = 0
  private var byteCount = 0
  private var droppedLineCount = 0

  mutating func add(_ text: Text) -> Addition {
    let bytes = text.text.utf8
    guard !bytes.isEmpty else { return .later }
    let lines = bytes.dropLast().count { $0 == UInt8(ascii: "\n") } + 1
    guard lineCount + lines <= Self.lineCountMax, byteCount + bytes.count <= Self.byteCountMax
    else {
      droppedLineCount += lines
      return droppedLineCount == lines && texts.isEmpty ? .first : .later
    }
    lineCount += lines
    byteCount += bytes.count
    texts.append(text)
    return texts.count == 1 ? .first : .later
  }

  /// Empties the queue; a last text says how many lines were dropped.
  mutating func takeAll() -> [Text] {
    defer { self = PrintQueue() }
    guard droppedLineCount > 0 else { return texts }
    return texts + [Text(text: "… \(droppedLineCount) lines dropped\n", stream: .error)]
  }
}
