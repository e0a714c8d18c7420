import Moonwire

/// The command `:log`, which shows the most recent lines of the log.
struct LogCommand: PromptCommand {
  static let manual = CommandManual(
    name: "log", arguments: "[count]", summary: "shows the last lines of the log",
    example: ":log 50")

  /// The number of lines.
  let count: Int

  init(_ count: Int) { self.count = count }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    count = try arguments.count() ?? TextLayout.listLineCount
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    Answer(entries: session.log.last(count))
  }

  private struct Answer: PromptAnswer {
    /// The entries, oldest first.
    let entries: [LogLine]

    func lines(_ layout: TextLayout) -> [String] {
      entries.isEmpty
        ? [layout.dim("the log is empty")] : entries.map { $0.text(layout.style) }
    }

    var record: Map? {
      [
        "kind": "log",
        "lines": JSONRecord.list(entries) { line in
          [
            "module": JSONRecord.text(line.module), "level": JSONRecord.text(line.level),
            "text": JSONRecord.text(line.message),
          ]
        },
      ]
    }
  }
}
