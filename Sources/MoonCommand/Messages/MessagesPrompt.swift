import MoonTerminal
import Moonwire

extension Messages {
  /// A line that can't be carried out.
  static func line(_ error: PromptLineError) -> Report {
    let (headline, help): (String, String?) =
      switch error.reason {
      case .unknownCommand(let word):
        (
          word.isEmpty ? "a command is missing behind the colon" : "there is no command :\(word)",
          PromptCommands.nearest(to: word).map { "did you mean :\($0)?" }
            ?? ":help lists the commands"
        )
      case .unexpectedArgument(let command):
        (":\(command.name) takes nothing", "write :\(command.name) alone")
      case .missingArgument(let command):
        (
          ":\(command.name) needs something behind it", command.example.map { "as in \($0)" }
        )
      case .notAPath(let text, let error):
        ("'\(text)' is no path: \(Messages.path(error))", "write one such as todo.items[3].title")
      case .notAModuleName(let text):
        ("'\(text)' can't be a module's name", ":modules lists them")
      case .notACount(let text): ("'\(text)' is no number of lines", "write one such as 50")
      case .notAVersion(let text):
        ("'\(text)' is no version", "write one that :slices lists, such as 2")
      case .notAnAction(let text, let guess):
        ("'\(text)' is no action", Messages.help(guess, text))
      case .nothingToEvaluate:
        ("there is nothing to evaluate", "write Lua behind the =, as in = 1 + 1")
      case .notAField(let text):
        ("'\(text)' isn't key=value", "write by=2 title=\"Buy milk\", or one JSON value")
      case .missingValue(let key):
        ("\(key)= has no value", "write it without a space between; nothing is \(key)=null")
      case .duplicateField(let key): ("\(key) is there twice", nil)
      case .notJSON(let reason): (Messages.json(reason), "quote keys and texts with \"…\"")
      case .textAfterValue: ("something stands right behind the value", "put a space between")
      }
    return Report("column \(error.column): \(headline)").adding(
      help.map { .init("help", $0) })
  }

  /// Nothing is where a path leads.
  static func noValue(at path: String, nearest: String?) -> Report {
    Report("there is nothing at \(path)").adding(
      suggestion(nearest) ?? .init("help", ":state shows all there is"))
  }

  static func noModule(_ name: String, nearest: String?) -> Report {
    Report("there is no module \(name)").adding(
      suggestion(nearest) ?? .init("help", ":modules lists them"))
  }

  static func notSuspended(_ name: ModuleName) -> Report {
    Report(
      "module \(name) isn't suspended",
      rows: [.init("help", ":modules says how each module does")])
  }

  /// What is said when a prompt begins.
  static func greeting(_ directory: String, modules: [String], actions: Int) -> String {
    guard !modules.isEmpty else { return empty(directory) }
    let names = modules.count > 8 ? "" : " (\(modules.joined(separator: ", ")))"
    return "moonwire \(Version.current): \(counted(modules.count, "module"))\(names),"
      + " \(counted(actions, "action")) — Tab completes, :help explains, Ctrl-D leaves"
  }

  /// There is no module yet.
  static func empty(_ directory: String) -> String {
    "\(TerminalText.sanitized(directory)) has no modules yet: save one there, such as hello.lua,"
      + " and it starts"
  }

  private static func help(_ guess: PromptLineError.Guess, _ text: String) -> String {
    switch guess {
    case .command(let command): "commands begin with a colon: :\(command.name)"
    case .url: "to open a URL: :open \(text)"
    case .lua: "to evaluate Lua, put a = in front"
    case .action:
      "write a module's name, a slash and the action, as in counter/add by=2; :help explains"
    }
  }

  static func path(_ error: PathError) -> String {
    switch error {
    case .unexpectedEnd: "it ends too early"
    case .unexpectedByte(let byte, _): "\(character(byte)) can't stand there"
    case .invalidString: "the quoted key isn't a JSON string"
    case .invalidIndex: "there is no number between the brackets"
    case .tooManyComponents(let max): "it has more than \(max) steps"
    }
  }

  static func json(_ reason: ParseError.Reason) -> String {
    switch reason {
    case .unexpectedEnd: "the JSON ends too early"
    case .unexpectedByte(let byte): "\(character(byte)) can't stand here in JSON"
    case .trailingText: "something follows the JSON"
    case .invalidNumber: "JSON has no such number"
    case .invalidEscape: "JSON has no such escape"
    case .loneSurrogate: "half of a surrogate pair"
    case .controlCharacter: "a control character must be escaped in JSON"
    case .invalidUTF8: "this isn't UTF-8"
    case .duplicateKey(let key): "the key \(key) is there twice"
    case .depthExceeded(let max): "lists and maps are nested deeper than \(max)"
    case .nodeCountExceeded(let max): "there are more than \(max) values"
    case .byteCountExceeded(let max): "it is longer than \(max) bytes"
    }
  }

  private static func character(_ byte: UInt8) -> String {
    (0x21..<0x7F).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "such a character"
  }
}

extension Messages {
  /// What can be typed beside commands.
  static let help: [(usage: String, summary: String)] = [
    ("counter/add", "dispatches an action"),
    ("counter/add by=2 why=\"fun\"", "with a payload: JSON values, or words"),
    ("counter/add {\"by\": 2}", "the same as one JSON value"),
    ("= 1 + state(\"counter\").count", "evaluates Lua; dispatch(type, payload) is there, too"),
  ]
}

extension Messages {
  static func dropped(_ count: Int) -> String {
    "… \(counted(count, "log line")) more than could be shown: :log has the last of them"
  }
}

extension Messages {
  static func tooManyLines(_ max: Int) -> Report {
    Report(
      "a piece of Lua has more than \(max) lines",
      rows: [.init("help", "put it into a module, or into a library below lib/")])
  }
}
