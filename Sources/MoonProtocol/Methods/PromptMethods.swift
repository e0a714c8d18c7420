import MoonPrompt
import Moonwire

/// Methods for a prompt in another program.
extension Methods {
  private static let terminal: [Method.Parameter] = [
    .init("columns", "integer?"), .init("rows", "integer?"), .init("colors", "boolean?"),
    .init("json", "boolean?"), .session,
  ]

  static let prompts = [
    Method(
      "prompt/run", [.init("line", "string")] + terminal,
      result: "`output`, `status`: `done`, `failed`, `incomplete`, `malformed`, `left` or `asks`",
      help: "carries out a line of the prompt, and returns what the prompt would show"
    ) { call throws(ProtocolError) in
      let prompt = try await call.connection.prompt(for: call)
      return Method.Answer(await prompt.run(call.text("line") ?? ""))
    },
    Method(
      "prompt/ask", terminal, result: "`output`, `status`: `done` or `asks`",
      help: "asks a person to grant what modules lack, as the prompt does before a line"
    ) { call throws(ProtocolError) in
      let prompt = try await call.connection.prompt(for: call)
      return Method.Answer(await prompt.askForGrants())
    },
    Method(
      "prompt/answer", [.init("text", "string?"), .session],
      result: "as that of the method whose `status` was `asks`; or `line`, with it as `status`",
      help: "answers a `question`; without `text`, nobody does"
    ) { call throws(ProtocolError) in
      let prompt = call.connection.openPrompt(of: try await call.session())
      guard let answer = await prompt?.answerQuestion(call.text("text")) else {
        throw ProtocolError(.failed, "nothing was asked")
      }
      return Method.Answer(answer)
    },
    Method(
      "prompt/label", terminal, result: "`continuation`, `label`",
      help: "returns the prompt that stands before a line"
    ) { call throws(ProtocolError) in
      let prompt = try await call.connection.prompt(for: call)
      return Method.Answer(await prompt.label())
    },
    Method(
      "prompt/complete", [.init("line", "string"), .init("cursor", "integer"), .session],
      result: "`candidates`, each with `text`, `suffix` and `note`; `from`, a byte of the line",
      help: "completes the word before a byte of a line"
    ) { call throws(ProtocolError) in
      let prompt = try await call.connection.prompt(for: call)
      return Method.Answer(
        await prompt.completion(call.text("line") ?? "", Int(clamping: call.number("cursor") ?? 0)))
    },
    Method(
      "prompt/follow", terminal, result: "`label`",
      help: "shows reloads, reports and changes of the screen from now on, as `prompt/output`"
    ) { call throws(ProtocolError) in
      let prompt = try await call.connection.prompt(for: call)
      await prompt.follow()
      return Method.Answer(await prompt.label())
    },
  ]
}
