import MoonServices
import MoonTerminal
import Moonwire

/// The command `:services`, which lists the functions of services.
struct ServicesCommand: PromptCommand {
  static let manual = CommandManual(
    name: "services", arguments: "[name]",
    summary: "lists the functions that modules reach the world with", example: ":services json")

  /// The prefix of the names: `json`, or `json.encode`.
  private let prefix: String

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    let text = arguments.trimmedRest
    prefix = text.hasPrefix("moon.") ? String(text.dropFirst(5)) : text
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.matching(
      Service.standard.map { .init($0.name, note: $0.summary) })
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    Answer(services: session.host.services.sorted { $0.name < $1.name }, prefix: prefix)
  }

  struct Answer: PromptAnswer {
    let services: [Service]
    let prefix: String

    func lines(_ layout: TextLayout) -> [String] {
      let lines = services.flatMap { service -> [String] in
        let rows = Self.rows(of: service).filter { isWanted($0.usage) }
        guard !rows.isEmpty else { return [] }
        return [layout.style.paint("moon.\(service.name)", .emphasis) + "  " + service.summary]
          + rows.map { "  " + layout.style.paint($0.usage, .key) + "  " + $0.summary }
      }
      guard lines.isEmpty else { return lines }
      return [
        layout.dim(
          services.isEmpty
            ? "there are no services"
            : "there is no service '\(TerminalText.singleLine(prefix))': there are "
              + Wording.list(services.map(\.name)))
      ]
    }

    private func isWanted(_ usage: String) -> Bool { usage.hasPrefix("moon.\(prefix)") }

    private static func rows(of service: Service) -> [(usage: String, summary: String)] {
      service.functions.map { ("moon.\(service.name).\($0.signature)", $0.summary) }
        + service.handles.flatMap { handle in
          handle.methods.map { ("moon.\(service.name) \(handle.name):\($0.signature)", $0.summary) }
        }
    }

    var record: Map? {
      let wanted = services.filter { service in
        Self.rows(of: service).contains { isWanted($0.usage) }
      }
      return ["kind": "services", "services": JSONRecord.list(wanted, record)]
    }

    private func record(_ service: Service) -> Value {
      let functions = service.functions.filter {
        isWanted("moon.\(service.name).\($0.signature)")
      }
      return [
        "name": JSONRecord.text(service.name), "summary": JSONRecord.text(service.summary),
        "functions": JSONRecord.list(functions) { function in
          [
            "name": JSONRecord.text(function.name),
            "signature": JSONRecord.text(function.signature),
            "kind": JSONRecord.text(function.kind.rawValue),
            "summary": JSONRecord.text(function.summary),
          ]
        },
      ]
    }
  }
}
