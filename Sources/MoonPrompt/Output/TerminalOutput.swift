import Glibc
package import MoonTerminal
import Moonwire
import Synchronization

/// The output of the program: results on standard output, everything else on standard error.
///
/// While a line is being typed, text appears above that line. Any thread may print.
package final class TerminalOutput: Sendable {
  package let resultStyle: Style
  package let noticeStyle: Style
  private let environment: [String: String]
  private let isTerminal: Bool
  private let editor: LineEditor?
  private let distant: DistantTerminal?
  private let results = Output(descriptor: STDOUT_FILENO)
  private let sendsResultsToErrors = Atomic(false)
  private let notices = Output(descriptor: STDERR_FILENO)
  private let writeFailure = Mutex<OutputError?>(nil)
  private let throttle = Mutex(LogThrottle())
  private let throttlesLog: Bool
  private let wrapsNotices: Bool

  /// The width of lines without a terminal, which makes a script's output independent of the
  /// machine.
  package static let columnCountElsewhere = 100

  package init(editor: LineEditor?, color: Style.ColorMode, environment: [String: String]) {
    self.editor = editor
    distant = nil
    resultStyle = Style(
      color, target: .init(descriptor: STDOUT_FILENO), environment: environment)
    noticeStyle = Style(
      color, target: .init(descriptor: STDERR_FILENO), environment: environment)
    self.environment = environment
    isTerminal = isatty(STDOUT_FILENO) == 1
    throttlesLog = isatty(STDERR_FILENO) == 1
    wrapsNotices = throttlesLog
  }

  /// Makes the output on a terminal that another program writes to.
  package init(on terminal: DistantTerminal) {
    editor = nil
    distant = terminal
    resultStyle = terminal.style
    noticeStyle = terminal.style
    environment = [:]
    isTerminal = false
    throttlesLog = terminal.rows != nil
    wrapsNotices = true
  }

  /// The current width of lines.
  ///
  /// It may change when a window is resized.
  package var columns: Int { terminalColumns ?? Self.columnCountElsewhere }

  /// The current width of the app's screens.
  package var screenColumns: Int { terminalColumns ?? TerminalSize.columnCountFallback }

  private var terminalColumns: Int? {
    if let distant { return distant.columns }
    return isTerminal ? TerminalSize.columns(of: STDOUT_FILENO, environment: environment) : nil
  }

  /// The number of lines that fit above a prompt; nil without a terminal.
  package var rows: Int? {
    if let distant { return distant.rows.map { max(5, $0 - 2) } }
    return isTerminal ? TerminalSize.rows(of: STDOUT_FILENO).map { max(5, $0 - 2) } : nil
  }

  /// The reason that results can no longer be written; nil while they can.
  package var failure: OutputError? { writeFailure.withLock { $0 } }

  /// Prints lines of a result.
  package func printResult(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    let text = lines.joined(separator: "\n") + "\n"
    if sendsResultsToErrors.load(ordering: .relaxed) { return printNotice(String(text.dropLast())) }
    if let distant { return distant.show(String(text.dropLast()), .result) }
    if let editor { return editor.printAbove(text, to: .output) }
    do throws(OutputError) {
      try results.write(text)
    } catch {
      writeFailure.withLock { $0 = error }
    }
  }

  /// Sends later results to standard error, since standard output has another use.
  package func sendResultsToErrors() { sendsResultsToErrors.store(true, ordering: .relaxed) }

  /// Prints text that isn't a result.
  package func printNotice(_ text: String) {
    let text = wrapsNotices ? wrapped(text, to: noticeColumns) : text
    if let distant { return distant.show(text, .notice) }
    if let editor { return editor.printAbove(text + "\n", to: .error) }
    // A failure to print errors can't be reported.
    try? notices.write(text + "\n")
  }

  /// Prints a report.
  package func printNotice(_ report: Report, showingCode: Bool = false) {
    printNotice(
      report.text(
        noticeStyle, columns: noticeColumns ?? Report.excerptWidth, showingCode: showingCode))
  }

  private var noticeColumns: Int? {
    distant?.columns ?? TerminalSize.columns(of: STDERR_FILENO)
  }

  /// Prints a report, which is a result, too, if results are in JSON.
  package func report(_ report: Report, inJSON isJSON: Bool) {
    if isJSON { printResult([JSONRecord.line(report)]) }
    printNotice(report)
  }

  /// Breaks the lines of a text between words; `columns` is nil if the width isn't known.
  package func wrapped(_ text: String, to columns: Int?) -> String {
    guard let columns else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let indent = line.prefix { $0 == " " }.count
      let isRow = indent == 2 && columns >= Self.rowColumnCountMin
      return TerminalText.wrapped(
        String(line), to: columns, indent: isRow ? Report.rowIndent : indent + 2)
    }.joined(separator: "\n")
  }

  /// The minimum width at which broken rows of reports are aligned.
  private static let rowColumnCountMin = 60

  /// Prints a line of the log, unless a terminal is getting too many.
  package func printLog(_ line: LogLine) {
    guard throttlesLog else { return printNotice(line.text(noticeStyle)) }
    let second = ContinuousClock.now.secondCount
    switch throttle.withLock({ $0.verdict(at: second) }) {
    case .drop: return
    case .show(let count):
      if count > 0 { printDropped(count) }
      printNotice(line.text(noticeStyle))
    }
  }

  private func printDropped(_ count: Int) {
    let lines = Wording.counted(count, "log line")
    printNotice(
      noticeStyle.paint("… \(lines) more than could be shown: :log has the last of them", .dim))
  }

  /// Prints how many log lines were dropped, if any were.
  package func flushLog() {
    let count = throttle.withLock { $0.takeDropped() }
    if count > 0 { printDropped(count) }
  }
}

extension ContinuousClock.Instant {
  /// Whole seconds since the first access.
  fileprivate var secondCount: Int64 { Self.origin.duration(to: self).components.seconds }

  private static let origin = ContinuousClock.now
}
