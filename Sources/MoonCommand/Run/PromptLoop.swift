import MoonTerminal
import Moonwire

/// Reads lines and carries them out until there are no more.
struct PromptLoop: Sendable {
  /// How many lines one piece of Lua or JSON may have: each of them is tried with all before it.
  static let continuationCountMax = 500

  let session: PromptSession
  let options: RunOptions
  let output: TerminalOutput
  let source: LineSource
  let snapshots: SnapshotBox
  let label: PromptLabel
  let keeper: StateKeeper?

  /// What became of a line.
  private enum Progress {
    case done
    case failed
    case left
  }

  /// Dispatches what the command line names; returns the code to exit with.
  func dispatchAll() async -> Int32 {
    var code: Int32 = 0
    for action in options.actions {
      await Termination.waitIfBegun()
      let progress = await carryOut(.dispatch(action), place: nil)
      if progress == .failed { code = ExitStatus.dataError }
      if progress == .failed, options.failures == .stop { break }
      if let code = outputCode { return code }
    }
    return code
  }

  /// Reads and carries out lines; returns the code to exit with.
  func run() async -> Int32 {
    let isScript = source.author == .script
    var code: Int32 = 0
    var number = 0
    while true {
      await prepare()
      number += 1
      let progress: Progress
      switch await source.next(prompt: label.text(snapshots.current)) {
      case .success(.endOfInput): return code
      case .success(.interrupted): continue
      case .success(.quit):
        if Signals.quitJob() { await Termination.wait() }
        continue
      case .success(.line(let line)):
        await Termination.waitIfBegun()
        progress = await take(line, &number)
      case .failure(let error):
        report(Report("\(error)"))
        guard case .lineTooLong = error else { return ExitStatus.noInput }
        progress = .failed
      }
      if let code = outputCode { return code }
      if progress == .left { return code }
      if progress == .failed, isScript {
        code = ExitStatus.dataError
        if options.failures == .stop { return code }
      }
    }
  }

  /// Remembers the state after something that wasn't a line.
  func noteState() async {
    guard let keeper, let state = await session.host.savedState(of: session.id) else { return }
    keeper.note(state)
  }

  /// Shows in the prompt, while a line is typed, what has changed.
  func refreshPrompt() async {
    guard source.author == .person else { return }
    let before = label.text(snapshots.current)
    await snapshots.refresh(session.host, session.id)
    source.editor?.replacePrompt(before, with: label.text(snapshots.current))
  }

  private func prepare() async {
    guard source.author == .person else { return }
    output.flushLog()
    if let error = source.takeHistoryFailure() { output.printNotice(error.report) }
    await snapshots.refresh(session.host, session.id)
  }

  /// The code to exit with when nobody reads the results any more.
  private var outputCode: Int32? {
    guard let failure = output.failure else { return nil }
    if case .closed = failure { return 0 }
    output.printNotice(Report("\(failure)"))
    return ExitStatus.outputError
  }

  // MARK: Lines

  /// Carries out what was entered: the lines of a paste one after the other, as if they were typed.
  private func take(_ entry: String, _ number: inout Int) async -> Progress {
    var lines = EnteredLines(entry)
    while let line = lines.next() {
      let progress = await carryOut(line, &lines, &number)
      if progress == .failed, let report = lines.reportOfRest { output.printNotice(report) }
      guard progress == .done else { return progress }
    }
    return .done
  }

  /// What became of a text.
  private enum Attempt {
    case finished(Progress)
    /// It needs more lines; the report says what is wrong if there are none.
    case incomplete(Report)
  }

  /// Carries out a line, with as many more lines as it needs.
  private func carryOut(
    _ line: String, _ lines: inout EnteredLines, _ number: inout Int
  ) async -> Progress {
    var text = line
    let first = place(line, number)
    for _ in 0..<Self.continuationCountMax {
      let problem: Report
      switch await attempt(text, at: first) {
      case .finished(let progress): return progress
      case .incomplete(let report): problem = report
      }
      guard let more = await nextLine(&lines, &number) else {
        await source.record(text)
        if source.author == .person { return .done }
        report(problem.adding(first))
        return .failed
      }
      text += "\n" + more
    }
    report(
      Report(
        "a piece of Lua or JSON has more than \(Self.continuationCountMax) lines",
        rows: [.init("help", "put it into a module, or into a library below lib/")]
      ).adding(first))
    return .failed
  }

  private func attempt(_ text: String, at place: Report.Row?) async -> Attempt {
    let line: PromptLine
    do throws(PromptLineError) {
      line = try PromptLine(parsing: text)
    } catch {
      if error.isIncomplete(in: text) { return .incomplete(error.report) }
      await source.record(text)
      report(error.report.adding(place))
      return .finished(.failed)
    }
    guard case .evaluate(let lua) = line else {
      if line != .nothing { await source.record(text) }
      return .finished(await carryOut(line, place: place))
    }
    do throws(PromptError) {
      let reply = try await session.evaluate(lua)
      await source.record(text)
      return .finished(await show(reply))
    } catch {
      if error.isIncomplete { return .incomplete(error.report) }
      await source.record(text)
      report(error.report.adding(place))
      return .finished(.failed)
    }
  }

  /// The line that continues a piece; nil when it is given up.
  private func nextLine(_ lines: inout EnteredLines, _ number: inout Int) async -> String? {
    if let line = lines.next() { return line }
    guard case .success(.line(let entry)) = await source.next(prompt: label.continuation),
      !entry.allSatisfy(\.isWhitespace)
    else { return nil }
    number += 1
    lines = EnteredLines(entry)
    return lines.next()
  }

  private func carryOut(_ line: PromptLine, place: Report.Row?) async -> Progress {
    do throws(PromptError) {
      return await show(try await line.run(in: session))
    } catch {
      report(error.report.adding(place))
      return .failed
    }
  }

  /// Where a script has a line.
  private func place(_ text: String, _ number: Int) -> Report.Row? {
    guard source.author == .script else { return nil }
    return Report.Row("input", "line \(number): \(TerminalText.clipped(text, to: 80))")
  }

  // MARK: Answers

  private func show(_ answer: any PromptAnswer) async -> Progress {
    if answer.endsPrompt { return .left }
    if answer.step != nil { await noteState() }
    if let shown = answer.shownScreen { snapshots.note(shown) }
    switch options.format {
    case .json: if let record = answer.record { output.printResult([JSONRecord.line(record)]) }
    case .text:
      let layout = TextLayout(
        style: output.resultStyle, columns: output.columns,
        clock: source.author == .person ? .shown : .hidden, screenColumns: output.screenColumns)
      output.printResult(answer.lines(layout))
      if let top = await session.screen(beneath: answer),
        show(top, trail: answer.hasMoved ? .above : .shown) == .failed
      {
        return .failed
      }
    }
    return answer.hasFailures ? .failed : .done
  }

  /// Shows the screen on top, if there is one.
  func showTop() async {
    if let top = await session.topScreen() { _ = show(top) }
  }

  private func show(
    _ snapshot: ScreenSnapshot, trail: ScreenText.TrailPlace = .shown
  ) -> Progress {
    snapshots.note(snapshot.shown)
    output.printResult(
      ScreenText(style: output.resultStyle, columns: output.screenColumns)
        .compactLines(snapshot, trail: trail))
    return snapshot.shown.failure == nil ? .done : .failed
  }

  private func report(_ report: Report) {
    if options.format == .json { output.printResult([JSONRecord.line(report)]) }
    output.printNotice(report)
  }
}
