package import Moonwire

/// A line of the prompt or of a script, parsed but not carried out.
///
/// `module/action key=value …` and `module/action JSON` dispatch, `= text` evaluates Lua, `:word`
/// is a command, and `# …` is a comment. A value is JSON if it can be read as JSON; any other bare
/// word is a string, as is a text in single quotes.
package enum PromptLine: Sendable {
  /// A blank line or a comment.
  case nothing
  /// An action to dispatch.
  case dispatch(Action)
  /// Lua to evaluate.
  case evaluate(String)
  /// A command.
  case command(any PromptCommand)

  /// Reads a line.
  ///
  /// - Throws: ``PromptLineError``
  package init(parsing line: String) throws(PromptLineError) {
    var scanner = PromptScanner(line)
    scanner.skipSpace()
    switch scanner.byte {
    case nil, UInt8(ascii: "#"): self = .nothing
    case UInt8(ascii: "="):
      scanner.advance()
      scanner.skipSpace()
      guard !scanner.isAtEnd else { throw scanner.error(.nothingToEvaluate) }
      self = .evaluate(scanner.rest)
    case UInt8(ascii: ":"):
      scanner.advance()
      self = .command(try Self.command(&scanner))
    default: self = .dispatch(try Self.action(&scanner))
    }
  }

  /// Carries out the line.
  ///
  /// - Throws: ``PromptError``
  package func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    switch self {
    case .nothing: return NoAnswer()
    case .dispatch(let action): return try await session.dispatch(action)
    case .evaluate(let text): return try await session.evaluate(text)
    case .command(let command): return try await command.run(in: session)
    }
  }

  private static func action(_ scanner: inout PromptScanner) throws(PromptLineError) -> Action {
    let start = scanner.offset
    let type = scanner.word()
    guard ActionPattern.isType(type) else {
      throw scanner.error(.notAnAction(type, .init(of: type)), at: start)
    }
    var payload = PayloadScanner(scanner)
    return Action(Text(type), try payload.scan())
  }

  private static func command(
    _ scanner: inout PromptScanner
  ) throws(PromptLineError) -> any PromptCommand {
    let start = scanner.offset
    let word = scanner.word()
    guard let command = PromptCommands.named(word) else {
      let kinds = RegistrationsCommand.kinds(named: word)
      guard !kinds.isEmpty else { throw scanner.error(.unknownCommand(word), at: start) }
      scanner.skipSpace()
      try scanner.checkEnd(after: RegistrationsCommand.manual)
      return RegistrationsCommand(kinds: kinds)
    }
    scanner.skipSpace()
    return try command.init(parsing: scanner)
  }
}

extension PromptLineError.Guess {
  init(of word: String) {
    if let command = PromptCommands.named(word) {
      self = .command(command.manual)
    } else if word.hasPrefix("/") || word.contains("://") {
      self = .url
    } else if word.contains(where: { "()\"'=+".contains($0) })
      || ["return", "local", "print"].contains(word)
    {
      self = .lua
    } else {
      self = .action
    }
  }
}

extension PromptLine: Equatable {
  package static func == (left: PromptLine, right: PromptLine) -> Bool {
    switch (left, right) {
    case (.nothing, .nothing): true
    case (.dispatch(let left), .dispatch(let right)): left == right
    case (.evaluate(let left), .evaluate(let right)): left == right
    case (.command(let left), .command(let right)): left == right
    case (.nothing, _), (.dispatch, _), (.evaluate, _), (.command, _): false
    }
  }
}
