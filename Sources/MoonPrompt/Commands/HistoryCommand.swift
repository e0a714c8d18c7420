import MoonTerminal
package import Moonwire

/// The command `:history`, which shows the most recent actions.
struct HistoryCommand: PromptCommand {
  static let manual = CommandManual(
    name: "history", arguments: "[count]",
    summary: "shows the last actions and their results", example: ":history 5")

  /// The number of actions.
  let count: Int

  init(_ count: Int) { self.count = count }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    count = try arguments.count() ?? TextLayout.listLineCount
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    Answer(entries: Array(await session.host.history(of: session.id).entries.suffix(count)))
  }

  private struct Answer: PromptAnswer {
    /// The entries, oldest first.
    let entries: [History.Entry]

    func lines(_ layout: TextLayout) -> [String] {
      entries.isEmpty
        ? [layout.dim("nothing has happened yet")] : entries.flatMap { Self.lines($0, layout) }
    }

    /// The maximum width of a payload.
    private static let payloadWidthMax = 40
    /// The minimum width of a payload; if there is less room, the result is on a separate line.
    private static let payloadWidthMin = 12

    private static func lines(_ entry: History.Entry, _ layout: TextLayout) -> [String] {
      let (style, meta) = (layout.style, entry.action.meta)
      let time = layout.clock == .shown ? layout.dim(TimeOfDay.text(meta.time)) + "  " : ""
      let parent = meta.parent.map { ", after #\($0)" } ?? ""
      let head = "#\(meta.id)  \(time)\(style.paint(entry.action.type.string, .key))"
      let tail = layout.dim("\(meta.cause.origin)\(parent)") + "  " + layout.result(of: entry)
      let headWidth = TerminalText.width(of: head)
      let room = layout.columns - headWidth - TerminalText.width(of: tail) - 3
      let hasPayload = entry.action.payload != .null
      let fits = room >= (hasPayload ? payloadWidthMin : 0)
      let width = fits ? room : layout.columns - headWidth - 1
      let payload =
        hasPayload
        ? " "
          + ValueText(style: style).line(
            entry.action.payload, columns: max(payloadWidthMin, min(payloadWidthMax, width)))
        : ""
      return fits ? [head + payload + "  " + tail] : [head + payload, "    " + tail]
    }

    var record: Map? {
      ["kind": "history", "entries": JSONRecord.list(entries) { .map($0.record) }]
    }
  }
}

extension History.Entry {
  /// The entry for programs.
  package var record: Map {
    let meta = action.meta
    var map: Map = [
      "id": .int(meta.id), "type": .string(action.type), "payload": action.payload,
      "cause": JSONRecord.text(meta.cause.description),
    ]
    map["parent"] = meta.parent.map { .int($0) }
    switch result {
    case .done(let hasChanged): map["changed"] = .bool(hasChanged)
    case .dropped(let module, let place):
      var dropped: Map = ["module": JSONRecord.text(module.text)]
      dropped["place"] = place.map { JSONRecord.text("\($0)") }
      map["dropped"] = .map(dropped)
    case .waiting(let task): map["waits_for_task"] = .int(Int64(task.number))
    case .failed(let error): map["error"] = error.report.value
    }
    return map
  }
}

extension TextLayout {
  /// The result of an action in a few words.
  func result(of entry: History.Entry) -> String {
    switch entry.result {
    case .done(hasChanged: true): style.paint("changed the state", .good)
    case .done(hasChanged: false): dim("changed nothing")
    case .dropped(let module, let place):
      style.paint("dropped by \(module)", .warning)
        + dim(place.map { TerminalText.singleLine(" (\($0))") } ?? "")
    case .waiting(let task): style.paint("waits for task \(task)", .warning)
    case .failed(let error) where error.refusal != nil:
      style.paint("refused by \(error.refusal?.origin?.module.text ?? "")", .warning)
        + ": " + TerminalText.singleLine(error.refusal?.reason ?? "")
    case .failed(let error):
      style.paint("failed", .error) + ": " + TerminalText.singleLine(error.headline)
    }
  }
}
