import MoonTerminal
package import Moonwire

/// The display of answers, and of the screen on top below them.
package struct AnswerDisplay: Sendable {
  private let session: PromptSession
  private let output: TerminalOutput
  private let format: OutputFormat
  private let isForPerson: Bool
  private let snapshots: SnapshotBox
  private let flushEvents: @Sendable () -> Void
  private let shownLines = ShownLines()

  /// Makes a display; `flushEvents` prints the events so far, which come before an answer.
  package init(
    of session: PromptSession, on output: TerminalOutput, _ format: OutputFormat,
    isForPerson: Bool, noting snapshots: SnapshotBox, flushEvents: @escaping @Sendable () -> Void
  ) {
    self.session = session
    self.output = output
    self.format = format
    self.isForPerson = isForPerson
    self.snapshots = snapshots
    self.flushEvents = flushEvents
  }

  /// Notes that a line is being carried out, whose answer shows what it has changed.
  package func beginLine() { shownLines.beginLine() }

  /// Notes that the line has ended, and shows what else has changed on the screen meanwhile.
  package func endLine() async {
    if shownLines.endLine() { await redraw() }
  }

  /// Shows an answer; returns false if it tells of a failure, or if the screen below it has one.
  ///
  /// With `holdsScreen`, the screen is shown below the next answer, that of the line's tasks, since
  /// these may change it.
  package func show(_ answer: any PromptAnswer, holdsScreen: Bool = false) async -> Bool {
    flushEvents()
    if let shown = answer.shownScreen {
      snapshots.note(shown)
      shownLines.forgive()
    }
    switch format {
    case .json: if let record = answer.record { output.printResult([JSONRecord.line(record)]) }
    case .text:
      let layout = TextLayout(
        style: output.resultStyle, columns: output.columns,
        clock: isForPerson ? .shown : .hidden, screenColumns: output.screenColumns)
      printAnswer(answer.lines(layout))
      let held = shownLines.takeHeld()
      let trail = held ?? (answer.hasMoved ? .above : .shown)
      if holdsScreen, answer.wantsScreen {
        shownLines.hold(trail)
      } else if held != nil || !mayBeShort(answer) && answer.wantsScreen,
        let top = await session.topScreen()
      {
        guard show(top, trail: trail) else { return false }
      } else if answer.step != nil {
        await redraw()
      }
    }
    return !answer.hasFailures
  }

  /// Whether the changed lines of the screen are enough for a person.
  private func mayBeShort(_ answer: any PromptAnswer) -> Bool {
    isForPerson && answer.screenDisplay == .whenNew && answer.step?.hasRemadeTop ?? false
  }

  /// Prints as much of an answer as fits a person's terminal.
  private func printAnswer(_ lines: [String]) {
    guard isForPerson, let rows = output.rows, !lines.isEmpty else {
      return output.printResult(lines)
    }
    let lines = lines.map { output.wrapped($0, to: output.columns) }
    let (shown, left) = session.rest.keep(lines, beyond: rows)
    let note = "… \(Wording.counted(left, "line")) more: :more"
    output.printResult(shown + (left > 0 ? [output.resultStyle.paint(note, .dim)] : []))
  }

  /// Shows the screen on top, if there is one.
  package func showTop() async {
    if let top = await session.topScreen() { _ = show(top, trail: .shown) }
  }

  /// Shows a screen; returns false if it can't be drawn.
  private func show(_ snapshot: ScreenSnapshot, trail: ScreenText.TrailPlace) -> Bool {
    flushEvents()
    snapshots.note(snapshot.shown)
    shownLines.note(lines(snapshot), of: snapshot)
    output.printResult(screenText.compactLines(snapshot, trail: trail))
    return snapshot.shown.failure == nil
  }

  /// Shows the changes that events made to the screen on top.
  package func redraw(after events: [HostEvent]) async {
    var change: ShownLines.Change?
    for case .screenChanged(_, let drawn) in events { change = .drawing(drawn) }
    if events.contains(where: \.isModuleChange) {
      shownLines.forgive()
      change = .modules
    }
    // Drawing calls the view, so what is shown already isn't drawn again.
    if let change, shownLines.takes(change) { await redraw() }
  }

  /// Shows the changes of the screen on top to a person.
  private func redraw() async {
    guard isForPerson, format == .text, shownLines.mayDraw, let top = await session.topScreen()
    else { return }
    // The reports of faults in the drawing come before it.
    flushEvents()
    snapshots.note(top.shown)
    output.printResult(shownLines.changes(to: lines(top), of: top, output.resultStyle))
  }

  private func lines(_ snapshot: ScreenSnapshot) -> [String] {
    screenText.compactLines(snapshot, trail: .shown)
  }

  private var screenText: ScreenText {
    ScreenText(style: output.resultStyle, columns: output.screenColumns)
  }
}
