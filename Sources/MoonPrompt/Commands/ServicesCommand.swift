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

/// The help of a service's function: what it takes, what it returns, and where it can be called.
struct FunctionAnswer: PromptAnswer {
  private let service: String
  private let function: ServiceFunction

  /// Returns the help of a function such as `moon.http.get`, or of all functions of a service such
  /// as `moon.http`.
  ///
  /// - Throws: ``PromptError/noFunction(_:nearest:)``
  static func of(_ path: String, _ services: [Service]) throws(PromptError) -> any PromptAnswer {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    if let service = services.first(where: { $0.name == parts.first ?? "" }) {
      if parts.count == 1 { return ServicesCommand.Answer(services: [service], prefix: "") }
      let name = parts.dropFirst().joined(separator: ".")
      if let function = service.functions.first(where: { $0.name == name }) {
        return FunctionAnswer(service: service.name, function: function)
      }
    }
    let names = services.flatMap { service in
      ["moon.\(service.name)"] + service.functions.map { "moon.\(service.name).\($0.name)" }
    }
    let words = ScriptLibrary.words.map(\.path).filter { $0.hasPrefix("moon.") }
    throw .noFunction(path, nearest: Spelling.nearest(to: path, in: names + words))
  }

  private init(service: String, function: ServiceFunction) {
    (self.service, self.function) = (service, function)
  }

  private var usage: String {
    "moon.\(service).\(function.signature)"
      + (function.returns.isEmpty ? "" : ": \(function.returns)")
  }

  private var parameters: [String] {
    function.parameters.map { parameter in
      let kind =
        switch parameter.presence {
        case .required: ""
        case .optional: ", may be left out"
        case .named: ", by name"
        }
      let summary = parameter.summary.isEmpty ? "" : ": \(parameter.summary)"
      return "\(parameter.name)  \(parameter.type)\(kind)\(summary)"
    }
  }

  /// Where the function can be called, as the reference says.
  private var place: String {
    switch function.kind {
    case .pure: "can be called everywhere, also in reducers"
    case .immediate: "can be called everywhere but in reducers, views and mappers"
    case .asynchronous, .stream, .opening: "waits: it can be called in effects and commands"
    }
  }

  private var details: [String] {
    parameters + (function.opened?.methods.map { ":\($0.signature)  \($0.summary)" } ?? [])
      + [place]
  }

  func lines(_ layout: TextLayout) -> [String] {
    [layout.style.paint(usage, .key) + "  " + function.summary]
      + details.map { "  " + layout.dim($0) }
  }

  var record: Map? {
    [
      "kind": "help",
      "lines": JSONRecord.list([usage, function.summary] + details, JSONRecord.text),
    ]
  }
}
