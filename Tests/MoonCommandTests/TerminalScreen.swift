import Foundation
import MoonTestSupport
import Testing

/// A program in a terminal that tmux provides.
final class TerminalScreen {
  /// The time after which an expected text counts as missing.
  static let patience: Duration = .seconds(ProgramRun.secondsMax)

  static var isAvailable: Bool { TmuxServer.executable != nil }

  private let server: TmuxServer

  /// Starts a program in a new terminal.
  init(
    running words: [String], columns: Int = 100, rows: Int = 40,
    environment: [String: String], directory: String = "/"
  ) throws {
    // A shell outlives the program, even when Ctrl-C or Ctrl-\ is meant for the program, and prints
    // how it ended.
    let shell = ["/bin/sh", "-c", "trap : INT QUIT; \"$@\"; echo code $?; exec cat", "sh"]
    server = try TmuxServer(
      running: shell + words, columns: columns, rows: rows, environment: environment,
      directory: directory)
  }

  /// Starts the prompt on a folder of scripts, with shell words before the command if there are
  /// any.
  convenience init(
    on folder: ScriptFolder, under shell: [String] = [], history: String = ""
  ) throws {
    try self.init(
      running: shell + [Program.executable.path, "run", folder.root],
      environment: ["MOONWIRE_HISTORY": history, "NO_COLOR": "1", "EDITRC": "/dev/null"])
  }

  /// Types a line and presses Enter.
  func enter(_ line: String) throws {
    try type(line)
    try press("Enter")
  }

  /// Types text without changing it.
  func type(_ text: String) throws { try server.run(["send-keys", "-l", text]) }

  /// Pastes text as a terminal does, between the sequences that mark a paste.
  func paste(_ text: String) throws {
    try server.run(["set-buffer", text])
    try server.run(["paste-buffer", "-p"])
  }

  /// Presses keys at once, by tmux's names for them, such as `Enter`, `Tab`, `C-c`.
  func press(_ keys: String...) throws { try server.run(["send-keys"] + keys) }

  /// Returns the text on the screen, without trailing blanks.
  func contents() throws -> String {
    let text = try server.run(["capture-pane", "-p"])
    return String(text.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// Waits until the screen meets a condition.
  func wait(
    for what: String, sourceLocation: SourceLocation = #_sourceLocation,
    until isRight: (String) -> Bool
  ) throws {
    let deadline = ContinuousClock.now + Self.patience
    var last = ""
    repeat {
      last = try contents()
      if isRight(last) { return }
    } while server.waitForOutput(until: deadline)
    Issue.record("waited in vain for \(what); the screen:\n\(last)", sourceLocation: sourceLocation)
  }

  /// Waits until the screen ends in a text.
  func wait(forEnd text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait(for: text, sourceLocation: sourceLocation) { $0.hasSuffix(text) }
  }

  /// Removes the terminal while the program runs, and waits until the program has ended.
  func vanish() throws -> Bool {
    let id = try Program.shell("pgrep -s \(server.terminal) -x moonwire").output
      .prefix { $0.isNumber }
    guard !id.isEmpty else { return false }
    // It ends before it answers.
    _ = try? server.run(["kill-server"])
    let wait = "timeout \(ProgramRun.secondsMax) tail -s 0.01 --pid=\(id) -f /dev/null"
    return try Program.shell(wait).code == 0
  }

  /// Sends a signal to the program in this terminal.
  func signal(_ name: String) throws {
    _ = try Program.shell("kill -\(name) $(pgrep -s \(server.terminal) -x moonwire)")
  }
}
