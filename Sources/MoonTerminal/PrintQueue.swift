/// A queue of texts for the reading thread to print above the line.
struct PrintQueue {
  /// The maximum number of queued lines.
  ///
  /// The reading thread empties the queue whenever it isn't drawing. It gets this long only if the
  /// terminal accepts nothing or a script prints without end.
  static let lineCountMax = 10_000
  /// The maximum size of the queued texts in bytes, which limits long lines.
  static let byteCountMax = 4 << 20

  /// A text and its destination.
  struct Text {
    var text: String
    var stream: LineEditor.Stream

    var endingInNewline: Text {
      text.utf8.last == UInt8(ascii: "\n") ? self : Text(text: text + "\n", stream: stream)
    }
  }

  /// The effect of adding a text.
  enum Addition {
    /// The text is the first in the queue, so the reader must be woken.
    case first
    /// The text is behind others, or was dropped because the queue is full.
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

  /// Empties the queue.
  ///
  /// The last text returned gives the number of dropped lines, if any.
  mutating func takeAll() -> [Text] {
    defer { self = PrintQueue() }
    guard droppedLineCount > 0 else { return texts }
    return texts + [Text(text: "… \(droppedLineCount) lines dropped\n", stream: .error)]
  }
}
