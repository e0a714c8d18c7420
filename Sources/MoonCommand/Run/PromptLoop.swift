import MoonPrompt
import MoonTerminal
import Moonwire

/// The loop that reads lines and carries them out until there are no more.
struct PromptLoop: Sendable {
  /// The maximum number of lines of one piece of Lua or JSON.
  ///
  /// Each line is tried with all before it.
  static let continuationCountMax = 500

  let session: PromptSession
  let options: RunOptions
  let output: TerminalOutput
  let source: LineSource
  let snapshots: SnapshotBox
  let label: PromptLabel
  let stateWriter: StateWriter?
  let taskWait: TaskWait
  let questions: GrantQuestions
  let display: AnswerDisplay
  /// What was typed before the first line, in place of an answer; it is carried out.
  let earlyLine: String?

  /// The result of a line.
  private enum Progress {
    case done
    case failed
    case left
  }

  /// Carries out the lines of the command line; returns the exit code.
  func carryOutAll() async -> Int32 {
    var code = await waitForResumedTasks() == .failed ? ExitStatus.dataError : 0
    for text in options.lines {
      await Termination.waitIfBegun()
      let progress = await waitForTasks(after: await carryOut(text))
      if progress == .failed { code = ExitStatus.dataError }
      if progress == .failed, options.failures == .stop { break }
      if let code = outputCode { return code }
    }
    return code
  }

  /// Carries out a line of the command line, which nothing continues.
  private func carryOut(_ text: String) async -> Progress {
    switch await attempt(text, at: nil) {
    case .finished(let progress): return progress
    case .unfinished(let problem):
      report(problem.report)
      return .failed
    }
  }

  /// Reads and carries out lines; returns the exit code.
  func run() async -> Int32 {
    var code = await waitForResumedTasks() == .failed ? ExitStatus.dataError : 0
    var lines = EnteredLines()
    if let earlyLine { lines.enter(earlyLine) }
    while true {
      let progress: Progress
      if let line = lines.next() {
        await Termination.waitIfBegun()
        if source.author == .person { await taskWait.beginLine() }
        progress = await waitForTasks(after: await carryOut(line, &lines))
      } else {
        switch await read(&lines) {
        case .done: continue
        case .left:
          noteMissingLines(lines)
          return code
        case .failed(let error):
          guard case .lineTooLong = error else {
            noteMissingLines(EnteredLines())
            return ExitStatus.noInput
          }
          progress = .failed
        }
      }
      if let code = outputCode { return code }
      if progress == .left { return code }
      guard progress == .failed else { continue }
      if source.author == .script {
        code = ExitStatus.dataError
        if options.failures == .stop { return code }
      } else {
        if let report = lines.reportOfRest { output.printNotice(report) }
        lines.dropAll()
      }
    }
  }

  /// Says what runs an app without lines, if a script has none, and its state isn't written.
  private func noteMissingLines(_ lines: EnteredLines) {
    guard source.author == .script, lines.isUntouched, options.stateFile == nil else { return }
    output.printNotice(
      Report(
        .note, "standard input has no lines, so the run has ended",
        rows: [.init("help", "moonwire serve DIR runs an app without them")]))
  }

  /// In a script, waits for the resumed durable tasks of an earlier run.
  private func waitForResumedTasks() async -> Progress {
    let tasks = await session.host.taskInfos(of: session.id)
    guard tasks.contains(where: { $0.durable != nil }) else { return .done }
    return await waitForTasks(after: .done)
  }

  /// Waits for the tasks that a line of a script started, and shows their results.
  private func waitForTasks(after progress: Progress) async -> Progress {
    guard source.author != .person, progress != .left else { return progress }
    let (answer, report) = await taskWait.run()
    if let report { output.printNotice(report) }
    let shown = await show(answer, ofTasks: true)
    return progress == .failed ? .failed : shown
  }

  /// Shows the results of tasks while a person types.
  func show(_ outcome: Outcome) async {
    guard source.author == .person else { return }
    _ = await show(EffectsAnswer(step: StateStep(outcome)))
  }

  /// Remembers the state after a change that wasn't made by a line.
  func noteState() async {
    guard let stateWriter, let state = await session.host.savedState(of: session.id) else { return }
    stateWriter.note(state)
  }

  /// Shows changes in the prompt while a line is typed.
  func refreshPrompt() async {
    guard source.author == .person else { return }
    let before = label.text(snapshots.current)
    await snapshots.refresh(session.host, session.id)
    source.editor?.replacePrompt(before, with: label.text(snapshots.current))
  }

  /// Prepares reading; returns a line that was typed in place of an answer.
  private func prepare() async -> String? {
    guard source.author == .person else { return nil }
    output.flushLog()
    let line = options.format == .text ? await questions.ask(output, source.answer) : nil
    if let error = source.takeHistoryFailure() { output.printNotice(error.report) }
    await snapshots.refresh(session.host, session.id)
    return line
  }

  /// The exit code if results can no longer be written.
  private var outputCode: Int32? {
    guard let failure = output.failure else { return nil }
    if case .closed = failure { return 0 }
    output.printNotice(Report("\(failure)"))
    return ExitStatus.outputError
  }

  // MARK: Lines

  /// The result of reading.
  private enum Reading {
    case done
    case left
    case failed(LineReadError)
  }

