import Foundation
import Glibc
import MoonTerminal
import MoonTestSupport
import Synchronization
import Testing

/// An editor at a pseudo-terminal, and its user.
final class EditorSession {
  /// The time after which an expected event counts as missing.
  static let patience: Duration = .seconds(ProgramRun.secondsMax)

  let terminal: PseudoTerminal
  let editor: LineEditor
  private(set) var screen: ScreenModel
  private let answers: Answers
  // A pipe, so that one wait covers both the screen and an answer.
  private let finished: Int32

  init(
    columns: Int = 60, rows: Int = 20, options: LineEditor.Options? = nil,
    completer: @escaping LineEditor.Completer = { _, _ in .none },
    onHistoryFailure: @escaping @Sendable (HistoryError) -> Void = { _ in }
  ) throws {
    try OwnThread.require()
    terminal = try PseudoTerminal(columns: columns, rows: rows)
    screen = ScreenModel(columns: columns, rows: rows)
    let descriptors = TerminalDescriptors(
      input: terminal.slave, output: terminal.slave, error: terminal.slave)
    editor = try LineEditor(
      on: descriptors, options: options ?? EditorSession.plainOptions,
      completer: completer, onHistoryFailure: onHistoryFailure)
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    finished = ends[0]
    answers = Answers(announcing: ends[1])
  }

  deinit {
    terminal.hangUp()
    // Until it returns, the reading thread holds the editor, which holds the terminal.
    _ = try? answer()
    close(finished)
  }

  /// An xterm without key bindings of a user.
  static var plainOptions: LineEditor.Options {
    var options = LineEditor.Options()
    options.terminalType = "xterm"
    options.bindings = .none
    return options
  }

  /// Starts to read a line on a thread of its own, and waits for the prompt.
  func prompt(
    _ prompt: String = "> ", shown: String? = nil, recording: LineEditor.Recording = .line
  ) throws {
    answers.expect()
    let (editor, answers) = (editor, answers)
    Thread.detachNewThread { answers.give(editor.readLine(prompt: prompt, recording: recording)) }
    let plain = prompt.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    let expected = shown ?? plain.trimmingCharacters(in: .whitespaces)
    try wait("the prompt") { $0.takesPastes && $0.lines.last == expected }
  }

  func type(_ keys: String) {
    terminal.type(keys)
  }

  /// Resizes the window, for both the terminal and the program.
  func resize(columns: Int, rows: Int) {
    terminal.resize(columns: columns, rows: rows)
    screen.resize(columns: columns, rows: rows)
    kill(getpid(), SIGWINCH)
  }

  /// Reads the output until the screen meets a condition.
  func wait(_ what: String, until holds: (ScreenModel) -> Bool) throws {
    let deadline = ContinuousClock.now + Self.patience
    while !holds(screen) {
      guard ContinuousClock.now < deadline, draw(until: deadline) else {
        throw EditorSessionError(
          missing: what, screen: "\(screen)", raw: screen.raw.debugDescription)
      }
    }
    #expect(screen.unknown.isEmpty)
  }

  /// Waits until the rows are these.
  func expect(_ lines: [String]) throws {
    try wait("\(lines)") { $0.lines == lines }
  }

  /// Waits for the result of the line that is being read.
  func answer() throws -> ReadResult? {
    let deadline = ContinuousClock.now + Self.patience
    while answers.isExpected {
      if let answer = answers.take() {
        // Output may arrive after the answer, and must not be taken for the next prompt.
        if terminal.isOpen { try wait("pastes switched off") { !$0.takesPastes } }
        return answer
      }
      guard ContinuousClock.now < deadline else {
        throw EditorSessionError(
          missing: "an answer", screen: "\(screen)", raw: screen.raw.debugDescription)
      }
      _ = draw(until: deadline)
    }
    return nil
  }

  /// Prompts, types, and returns the result.
  func read(_ keys: String, prompt: String = "> ") throws -> ReadResult? {
    try self.prompt(prompt)
    type(keys)
    return try answer()
  }

  /// Waits for bytes or a result; returns false if neither can come any more.
  private func draw(until deadline: ContinuousClock.Instant) -> Bool {
    let left = ContinuousClock.now.duration(to: deadline)
    let milliseconds = Int32(max(1, left / .milliseconds(1)))
    var sources = [
      pollfd(fd: terminal.master, events: Int16(POLLIN), revents: 0),
      pollfd(fd: finished, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&sources, 2, milliseconds) > 0 else { return false }
    if sources[0].revents & Int16(POLLIN) != 0 {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(terminal.master, &bytes, bytes.count)
      if count > 0 { screen.feed(Array(bytes[..<count])) }
      return true
    }
    var byte: UInt8 = 0
    return sources[1].revents != 0 && Glibc.read(finished, &byte, 1) == 1
  }
}

struct EditorSessionError: Error, CustomStringConvertible {
  let missing: String
  let screen: String
  let raw: String

  var description: String { "waited for \(missing); the screen is\n\(screen)\nfrom \(raw)" }
}

/// The results that the reading thread hands over.
private final class Answers: Sendable {
  private let state = Mutex<(isExpected: Bool, answer: ReadResult?)>((false, nil))
  private let announcement: Int32

  init(announcing: Int32) {
    announcement = announcing
  }

  deinit {
    close(announcement)
  }

  var isExpected: Bool { state.withLock { $0.isExpected } }

  func expect() {
    state.withLock { $0 = (true, nil) }
  }

  func give(_ answer: ReadResult) {
    state.withLock { $0.answer = answer }
    var byte: UInt8 = 0
    write(announcement, &byte, 1)
  }

  func take() -> ReadResult? {
    state.withLock { state in
      guard let answer = state.answer else { return nil }
      state = (false, nil)
      return answer
    }
  }
}
