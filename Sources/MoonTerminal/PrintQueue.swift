/// Texts that wait for the reading thread to put them above the line.
struct PrintQueue {
  /// The reading thread empties the queue whenever it isn't drawing, so this many lines wait only
  /// when the terminal takes nothing or a script prints without end.
  static let lineCountMax = 10_000
  /// Bounds the memory of long lines likewise.
  static let byteCountMax = 4 << 20

  /// A text and where it goes.
  struct Text {
    var text: String
    var stream: LineEditor.Stream

    var endingInNewline: Text {
      text.utf8.last == UInt8(ascii: "\n") ? self : Text(text: text + "\n", stream: stream)
    }
  }

  /// What became of an added text.
  enum Addition {
    /// It is the first one: somebody must be woken.
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
