import Glibc
import MoonTerminal
import Moonwire
import Synchronization

/// Where everything goes that people read: results to standard output, all else to standard error.
///
/// While a line is typed, texts appear above it. Any thread may use it.
final class Screen: Sendable {
  let resultStyle: Style
  let noticeStyle: Style
  private let environment: [String: String]
  private let isTerminal: Bool
  private let editor: LineEditor?
  private let results = Output(descriptor: STDOUT_FILENO)
  private let notices = Output(descriptor: STDERR_FILENO)
  private let failure = Mutex<OutputError?>(nil)
  private let flood = Mutex(LogFlood())
  private let limitsLog: Bool

  /// How wide lines are where there is no terminal, so that a script always prints the same.
  static let columnCountElsewhere = 100

  init(editor: LineEditor?, color: Style.ColorMode, environment: [String: String]) {
    self.editor = editor
    resultStyle = Style(
      color, target: .init(descriptor: STDOUT_FILENO), environment: environment)
    noticeStyle = Style(
      color, target: .init(descriptor: STDERR_FILENO), environment: environment)
    self.environment = environment
    isTerminal = isatty(STDOUT_FILENO) == 1
    limitsLog = isatty(STDERR_FILENO) == 1
  }

  /// How wide lines are; a window may change its size.
  var columns: Int { terminalColumns ?? Self.columnCountElsewhere }

  /// How wide the app's screens are.
  var screenColumns: Int { terminalColumns ?? TerminalSize.columnCountFallback }

  private var terminalColumns: Int? {
    isTerminal ? TerminalSize.columns(of: STDOUT_FILENO, environment: environment) : nil
  }

  /// Why results can't be written any more; nil while they can.
  var outputFailure: OutputError? { failure.withLock { $0 } }

  /// Shows lines of a result.
  func result(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    let text = lines.joined(separator: "\n") + "\n"
    if let editor { return editor.printAbove(text, to: .output) }
    do throws(OutputError) {
      try results.write(text)
    } catch {
      failure.withLock { $0 = error }
    }
  }

  /// Shows something that isn't a result.
  func notice(_ text: String) {
    if let editor { return editor.printAbove(text + "\n", to: .error) }
    // Nobody is left to be told that errors can't be told.
    try? notices.write(text + "\n")
  }

  /// Shows a report.
  func notice(_ report: Report) { notice(report.text(noticeStyle)) }

  /// Shows a line of the log, unless there are too many.
  func log(_ line: LogLine) {
    guard limitsLog else { return notice(line.text(noticeStyle)) }
    let second = ContinuousClock.now.secondCount
    switch flood.withLock({ $0.verdict(at: second) }) {
    case .drop: return
    case .show(let count):
      if count > 0 { notice(noticeStyle.paint(Messages.dropped(count), .dim)) }
      notice(line.text(noticeStyle))
    }
  }

  /// Says how many log lines weren't shown, if there were any.
  func flushLog() {
    let count = flood.withLock { $0.takeDropped() }
    if count > 0 { notice(noticeStyle.paint(Messages.dropped(count), .dim)) }
  }
}

extension ContinuousClock.Instant {
  /// Whole seconds since the first time that anybody asked for them.
  fileprivate var secondCount: Int64 { Self.origin.duration(to: self).components.seconds }

  private static let origin = ContinuousClock.now
}
