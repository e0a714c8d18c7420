import MoonTerminal
import Moonwire

/// The command `:open`, which routes a URL.
struct OpenCommand: PromptCommand {
  static let manual = CommandManual(
    name: "open", arguments: "URL [key=value …]", summary: "routes a URL, passing parameters",
    example: ":open /detail/7 from=list")

  let url: Text
  let parameters: Map

  init(_ url: Text, _ parameters: Map) {
    self.url = url
    self.parameters = parameters
  }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    var scanner = arguments
    let url = scanner.word()
    guard !url.isEmpty else { throw arguments.error(.missingArgument(Self.manual)) }
    self.url = Text(url)
    scanner.skipSpace()
    let start = scanner.offset
    var payload = PayloadScanner(scanner)
    switch try payload.scan() {
    case .null: parameters = Map()
    case .map(let fields): parameters = fields
    case let other: throw arguments.error(.notAField(other.canonicalText), at: start)
    }
  }

  static func completion(_ request: CompletionRequest) -> Completion { request.url() }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let outcome = try await session.dispatching { (host, id, cause) throws(DispatchError) in
      try host.route(url, passing: parameters, in: id, cause: cause)
    }
    return OutcomeAnswer(kind: Self.manual.name, outcome: outcome, screenDisplay: .after(outcome))
  }
}
