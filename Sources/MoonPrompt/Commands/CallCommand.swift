import MoonTerminal
import Moonwire

/// The command `:call`, which calls a command of a module.
struct CallCommand: PromptCommand {
  static let manual = CommandManual(
    name: "call", arguments: "module/command [key=value …]",
    summary: "calls a command of a module and shows its answer", example: ":call cart/total")
  let command: String
  let payload: Value

  init(_ command: String, _ payload: Value) {
    self.command = command
    self.payload = payload
  }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    var scanner = arguments
    command = scanner.word()
    guard !command.isEmpty else { throw arguments.error(.missingArgument(Self.manual)) }
    var payload = PayloadScanner(scanner)
    self.payload = try payload.scan()
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.matching(
      request.snapshot.commands.map { command in
        let hasFields = !(command.schema?.fields.isEmpty ?? true)
        return Completion.Candidate(
          command.type, suffix: hasFields ? " " : "", note: command.description)
      })
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    do throws(CommandError) {
      session.call.begin()
      defer { session.call.end() }
      let value = try await session.host.call(
        Text(command), payload, in: session.id, within: session.callTimeMax)
      return Answer(value: value)
    } catch {
      throw .command(error)
    }
  }

  private struct Answer: PromptAnswer {
    let value: Value

    func lines(_ layout: TextLayout) -> [String] { [layout.evaluated(.value(value))] }

    var record: Map? { ["kind": "call", "value": value] }
  }
}
