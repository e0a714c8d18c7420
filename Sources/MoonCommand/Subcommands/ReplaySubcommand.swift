import ArgumentParser
import MoonJournal
import MoonPrompt
import MoonTerminal
import MoonTesting
import Moonwire

/// Replays a recording with the present modules.
struct ReplaySubcommand: AsyncParsableCommand, HostCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replays a journal or a recording, and compares the states.",
    discussion: """
      Effects and services don't run; times, ids and so random numbers are as recorded. A call \
      may take 10 s, unless --limit says otherwise.

      A verdict comes first: fine, if the modules are those of the recording; risky, if any has \
      changed, which needs --accept-risky; impossible, if actions are gone.

      With --test, nothing is carried out: what was dispatched, and what it changed, is printed as \
      a test in Lua. Put it into DIR/tests, where moonwire test finds it. What modules redact is \
      left out, and what --redact names.

      With --tasks, the durable tasks that haven't ended run through their journals instead, on \
      the modules as they are, and nothing is changed.

      The file may also be a list of actions that somebody has written, in JSON or as lines of \
      JSON, each {"name": "counter/add", "payload": {"by": 1}}. They run in a new session, with \
      all that mappers and routing make of them, and the navigation is shown. The first action \
      that fails ends the replay, with exit code 65.

      The exit code is 0 if all states, or tasks, are as recorded, 1 if one differs, 65 if the \
      recording is damaged or not replayed, and 66 if there is no such directory or recording.
      """)

  @Argument(help: "The journal, a recording, or a list of actions.", completion: .file())
  var file: String

  @Argument(
    help: "The directory with the modules; the current one by default.", completion: .directory)
  var directory = "."

  @OptionGroup var links: LinkOptions

  @Flag(help: "Print a test in Lua instead, with what was dispatched and what it changed.")
  var test = false

  @Option(help: ArgumentHelp("With --test: only actions from this id on.", valueName: "id"))
  var from: Int64?

  @Option(help: ArgumentHelp("With --test: only actions up to this id.", valueName: "id"))
  var to: Int64?

  @OptionGroup var redaction: RedactionOption

  @Flag(help: "Check whether the durable tasks could resume with the present modules.")
  var tasks = false

  @Flag(help: "Replay even if modules have changed.")
  var acceptRisky = false

  @OptionGroup var limits: LimitOptions

  @OptionGroup var grants: GrantOptions

  @OptionGroup var urls: URLOptions

  @OptionGroup var data: DataOption

  @OptionGroup var moduleSettings: SettingOptions

  @OptionGroup var builtIns: BuiltInOptions

  @OptionGroup var display: DisplayOptions

  func validate() throws {
    if !test, from != nil || to != nil {
      throw ValidationError("--from and --to choose what --test writes")
    }
    if !test, !redaction.paths.isEmpty {
      throw ValidationError("--redact names what --test leaves out: add --test")
    }
    if test, tasks { throw ValidationError("--test and --tasks can't stand beside each other") }
    if let from, let to, from > to { throw ValidationError("--from \(from) is after --to \(to)") }
  }

  func run() async throws {
    if test { return try writeTest() }
    let inspection = try await Inspection(of: directory, links, display, settings) { options in
      options.budgets = Budgets(all: Self.callMax)
      for limit in settings.limits.settings { limit.set(in: &options) }
    }
    let (output, host) = (inspection.output, inspection.host)
    await inspection.reportProblems()
    if let list = try await list(inspection) { return try await play(list, inspection) }
    let run: RecordedRun
    let result: RecordedReplay
    do {
      run = try RecordedRun(file)
      if tasks { return try await checkTasks(of: run, inspection) }
      let verdict = try await run.verdict(with: host)
      try report(verdict, inspection)
      result = try await run.replay(on: host)
    } catch let error as JournalError {
      await host.close()
      throw inspection.refusal(error.report(for: .reading), error.code)
    }
    await host.close()
    output.printResult(
      display.json
        ? [JSONRecord.line(result.record)]
        : result.lines(output.resultStyle, columns: output.columns))
    if result.difference != nil { throw ExitCode(ExitStatus.problemsFound) }
  }

  /// The time that a call may take, unless a limit is given.
  ///
  /// What took too long when it was recorded fails again because the recording says so. So this
  /// only ends code that has no end, and nothing differs because a machine is slow.
  private static let callMax = Duration.seconds(10)

  private func writeTest() throws {
    let output = TerminalOutput(
      editor: nil, color: display.color.mode, environment: ProcessEnvironment.variables)
    do throws(JournalError) {
      let ids = (from ?? .min)...(to ?? .max)
      let written = try GeneratedTest(
        from: try RecordedRun(file), ids: ids, leavingOut: redaction.rules,
        named: "as recorded in \(file.split(separator: "/").last ?? "")")
      output.printResult(written.text.split(separator: "\n").map(String.init))
    } catch {
      output.report(error.report(for: .reading), inJSON: display.json)
      throw ExitCode(error.code)
    }
  }

  private func report(_ verdict: ReplayVerdict, _ inspection: Inspection) throws {
    switch verdict {
    case .fine:
      inspection.output.printNotice(Report(.note, "fine: the modules are those of the recording"))
    case .risky(let changes):
      let severity: Report.Severity = acceptRisky ? .warning : .error
      let report = Report(
        severity, "risky: the modules aren't those of the recording",
        rows: changes.map { .init("changed", $0) }
          + (acceptRisky ? [] : [.init("help", "to replay nevertheless: --accept-risky")]))
      guard acceptRisky else { throw inspection.refusal(report, ExitStatus.dataError) }
      inspection.output.printNotice(report)
    case .impossible(let types):
      throw inspection.refusal(
        Report(
          "impossible: no module knows these actions of the recording",
          rows: types.map { .init("gone", $0) }), ExitStatus.dataError)
    }
  }
}

extension RecordedReplay {
  /// The result for people.
  func lines(_ style: Style, columns: Int) -> [String] {
    let replayed = Wording.counted(count, "action")
    guard let difference else {
      return ["\(replayed) replayed: every state is as recorded"]
    }
    let action = difference.action
    let type = TerminalText.singleLine("\(action.type)")
    var lines = [
      "\(replayed) replayed; #\(action.meta.id) \(type) differs (recorded → replayed):"
    ]
    if let error = difference.error {
      lines.append("  it failed: \(TerminalText.singleLine("\(error)"))")
    }
    lines += ChangeText(style: style, columns: columns).lines(difference.diff).map { "  \($0)" }
    if isRedacted {
      lines.append(
        "  the recording was redacted: \(Redaction.mark) stands for values that were left out, "
          + "which may be why")
    }
    return lines
  }

  /// The result for programs.
  var record: Map {
    var map: Map = ["kind": "replay", "actions": .int(Int64(count))]
    if let difference {
      map["differs"] = [
        "id": .int(difference.action.meta.id), "type": .string(difference.action.type),
        "changes": JSONRecord.changes(difference.diff), "redacted": .bool(isRedacted),
      ]
    }
    return map
  }
}
