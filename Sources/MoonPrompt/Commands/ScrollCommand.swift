import MoonTerminal
import Moonwire

/// The command `:scroll`, which brings a row of a list into sight.
struct ScrollCommand: PromptCommand {
  static let manual = CommandManual(
    name: "scroll", arguments: "list row",
    summary: "shows the rows of a list from one on, if the list is drawn in part",
    example: ":scroll log 500")

  let list: String
  let row: Int

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    let text = arguments.trimmedRest
    guard let end = text.lastIndex(of: " ") else {
      throw arguments.error(.missingArgument(Self.manual))
    }
    let number = String(text[text.index(after: end)...])
    guard let row = Int(number), row > 0 else { throw arguments.error(.notACount(number)) }
    self.row = row
    let name = String(text[..<end])
    // A client of the protocol passes JSON.
    list = (name.hasPrefix("\"") ? try? Value(parsing: name) : nil)?.stringValue ?? name
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.matching(
      (request.snapshot.shown?.card?.lists ?? []).map {
        .init($0.id.string, note: "\($0.rowCount) rows")
      })
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    try await session.usingScreen { (host, id, seen) throws(ScreenError) in
      try id.scroll(list: list, to: row, seen: seen, on: host)
    }
    return Answer(list: list, row: row)
  }

  private struct Answer: PromptAnswer {
    let list: String
    let row: Int

    var screenDisplay: ScreenDisplay { .always }

    func lines(_ layout: TextLayout) -> [String] { [] }

    var record: Map? {
      ["kind": "scroll", "list": .string(Text(list)), "row": .int(Int64(row))]
    }
  }
}
