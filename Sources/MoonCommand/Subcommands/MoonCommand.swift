import ArgumentParser
import Glibc
import MoonPrompt
import MoonTerminal
import Moonwire

/// The `moonwire` program.
@main
struct MoonCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moonwire",
    abstract: "Runs apps made of Lua modules, and keeps their state while the modules change.",
    discussion: """
      `moonwire DIR` is short for `moonwire run DIR`. `moonwire help` also lists the guides.

      Results go to standard output; the log, reloads and errors go to standard error.

      Exit codes: 0 success; 1 problems found (check, test, replay) or no route (routes match); \
      64 wrong usage; 65 an error in Lua or in data; 66 no such directory or unreadable input; \
      69 no host is running; 70 an internal error, or too few system resources; 73 a file, such \
      as that of the state, can't be written; 74 results can't be written; 75 a line hasn't ended \
      in time; 129, 130, 131 and 143 ended by a signal, after the modules were stopped and the \
      state was written.
      """,
    version: VersionText.current,
    subcommands: [
      NewSubcommand.self, AddSubcommand.self, UpdateSubcommand.self, RemoveSubcommand.self,
      VerifySubcommand.self,
      RunSubcommand.self, StageSubcommand.self, ServeSubcommand.self, AttachSubcommand.self,
      PsSubcommand.self,
      DispatchSubcommand.self, EvalSubcommand.self, StateSubcommand.self, OpenSubcommand.self,
      NavSubcommand.self, ScreenSubcommand.self, TapSubcommand.self, InputSubcommand.self,
      PressSubcommand.self, KeysSubcommand.self,
      CallSubcommand.self, ReloadSubcommand.self, LogSubcommand.self, WhySubcommand.self,
      TasksSubcommand.self, MCPSubcommand.self,
      CheckSubcommand.self, ExplainSubcommand.self, RoutesSubcommand.self, TypesSubcommand.self,
      JournalSubcommand.self,
      ReplaySubcommand.self, RecordSubcommand.self, TestSubcommand.self, DoctorSubcommand.self,
      HelpSubcommand.self,
    ],
    defaultSubcommand: RunSubcommand.self)

  static func main() async {
    do throws(ProcessSetupError) {
      try ProcessSetup.prepare()
    } catch {
      refuse(error.report, ExitStatus.internalError)
    }
    widenHelp()
    let words = Array(CommandLine.arguments.dropFirst())
    if let word = words.first, let nearest = misspelledSubcommand(word) {
      let report = Report("there is no subcommand \(word), nor a directory of that name")
      refuse(report.adding(Report.Row.suggestion(nearest)), ExitStatus.usageError)
    }
    do {
      var command = try parsed(words)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      leave(error)
    }
  }

  /// Parses the words after the program's name.
  ///
  /// The whole program's parser makes the definitions of a subcommand's options six times, the
  /// subcommand's parser only twice, and this is most of the startup time. The former gets only
  /// what the latter rejects, since its help and its errors name the program.
  private static func parsed(_ words: [String]) throws -> any ParsableCommand {
    let named = configuration.subcommands.first { $0.configuration.commandName == words.first }
    let type = named ?? RunSubcommand.self
    let rest = named == nil ? words[...] : words.dropFirst()
    if let command = try? type.parseAsRoot(Array(rest)),
      // Otherwise it is the parser's own command, which prints help.
      ([type] + type.configuration.subcommands).contains(where: { $0 == Swift.type(of: command) })
    {
      return command
    }
    return try parseAsRoot(words)
  }

  /// Returns the subcommand most similar to a first word; nil if the word is a subcommand, an
  /// option or an existing path.
  private static func misspelledSubcommand(_ word: String) -> String? {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    var status = stat()
    guard !names.contains(word), !word.hasPrefix("-"), stat(word, &status) != 0 else { return nil }
    return Spelling.nearest(to: word, in: names)
  }

  /// The minimum width of the help.
  private static let helpColumnCountMin = 40

  /// Sets a width at which the parser can lay out its help.
  ///
  /// The parser traps if the help is narrower than its indentation.
  private static func widenHelp() {
    // The program itself uses the environment that it was started with.
    let columns = TerminalSize.columns(of: STDOUT_FILENO, environment: ProcessEnvironment.variables)
    setenv("COLUMNS", String(max(columns, helpColumnCountMin)), 1)
  }

  private static func refuse(_ report: Report, _ code: Int32) -> Never {
    try? Output(descriptor: STDERR_FILENO).write(report.text(.plain) + "\n")
    Glibc.exit(code)
  }

  /// Returns a message without the suggestion of an option that has little in common with what was
  /// typed.
  private static func withoutFarGuess(_ message: String) -> String {
    guard let found = message.firstMatch(of: /'--([^']+)'\. Did you mean '--([^']+)'\?/),
      Spelling.nearest(to: String(found.1), in: [String(found.2)]) == nil
    else { return message }
    return message.replacing(found.0, with: "'--\(found.1)'.")
  }

  /// Ends the program, printing help or a version as a result, and anything else as an error.
  ///
  /// The text may repeat untrusted arguments.
  private static func leave(_ error: any Error) -> Never {
    let code = exitCode(for: error)
    let stream = code.isSuccess ? STDOUT_FILENO : STDERR_FILENO
    let message = withoutFarGuess(fullMessage(for: error))
    if !message.isEmpty {
      try? Output(descriptor: stream).write(TerminalText.sanitized(message) + "\n")
    }
    Glibc.exit(code.rawValue)
  }
}
