import MoonTerminal
import Moonwire

/// Reads lines and carries them out until there are no more.
struct PromptLoop: Sendable {
  /// The maximum number of lines of one piece of Lua.
  ///
  /// Each is tried with all lines before it.
  static let continuationCountMax = 500

  let session: PromptSession
  let options: RunOptions
  let output: TerminalOutput
  let source: LineSource
  let snapshots: SnapshotBox
  let label: PromptLabel
  let keeper: StateKeeper?

  /// The result of a line.
  private enum Progress {
    case done
    case failed
    case left
  }

  /// Dispatches the actions of the command line; returns the exit code.
  func dispatchAll() async -> Int32 {
    var code: Int32 = 0
    for action in options.actions {
      await Termination.waitIfBegun()
      let progress = await carryOut(.dispatch(action), text: "", place: nil)
      if progress == .failed { code = ExitStatus.dataError }
      if progress == .failed, options.failures == .stop { break }
      if let code = outputCode { return code }
    }
    return code
  }

  /// Reads and carries out lines; returns the exit code.
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

  /// Remembers the state after a change that no line made.
  func noteState() async {
    guard let keeper, let state = await session.host.savedState(of: session.id) else { return }
    keeper.note(state)
  }

  /// Shows changes in the prompt while a line is typed.
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

  /// The exit code if results can no longer be written.
  private var outputCode: Int32? {
    guard let failure = output.failure else { return nil }
    if case .closed = failure { return 0 }
    output.printNotice(Report("\(failure)"))
    return ExitStatus.outputError
  }

  // MARK: Lines

  /// Carries out a line; one that was pasted may be several.
  private func take(_ text: String, _ number: inout Int) async -> Progress {
    let line: PromptLine
    do throws(PromptLineError) {
      line = try PromptLine(parsing: text)
    } catch {
      let parts = text.split(separator: "\n").map(String.init)
      guard parts.count > 1 else {
        await source.record(text)
        report(error.report.adding(place(text, number)))
        return .failed
      }
      for part in parts {
        let progress = await take(part, &number)
        if progress != .done { return progress }
      }
      return .done
    }
    if case .evaluate(let lua) = line { return await evaluate(lua, typed: text, &number) }
    if line != .nothing { await source.record(text) }
    return await carryOut(line, text: text, place: place(text, number))
  }

  private func carryOut(
    _ line: PromptLine, text: String, place: Report.Row?
  ) async -> Progress {
    do throws(PromptError) {
      return await show(try await line.run(in: session))
    } catch {
      report(error.report.adding(place))
      return .failed
    }
  }

  /// Evaluates Lua, reading further lines while it is incomplete.
  private func evaluate(
    _ lua: String, typed: String, _ number: inout Int
  ) async -> Progress {
    var text = lua
    var whole = typed
    let first = place(typed, number)
    for _ in 0..<Self.continuationCountMax {
      let problem: PromptError
      do throws(PromptError) {
        let reply = try await session.evaluate(text)
        await source.record(whole)
        return await show(reply)
      } catch {
        problem = error
      }
      guard problem.isIncomplete else {
        await source.record(whole)
        report(problem.report.adding(first))
        return .failed
      }
      guard case .success(.line(let more)) = await source.next(prompt: label.continuation),
        !more.allSatisfy(\.isWhitespace)
      else {
        await source.record(whole)
        if source.author == .person { return .done }
        report(problem.report.adding(first))
        return .failed
      }
      number += 1
      text += "\n" + more
      whole += "\n" + more
    }
    report(
      Report(
        "a piece of Lua has more than \(Self.continuationCountMax) lines",
        rows: [.init("help", "put it into a module, or into a library below lib/")]
      ).adding(first))
    return .failed
  }

  /// The place of a line in a script.
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