  /// Reads the next entry.
  private func read(_ lines: inout EnteredLines) async -> Reading {
    if let line = await prepare() {
      lines.enter(line)
      return .done
    }
    switch await source.next(prompt: label.text(snapshots.current)) {
    case .success(.line(let entry)): lines.enter(entry)
    case .success(.endOfInput): return .left
    case .success(.interrupted): break
    case .success(.interruptedEmptyLine):
      if let report = await taskWait.cancelTasks() { output.printNotice(report) }
    case .success(.quit): if Signals.quitJob() { await Termination.wait() }
    case .failure(let error):
      noteUnreadable(error, &lines)
      return .failed(error)
    }
    return .done
  }

  /// Reads the line that continues a piece; nil if the user gives up.
  private func readMore(_ lines: inout EnteredLines) async -> EnteredLines.Line? {
    if let line = lines.next() { return line }
    switch await source.next(prompt: label.continuation) {
    case .success(.line(let entry)):
      lines.enter(entry)
      guard entry.allSatisfy(\.isWhitespace) else { return lines.next() }
      lines.dropAll()
    case .success: break
    case .failure(let error): noteUnreadable(error, &lines)
    }
    return nil
  }

  private func noteUnreadable(_ error: LineReadError, _ lines: inout EnteredLines) {
    lines.passOver()
    report(Report("\(error)"))
  }

  /// The result of trying a text.
  private enum Attempt {
    case finished(Progress)
    /// The text isn't a line, at least not yet.
    case unfinished(LineProblem)
  }

  /// Carries out a line, with as many more lines as it needs.
  ///
  /// A mistake in a line of a script can make it look unfinished. So if the piece is never
  /// completed, the other lines that it took are tried separately. Each line therefore begins at
  /// most `continuationCountMax` attempts.
  private func carryOut(
    _ line: EnteredLines.Line, _ lines: inout EnteredLines
  ) async -> Progress {
    var text = line.text
    var taken = [line]
    var problem: Report?
    while taken.count <= Self.continuationCountMax {
      let found: Report
      switch await attempt(text, at: place(line)) {
      case .finished(let progress): return progress
      case .unfinished(.incomplete(let report)): found = problem ?? report
      case .unfinished(let other):
        await source.record(text)
        let report = other.report
        return fail(taken, of: problem ?? report, continued: problem.map { _ in report }, &lines)
      }
      guard let more = await readMore(&lines) else {
        await source.record(text)
        if source.author == .person { return .done }
        return fail(taken, of: found, continued: nil, &lines)
      }
      problem = found
      text += "\n" + more.text
      taken.append(more)
    }
    return fail(taken, of: Self.pieceTooLong, continued: nil, &lines)
  }

  private static let pieceTooLong = Report(
    "a piece of Lua or JSON has more than \(continuationCountMax) lines",
    rows: [.init("help", "put it into a module, or into a library below lib/")])

  /// Reports why a piece isn't complete.
  private func fail(
    _ taken: [EnteredLines.Line], of problem: Report, continued: Report?,
    _ lines: inout EnteredLines
  ) -> Progress {
    guard source.author == .script else {
      report(continued ?? problem)
      return .failed
    }
    report(
      problem.adding(
        place(taken[0]),
        continued.flatMap { _ in taken.last }.map { .init("continued", Self.name(of: $0)) },
        continued.map { .init("continued", $0.detail ?? $0.headline) }))
    lines.putBack(taken.dropFirst())
    return .failed
  }

  private func attempt(_ text: String, at place: Report.Row?) async -> Attempt {
    let line: PromptLine
    do throws(LineProblem) {
      line = try await session.line(text)
    } catch {
      return .unfinished(error)
    }
    // Lua may need more lines, so its text is recorded once it is whole.
    let isLua = if case .evaluate = line { true } else { false }
    if !isLua, line != .nothing { await source.record(text) }
    let attempt = await carryOut(line, place: place)
    if isLua, case .finished = attempt { await source.record(text) }
    return attempt
  }

  private func carryOut(_ line: PromptLine, place: Report.Row?) async -> Attempt {
    display.beginLine()
    let attempt: Attempt
    do throws(PromptError) {
      attempt = .finished(await show(try await session.run(line, asking: question)))
    } catch {
      let problem = LineProblem(error)
      if case .failed = problem {
        report(problem.report.adding(place))
        attempt = .finished(.failed)
      } else {
        attempt = .unfinished(problem)
      }
    }
    await display.endLine()
    return attempt
  }

  /// Returns the place of a line in a script.
  private func place(_ line: EnteredLines.Line) -> Report.Row? {
    source.author == .script ? Report.Row("input", Self.name(of: line)) : nil
  }

  private static func name(of line: EnteredLines.Line) -> String {
    "line \(line.number): \(TerminalText.clipped(line.text, to: 80))"
  }

  /// What asks a person; nil if none is there.
  private var question: (@Sendable (String) async -> String?)? {
    guard source.author == .person, options.format == .text else { return nil }
    return { [source] in await source.answer($0) }
  }

  // MARK: Answers

  private func show(_ answer: any PromptAnswer, ofTasks: Bool = false) async -> Progress {
    if answer.endsPrompt { return .left }
    if answer.step != nil { await noteState() }
    // A script's line ends with its tasks, and only then is it sure what the screen shows.
    let isShown = await display.show(
      answer, holdsScreen: source.author != .person && !ofTasks)
    return isShown ? .done : .failed
  }

  private func report(_ report: Report) {
    output.report(report, inJSON: options.format == .json)
  }
}
