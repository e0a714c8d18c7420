import ArgumentParser
import MoonJournal
import MoonPrompt
import MoonTerminal
import Moonwire

/// Lists, exports, verifies and compacts journals.
struct JournalSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal", abstract: "Lists, exports, verifies or compacts a journal.",
    discussion: "`moonwire journal FILE` is short for `moonwire journal list FILE`.",
    subcommands: [
      ListJournalSubcommand.self, ExportJournalSubcommand.self, VerifyJournalSubcommand.self,
      CompactJournalSubcommand.self,
    ],
    defaultSubcommand: ListJournalSubcommand.self)
}

/// The journal that a subcommand reads.
struct JournalArgument: ParsableArguments {
  @Argument(help: "The journal, or a recording.", completion: .file())
  var file: String

  @OptionGroup var display: DisplayOptions

  var output: TerminalOutput {
    TerminalOutput(
      editor: nil, color: display.color.mode, environment: ProcessEnvironment.variables)
  }

  /// Reports an error; returns the error to throw.
  func refusal(_ error: JournalError, _ purpose: JournalPurpose = .reading) -> ExitCode {
    output.report(error.report(for: purpose), inJSON: display.json)
    return ExitCode(error.code)
  }
}

/// Lists the actions of a journal.
struct ListJournalSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the actions in a journal.")

  @OptionGroup var journal: JournalArgument

  @Option(
    help: ArgumentHelp(
      "Only actions of this type, such as counter/add or counter/*.", valueName: "pattern"))
  var type: String?

  @Option(help: ArgumentHelp("Only actions from this id on.", valueName: "id"))
  var from: Int64?

  @Option(help: ArgumentHelp("Only actions up to this id.", valueName: "id"))
  var to: Int64?

  @Option(help: ArgumentHelp("Only this many of the last actions.", valueName: "count"))
  var last: Int?

  func validate() throws {
    if let type, Self.pattern(type) == nil {
      throw ValidationError("--type '\(type)': write counter/add, counter/* or *")
    }
    if let last, last < 1 { throw ValidationError("--last \(last): write a number from 1 on") }
  }

  private static func pattern(_ text: String) -> ActionPattern? {
    // Without an owner, since types are written in full here.
    ActionPattern(text, owner: "")
  }

  func run() async throws {
    let output = journal.output
    let filter = JournalFilter(type: type.flatMap(Self.pattern) ?? .all, from: from, to: to)
    var kept: [JournalEntry.CommitEntry] = []
    let show: (JournalEntry.CommitEntry) -> Void = { commit in
      output.printResult(
        journal.display.json
          ? [JSONRecord.line(JournalText.record(commit))]
          : JournalText.lines(commit, output.resultStyle))
    }
    do throws(JournalError) {
      try RecordedRun(journal.file).read { _, entry in
        guard case .commit(let commit) = entry, filter.admits(commit) else { return true }
        guard let last else {
          show(commit)
          return output.failure == nil
        }
        kept.append(commit)
        // At most twice as many are held, so dropping them is cheap.
        if kept.count / 2 > last { kept.removeFirst(kept.count - last) }
        return true
      }
    } catch {
      kept.suffix(last ?? 0).forEach(show)
      throw journal.refusal(error)
    }
    kept.suffix(last ?? 0).forEach(show)
  }
}

/// The choice of commits.
private struct JournalFilter {
  let type: ActionPattern
  let from: Int64?
  let to: Int64?

  func admits(_ commit: JournalEntry.CommitEntry) -> Bool {
    commit.actions.contains { action in
      type.matches(action.type) && action.meta.id >= from ?? .min
        && action.meta.id <= to ?? .max
    }
  }
}

/// Writes a journal as a recording.
struct ExportJournalSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a journal to standard output as a recording: lines of JSON.")

  @OptionGroup var journal: JournalArgument

  @OptionGroup var redaction: RedactionOption

  func run() async throws {
    let output = journal.output
    var rules = redaction.rules
    do throws(JournalError) {
      let run = try RecordedRun(journal.file)
      try rules.noteAll(in: run)
      try run.read { _, entry in
        let bytes = rules.redacted(entry.bytes)
        output.printResult([JSONRecord.escaped(String(decoding: bytes, as: UTF8.self))])
        return output.failure == nil
      }
    } catch {
      throw journal.refusal(error)
    }
  }
}

/// The option that names what a recording leaves out.
struct RedactionOption: ParsableArguments {
  @Option(
    name: .customLong("redact"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      A place to leave out, such as auth.token: in the state, and in the payloads of the module's \
      actions. May be repeated.
      """, valueName: "path"))
  var paths: [String] = []

  func validate() throws {
    for text in paths {
      guard let path = try? Path(parsing: text), path.components.count > 1 else {
        throw ValidationError("--redact '\(text)': write a path such as auth.token")
      }
    }
  }

  var rules: Redaction { Redaction(paths.compactMap { try? Path(parsing: $0) }) }
}

/// Checks a journal.
struct VerifyJournalSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks that a journal is undamaged, and leads from state to state.",
    discussion: "The exit code is 0 if it is, and 65 if it is damaged.")

  @OptionGroup var journal: JournalArgument

  func run() async throws {
    let output = journal.output
    var check = JournalCheck()
    do throws(JournalError) {
      try RecordedRun(journal.file).read { number, entry in check.take(number, entry) }
    } catch {
      if check.isBegun { output.printNotice(check.summary) }
      throw journal.refusal(error, .verification)
    }
    if let problem = check.problem {
      if check.isBegun { output.printNotice(check.summary) }
      throw journal.refusal(JournalError(journal.file, problem), .verification)
    }
    output.printResult(
      journal.display.json ? [JSONRecord.line(check.record)] : [check.summary])
  }
}

/// Makes a journal smaller.
struct CompactJournalSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Makes a journal smaller by dropping everything before its last whole state.")

  @OptionGroup var journal: JournalArgument

  func run() async throws {
    do throws(JournalError) {
      let file = try JournalFile(journal.file, for: .resuming)
      defer { file.close() }
      // Only once it is clear that the rest leads to a state.
      let kept = try KeptSession(in: file)
      let before = file.byteCount
      try file.removeRecords(before: kept.firstNumber)
      try file.compact()
      let after = file.byteCount
      journal.output.printResult([
        "\(Wording.size(before)) → \(Wording.size(after))"
      ])
    } catch {
      throw journal.refusal(error, .session)
    }
  }
}
