import MoonTerminal
import Moonwire

/// The command `:keys`, which rereads the keys of the person and lists what keys do.
struct KeysCommand: PromptCommand {
  static let manual = CommandManual(
    name: "keys", summary: "reads the file of keys again, and lists what keys do")

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    try arguments.checkEnd(after: Self.manual)
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    var problem: Report?
    do throws(KeysFileError) {
      try await session.keys?.update(session.host)
    } catch {
      problem = session.keys.map { error.report(at: $0.path) }
    }
    return await session.host.perform { [id = session.id, problem] host in
      let acting = Set(id.keys(on: host).map(\.binding.registration))
      let rows = KeyTable.all(on: host).entries.map {
        Answer.Row(entry: $0, isActive: acting.contains($0.binding.registration))
      }
      return Answer(rows: rows, problem: problem)
    }
  }

  struct Answer: PromptAnswer {
    struct Row: Sendable {
      let entry: KeyTable.Entry
      /// Whether the keys do it now.
      let isActive: Bool

      var keys: String { "\(entry.binding.keys)" }

      /// What it does: `counter/add by=1`, or a URL.
      var effect: String {
        switch entry.binding.target {
        case nil: return "nothing"
        case .control(let name, _)?: return "taps \(name)"
        case .action(let action)?:
          let focus = action.takesFocus ? " with the data of what has the focus" : ""
          if let url = action.url { return url.string + focus }
          let payload = action.action.payload
          return action.action.type.string + (payload == .null ? "" : " \(payload.canonicalText)")
            + focus
        }
      }

      /// Where it applies and whose it is.
      var scope: String {
        let screens = entry.binding.screens.map { "on \($0)" }
        let owner = entry.owner.map { "of \($0)" } ?? "yours"
        let place = entry.binding.registration.place.map { "\($0)" }
        return [screens, owner, place, isActive ? nil : "not now"].compactMap(\.self)
          .joined(separator: "  ")
      }

      var record: Value {
        let binding = entry.binding
        var map: Map = ["keys": JSONRecord.text(keys), "active": .bool(isActive)]
        map["title"] = binding.target?.title.map(JSONRecord.text)
        map["module"] = entry.owner.map { JSONRecord.text($0.text) }
        map["screens"] = binding.screens.map { JSONRecord.text("\($0)") }
        map["place"] = binding.registration.place.map { JSONRecord.text("\($0)") }
        switch binding.target {
        case nil: break
        case .control(let name, _)?:
          map["tap"] = .string(name)
          map["inputs"] = true
        case .action(let action)?:
          if let url = action.url {
            map["url"] = .string(url)
          } else {
            map["type"] = .string(action.action.type)
            if action.action.payload != .null { map["payload"] = action.action.payload }
          }
          if action.takesFocus { map["focus"] = true }
          if action.takesInputs, binding.screens != nil { map["inputs"] = true }
        }
        return .map(map)
      }
    }

    let rows: [Row]
    let problem: Report?

    func lines(_ layout: TextLayout) -> [String] {
      let width = min(24, rows.map(\.keys.count).max() ?? 0)
      let lines = rows.map { row in
        let space = String(repeating: " ", count: max(0, width - row.keys.count) + 2)
        let title = row.entry.binding.target?.title.map { "\($0)  " } ?? ""
        return layout.style.paint(TerminalText.singleLine(row.keys), .key) + space
          + TerminalText.singleLine(title + row.effect)
          + layout.dim(TerminalText.singleLine("  \(row.scope)"))
      }
      return (lines.isEmpty ? [layout.dim("no keys do anything")] : lines)
        + (problem.map { [$0.text(layout.style)] } ?? [])
    }

    var record: Map? {
      var map: Map = ["kind": "keys", "keys": JSONRecord.list(rows, \.record)]
      map["problem"] = problem?.value
      return map
    }
  }
}
