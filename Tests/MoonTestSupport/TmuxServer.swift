package import Glibc

/// A tmux server with one terminal for a test.
///
/// It ends with this value, together with everything that runs in the terminal.
package final class TmuxServer {
  private let folder: TemporaryFolder
  /// The client that gives commands and hears of output, in tmux's control mode.
  private let client: ChildProcess
  private let asking = DescriptorPipe()
  private let telling = DescriptorPipe()
  /// Whether the terminal has shown something since ``waitForOutput(until:)`` returned.
  private var hasOutput = false
  /// The process id of the server.
  private let server: pid_t
  /// The process id of the program in the terminal, which is also that of its session.
  package let terminal: pid_t

  /// The path of tmux; nil if it isn't installed.
  package static var executable: String? { InstalledProgram.path("tmux") }

  /// Starts a command line in a terminal.
  ///
  /// - Throws: ``SpawnError``, or an error if tmux doesn't start.
  package init(
    running words: [String], columns: Int = 100, rows: Int = 40,
    environment: [String: String], directory: String = "/"
  ) throws {
    guard let executable = Self.executable else {
      throw SpawnError(executable: "tmux", code: ENOENT)
    }
    folder = try TemporaryFolder()
    let own = ["LANG": "C.UTF-8", "HOME": folder.path, "PATH": "/usr/local/bin:/usr/bin:/bin"]
    let call = ["-S", folder.path + "/tmux", "-f", "/dev/null"]
    let variables = environment.flatMap { ["-e", "\($0.key)=\($0.value)"] }
    let run = try ProgramRun(
      executable,
      call + [
        "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", directory, "-P", "-F",
        "#{pid} #{pane_pid}",
      ] + variables + words, environment: own)
    let ids = run.output.split { $0.isWhitespace }.compactMap { pid_t($0) }
    guard ids.count == 2 else { throw TmuxError(said: run.errors) }
    (server, terminal) = (ids[0], ids[1])
    client = try ChildProcess(
      executable, call + ["-C", "attach-session"], environment: own,
      streams: (asking.reading, telling.writing, telling.writing))
    asking.closeReading()
    telling.closeWriting()
    // The answer to the command that attached it.
    _ = try answer()
  }

  deinit {
    ProcessTable.kill(session: terminal)
    // The server has a session of its own.
    ProcessTable.kill(session: server)
  }

  /// Runs a command of tmux on the server; returns its output.
  ///
  /// - Throws: ``TmuxError`` with tmux's message.
  @discardableResult
  package func run(_ words: [String]) throws -> String {
    try asking.write(words.map(Self.quoted).joined(separator: " ") + "\n")
    return try answer()
  }

  /// Waits until the terminal shows something that no call before has told; returns false if the
  /// server has ended, or nothing comes until the deadline.
  package func waitForOutput(until deadline: ContinuousClock.Instant) -> Bool {
    while !hasOutput {
      guard let line = telling.readLine(until: deadline) else { return false }
      note(line)
    }
    hasOutput = false
    return true
  }

  /// Reads up to the end of the answer to a command, which stands between two lines.
  private func answer() throws -> String {
    let deadline = ContinuousClock.now + .seconds(ProgramRun.secondsMax)
    var lines: [String]?
    while let line = telling.readLine(until: deadline) {
      if line.hasPrefix("%begin ") {
        lines = []
      } else if let said = lines {
        if line.hasPrefix("%end ") { return said.joined(separator: "\n") }
        if line.hasPrefix("%error ") { throw TmuxError(said: said.joined(separator: "\n")) }
        lines = said + [line]
      } else {
        note(line)
      }
    }
    throw TmuxError(said: "it has ended")
  }

  private func note(_ line: String) {
    if line.hasPrefix("%output ") { hasOutput = true }
  }

  /// Returns a word as tmux reads it on a line of commands: every byte that may mean something is
  /// an octal number.
  private static func quoted(_ word: String) -> String {
    let bytes = word.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      if character.isASCII, character.isLetter || character.isNumber { return String(character) }
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
    return "\"\(bytes.joined())\""
  }
}

/// The error of a server that doesn't start or refuses a command, with tmux's message.
package struct TmuxError: Error {
  let said: String
}
