import Foundation
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

  private let socket: String

  /// Starts a program in a terminal of its own, 100 columns wide.
  init(running words: [String], environment: [String: String], directory: String = "/") throws {
    socket =
      FileManager.default.temporaryDirectory
      .appending(path: "moonwire-tmux-\(UUID().uuidString)").path
    let variables = environment.flatMap { ["-e", "\($0.key)=\($0.value)"] }
    // A shell outlives the program, also when Ctrl-C is meant for it, and says how it ended.
    let shell = ["/bin/sh", "-c", "trap : INT; \"$@\"; echo code $?; exec cat", "sh"]
    try tmux(
      ["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", "-c", directory]
        + variables + shell + words)
  }

  deinit {
    _ = try? tmux(["kill-server"])
    try? FileManager.default.removeItem(atPath: socket)
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
    let shell = try tmux(["display", "-p", "#{pane_pid}"]).trimmingCharacters(
      in: .whitespacesAndNewlines)
    _ = try Program.shell("kill -TERM $(pgrep -P $(pgrep -P \(shell)))")
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let process = Process()
    // tmux leaves a server behind. What that inherits stays open, the descriptor by which Foundation
    // learns that a process has ended included; so it inherits nothing.
    let close = "for f in /proc/$$/fd/*; do n=${f##*/}; [ $n -gt 2 ] && eval \"exec $n>&-\"; done"
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", close + "; exec tmux \"$@\"", "bash", "-S", socket] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
