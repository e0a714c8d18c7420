import Dispatch
import Glibc
import MoonFiles
import MoonPrompt
import MoonTerminal
import Moonwire
import Synchronization

/// The source of lines: a person at a terminal, a script in a pipe, or nothing.
final class LineSource: Sendable {
  /// The kind of source.
  enum Author: Sendable {
    case person
    case script
    case nobody
  }

  let author: Author
  let editor: LineEditor?
  private let plain: Mutex<PlainLineReader>
  private let historyFailure = FailureBox()
  // Reading blocks its thread, so it has its own queue.
  private let queue = DispatchQueue(label: "moonwire.lines")

  init(
    reading: Bool, environment: [String: String], color: Style.ColorMode,
    completer: @escaping LineEditor.Completer = { _, _ in .none }
  ) {
    author = !reading ? .nobody : isatty(STDIN_FILENO) == 1 ? .person : .script
    // Without an editor, the prompt must not be mixed with results that are being collected.
    let promptOutput = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO
    plain = Mutex(PlainLineReader(input: STDIN_FILENO, output: promptOutput))
    editor =
      author == .person
      ? Self.editor(
        environment, color, completer,
        onHistoryFailure: { [historyFailure] in historyFailure.set($0) }) : nil
  }

  /// Returns the reason that the history can't be read or written, which is reported once.
  func takeHistoryFailure() -> HistoryError? { historyFailure.take() }

  /// Reads a line.
  func next(prompt: String) async -> Result<ReadResult, LineReadError> {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        if let editor {
          let result = editor.readLine(prompt: prompt, recording: .nothing)
          return continuation.resume(returning: .success(result))
        }
        let result = plain.withLock { reader in
          Result { () throws(LineReadError) in try reader.readLine(prompt: prompt) }
        }
        continuation.resume(returning: result)
      }
    }
  }

  /// Asks a person; nil at the end of input.
  func answer(_ question: String) async -> String? {
    if case .success(.line(let text)) = await next(prompt: question) { text } else { nil }
  }

  /// Adds a line to the history, or several that belong together.
  func record(_ entry: String) async {
    guard let editor else { return }
    await withCheckedContinuation { continuation in
      queue.async {
        editor.record(entry)
        continuation.resume()
      }
    }
  }

  private static func editor(
    _ environment: [String: String], _ color: Style.ColorMode,
    _ completer: @escaping LineEditor.Completer,
    onHistoryFailure: @escaping @Sendable (HistoryError) -> Void
  ) -> LineEditor? {
    guard
      LineEditor.isUsable(
        input: STDIN_FILENO, output: STDOUT_FILENO, environment: environment)
    else { return nil }
    var options = LineEditor.Options()
    options.history = historyPath(environment).map { path in
      DraftName.clear(beside: path)
      return HistoryFile(path: path, draft: DraftName.beside(path))
    }
    options.style = Style(color, target: .terminal, environment: environment)
    // Falls back to plain reading if there is no editor.
    return try? LineEditor(
      on: TerminalDescriptors(), options: options,
      completer: completer, onHistoryFailure: onHistoryFailure)
  }

  /// Returns the path of the history according to the XDG base directories; nil for none.
  static func historyPath(_ environment: [String: String]) -> String? {
    if let named = environment["MOONWIRE_HISTORY"] { return named.isEmpty ? nil : named }
    if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") {
      return base + "/moonwire/history"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.local/state/moonwire/history"
  }
}

/// A box that carries a failure from the editor's thread.
private final class FailureBox: Sendable {
  private let failure = Mutex<HistoryError?>(nil)

  func set(_ error: HistoryError) { failure.withLock { $0 = error } }

  func take() -> HistoryError? {
    failure.withLock { failure in
      defer { failure = nil }
      return failure
    }
  }
}
