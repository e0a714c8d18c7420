import Moonwire

/// A line of the prompt or of a script, read but not carried out.
///
/// `module/action key=value …` or `module/action JSON` dispatches, `= text` evaluates Lua, `:word`
/// is a command, `# …` is a remark. A value is JSON if it reads as JSON, else a bare word is a
/// string.
enum PromptLine: Equatable, Sendable {
  /// Blank, or a remark.
  case nothing
  /// An action to dispatch.
  case dispatch(Action)
  /// Lua to evaluate.
  case evaluate(String)
  /// `:state`, at a path.
  case state(Path)
  /// `:modules`
  case modules
  /// `:actions`, of one module or all.
  case actions(String?)
  /// `:log`, so many lines.
  case log(Int)
  /// `:history`, so many entries.
  case history(Int)
  /// `:reload`, one module or all.
  case reload(String?)
  /// `:resume`, one suspended module or all.
  case resume(String?)
  /// `:screen`, the one on top or the one with an id.
  case screen(String?)
  /// `:tap`
  case tap(ScreenControl)
  /// `:input`, at least one.
  case input([FilledText])
  /// `:back`
  case back
  /// `:nav`
  case nav
  /// `:open`, passing parameters.
  case open(Text, Map)
  /// `:routes`, all or those for a URL.
  case routes(Text?)
  /// `:help`, on one command or all.
  case help(PromptCommand?)
  /// `:quit`
  case quit

  /// How many lines `:log` and `:history` show when nobody says how many: most of a screen.
  static let shownCountUsual = 20

  /// Reads a line.
  ///
  /// - Throws: ``PromptLineError``
  init(parsing line: String) throws(PromptLineError) {
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
      self = try Self.command(&scanner)
    default: self = .dispatch(try Self.action(&scanner))
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

  private static func command(_ scanner: inout PromptScanner) throws(PromptLineError) -> PromptLine
  {
    let start = scanner.offset
    let word = scanner.word()
    guard let command = PromptCommand(rawValue: word) else {
      let names = PromptCommand.allCases.map(\.rawValue)
      throw scanner.error(
        .unknownCommand(word, nearest: Spelling.nearest(to: word, in: names)), at: start)
    }
    scanner.skipSpace()
    let argumentStart = scanner.offset
    let argument = scanner.trimmedRest
    if let line = try navigation(command, argument, scanner) { return line }
    switch command {
    case .state: return .state(try path(argument, scanner, at: argumentStart))
    case .actions: return .actions(try module(argument, scanner, at: argumentStart))
    case .reload: return .reload(try module(argument, scanner, at: argumentStart))
    case .resume: return .resume(try module(argument, scanner, at: argumentStart))
    case .log: return .log(try count(argument, scanner, at: argumentStart))
    case .history: return .history(try count(argument, scanner, at: argumentStart))
    case .help: return .help(try topic(argument, scanner, at: argumentStart))
    case .screen, .tap, .input, .back, .open, .nav, .routes, .modules, .quit:
      guard argument.isEmpty else {
        throw scanner.error(.unexpectedArgument(command), at: argumentStart)
      }
      return command == .modules ? .modules : .quit
    }
  }

  private static func path(
    _ text: String, _ scanner: PromptScanner, at start: Int
  ) throws(PromptLineError) -> Path {
    do throws(PathError) {
      return try Path(parsing: text)
    } catch {
      throw scanner.error(.notAPath(text, error), at: start + error.offset)
    }
  }

  private static func module(
    _ text: String, _ scanner: PromptScanner, at start: Int
  ) throws(PromptLineError) -> String? {
    if text.isEmpty { return nil }
    guard ModuleName(text) != nil else { throw scanner.error(.notAModuleName(text), at: start) }
    return text
  }

  private static func count(
    _ text: String, _ scanner: PromptScanner, at start: Int
  ) throws(PromptLineError) -> Int {
    if text.isEmpty { return shownCountUsual }
    guard let count = Int(text), count > 0 else {
      throw scanner.error(.notACount(text), at: start)
    }
    return count
  }

  private static func topic(
    _ text: String, _ scanner: PromptScanner, at start: Int
  ) throws(PromptLineError) -> PromptCommand? {
    if text.isEmpty { return nil }
    let word = text.hasPrefix(":") ? String(text.dropFirst()) : text
    if let command = PromptCommand(rawValue: word) { return command }
    let names = PromptCommand.allCases.map(\.rawValue)
    throw scanner.error(
      .unknownCommand(word, nearest: Spelling.nearest(to: word, in: names)), at: start)
  }
}

/// Why a line can't be carried out.
struct PromptLineError: Error, Equatable, Sendable {
  /// What is wrong.
  enum Reason: Equatable, Sendable {
    /// No command has that name.
    case unknownCommand(String, nearest: String?)
    /// The command takes nothing.
    case unexpectedArgument(PromptCommand)
    /// The command needs something behind it.
    case missingArgument(PromptCommand)
    /// It should be a path into the state.
    case notAPath(String, PathError)
    /// It should be the name of a module.
    case notAModuleName(String)
    /// It should be a number of lines.
    case notACount(String)
    /// It should be the type of an action.
    case notAnAction(String, Guess)
    /// There is nothing behind the `=`.
    case nothingToEvaluate
    /// It should be `key=value`.
    case notAField(String)
    /// There is nothing behind `key=`.
    case missingValue(String)
    /// The key was there before.
    case duplicateField(String)
    /// It should be JSON.
    case notJSON(ParseError.Reason)
    /// Something stands right behind a value.
    case textAfterValue
  }

  /// What somebody may have meant with a word that isn't an action's type.
  enum Guess: Equatable, Sendable {
    case command(PromptCommand)
    case lua
    case url
    case action

    init(of word: String) {
      let leave = ["exit", "quit", "q", "bye"]
      if leave.contains(word) {
        self = .command(.quit)
      } else if let command = PromptCommand(rawValue: word) {
        self = .command(command)
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

  /// What is wrong.
  let reason: Reason
  /// Where, in characters (Unicode scalars) from 1.
  let column: Int
}

extension PathError {
  /// Where the text goes wrong, in bytes from 0.
  fileprivate var offset: Int {
    switch self {
    case .unexpectedEnd(let column), .unexpectedByte(_, let column),
      .invalidString(_, let column), .invalidIndex(let column):
      column - 1
    case .tooManyComponents: 0
    }
  }
}
