import MoonJournal
import MoonTerminal
import Moonwire

/// A recording to make, as it is typed: a file, and what it leaves out, such as
/// `bug.jsonl redact=auth.token`.
struct RecordingWish: Equatable {
  private static let option = " redact="

  /// The path of the file.
  let path: String
  /// The paths into the state of what is left out.
  let redacted: [Path]

  /// Reads the rest of a line.
  ///
  /// - Throws: ``PromptLineError`` if there is no file, or if a path can't be left out.
  init(parsing scanner: PromptScanner, for manual: CommandManual) throws(PromptLineError) {
    var parts = scanner.trimmedRest.split(separator: Self.option).map(String.init)
    guard !parts.isEmpty else { throw scanner.error(.missingArgument(manual)) }
    path = parts.removeFirst()
    var redacted: [Path] = []
    for text in parts {
      guard let path = try? Path(parsing: text), path.components.count > 1 else {
        throw scanner.error(.notARedaction(text))
      }
      redacted.append(path)
    }
    self.redacted = redacted
  }

  /// Creates the file.
  ///
  /// - Throws: ``JournalError``
  func makeFile() throws(JournalError) -> RecordingFile {
    try RecordingFile(path, redaction: Redaction(redacted))
  }
}

/// The answer to `:timeline export`.
struct TimelineExport: PromptAnswer {
  let file: String
  let count: Int

  func lines(_ layout: TextLayout) -> [String] {
    [layout.dim("\(Wording.counted(count, "step")) written to \(TerminalText.sanitized(file))")]
  }

  var record: Map? {
    [
      "kind": "timeline-export", "file": .string(Text(file)), "steps": .int(Int64(count)),
    ]
  }
}
