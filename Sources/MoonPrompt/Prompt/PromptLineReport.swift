import Moonwire

extension PromptLineError {
  /// Returns the report for people; `actions` are the types of those that are known.
  package func report(knowing actions: [String]) -> Report {
    guard case .notAnAction(let word, .action) = reason, !word.contains("/") else { return report }
    let named = actions.filter { $0.hasSuffix("/\(word)") }
    let names = actions.compactMap { $0.split(separator: "/", maxSplits: 1).last.map(String.init) }
    let nearest = named.isEmpty ? Spelling.nearest(to: word, in: names) : nil
    let found =
      named + actions.filter { action in nearest.map { action.hasSuffix("/\($0)") } ?? false }
    guard !found.isEmpty else { return report }
    var report = report
    report.rows = [.init("help", "did you mean \(Wording.list(Array(found.prefix(3)), "or"))?")]
    return report
  }

  /// The report for people.
  package var report: Report {
    let (headline, help): (String, String?) =
      switch reason {
      case .unknownCommand(let word):
        (
          word.isEmpty ? "a command is missing after the colon" : "there is no command :\(word)",
          PromptCommands.nearest(to: word).map { "did you mean :\($0)?" }
            ?? ":help lists the commands"
        )
      case .unknownTopic(let topic):
        (
          "there is no help on \(topic)",
          HelpCommand.nearest(to: topic).map { "did you mean \($0)?" }
            ?? ":help lists the commands, and :actions the actions of modules"
        )
      case .unexpectedArgument(let command):
        if !command.arguments.isEmpty {
          (
            ":\(command.name) takes only \(command.arguments)",
            command.example.map { "as in \($0)" }
          )
        } else {
          (":\(command.name) takes nothing", "write :\(command.name) alone")
        }
      case .missingArgument(let command):
        (
          ":\(command.name) needs something after it", command.example.map { "as in \($0)" }
        )
      case .notAPath(let text, let error):
        ("'\(text)' isn't a path: \(error)", "write one such as todo.items[3].title")
      case .notAModuleName(let text):
        ("'\(text)' can't be a module's name", ":modules lists them")
      case .notAnActionID(let text):
        ("'\(text)' isn't the number of an action", "write one such as 12; :timeline lists them")
      case .unknownChange(let text, let nearest):
        (
          "'\(text)' isn't a change of the timeline",
          nearest.map { "did you mean \($0)?" } ?? ":help timeline lists them"
        )
      case .notAScope(let text, let error): ("'\(text)' is no scope: \(error)", nil)
      case .notACount(let text): ("'\(text)' isn't a whole number above 0", "write one such as 3")
      case .notARedaction(let text):
        (
          "'\(text)' can't be left out",
          "write a path with a module and a field, such as auth.token"
        )
      case .unknownOption(let text, let nearest):
        (
          "'\(text)' isn't an option, nor a part of a file's name",
          nearest.map { "did you mean \($0)=?" }
            ?? "write what to leave out as redact=auth.token, and such a file as ./\(text)"
        )
      case .notAVersion(let text):
        ("'\(text)' isn't a version", "write one that :slices lists, such as 2")
      case .notAnAction(let text, let guess):
        ("'\(text)' isn't an action", guess.help(text))
      case .nothingToEvaluate:
        ("there is nothing to evaluate", "write Lua after the =, as in = 1 + 1")
      case .notAField(let text):
        ("'\(text)' isn't key=value", "write by=2 title=\"Buy milk\", or one JSON value")
      case .missingValue(let key):
        ("\(key)= has no value", "write it without a space between; nothing is \(key)=null")
      case .duplicateField(let key): ("\(key) is there twice", nil)
      case .notJSON(let reason): ("\(reason)", "quote keys and texts with \"…\"")
      case .textAfterValue: ("there is text right after the value", "put a space in between")
      }
    let place = line > 1 ? "line \(line), column \(column)" : "column \(column)"
    return Report("\(place): \(headline)").coded("malformed_line").adding(
      help.map { .init("help", $0) })
  }
}

extension PromptLineError.Guess {
  fileprivate func help(_ text: String) -> String {
    switch self {
    case .command(let command): "commands begin with a colon: :\(command.name)"
    case .url: "to open a URL: :open \(text)"
    case .lua: "to evaluate Lua, put a = in front"
    case .action:
      "write a module's name, a slash and the action, as in counter/add by=2; :help explains"
    }
  }
}
