import Foundation
import MoonTestSupport
import Testing

/// A terminal that a program runs in, seen and typed at through tmux.
final class TerminalScreen {
  /// How long something may take to appear before it counts as not coming.
  static let patience: Duration = .seconds(30)

  static var isAvailable: Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/tmux")
    }
  }

  private let folder: TemporaryFolder
  /// The server with the terminal's shell and what that has started.
  private var server: ProcessTree?

  /// Starts a program in a terminal of its own, 100 columns wide.
  init(running words: [String], environment: [String: String], directory: String = "/") throws {
    folder = try TemporaryFolder()
    let variables = environment.flatMap { ["-e", "\($0.key)=\($0.value)"] }
    // A shell outlives the program, also when Ctrl-C is meant for it, and says how it ended.
    let shell = ["/bin/sh", "-c", "trap : INT; \"$@\"; echo code $?; exec cat", "sh"]
    try tmux(
      ["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", "-c", directory]
        + variables + shell + words)
    server = try ProcessTree(of: number("#{pid}"))
  }

  /// Types text as it is.
  func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

  /// Presses a key by tmux's name for it, such as `Enter`, `Tab`, `C-c`.
  func press(_ key: String) throws { try tmux(["send-keys", key]) }

  /// What the screen shows, without blanks at its end.
  func contents() throws -> String {
    let text = try tmux(["capture-pane", "-p"])
    return String(text.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// Waits until the screen shows something that is right.
  func wait(
    for what: String, sourceLocation: SourceLocation = #_sourceLocation,
    until isRight: (String) -> Bool
  ) throws {
    let deadline = ContinuousClock.now + Self.patience
    var last = ""
    while ContinuousClock.now < deadline {
      last = try contents()
      if isRight(last) { return }
    }
    Issue.record("waited in vain for \(what); the screen:\n\(last)", sourceLocation: sourceLocation)
  }

  /// Waits until the screen ends in a text.
  func wait(forEnd text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait(for: text, sourceLocation: sourceLocation) { $0.hasSuffix(text) }
  }

  /// Sends SIGTERM to what the shell of this terminal has started.
  func terminateChild() throws {
    let shell = try number("#{pane_pid}")
    _ = try Program.shell("kill -TERM $(pgrep -P $(pgrep -P \(shell)))")
  }

  private func number(_ format: String) throws -> Int32 {
    let text = try tmux(["display", "-p", format])
    return try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let result = try ChildProcess.run(
      ["tmux", "-S", folder.path + "/tmux"] + arguments, environment: ["LANG": "C.UTF-8"])
    guard result.code == 0 else { throw TmuxError(arguments: arguments, text: result.errors) }
    return result.output
  }
}

/// What tmux says when it refuses.
struct TmuxError: Error {
  let arguments: [String]
  let text: String
}
