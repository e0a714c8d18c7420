package import Glibc

/// A tmux server with one terminal for a test.
///
/// It ends with this value, together with everything that runs in the terminal.
package final class TmuxServer: Sendable {
  private let folder: TemporaryFolder
  private let environment: [String: String]
  private let executable: String
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
    self.executable = executable
    self.environment = ["LANG": "C.UTF-8", "HOME": folder.path]
      .merging(["PATH": "/usr/local/bin:/usr/bin:/bin"]) { first, _ in first }
    let variables = environment.flatMap { ["-e", "\($0.key)=\($0.value)"] }
    let run = try Self.tmux(
      executable, folder.path, self.environment,
      [
        "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", directory, "-P", "-F",
        "#{pid} #{pane_pid}",
      ] + variables + words)
    let ids = run.output.split { $0.isWhitespace }.compactMap { pid_t($0) }
    guard ids.count == 2 else { throw TmuxError(said: run.errors) }
    (server, terminal) = (ids[0], ids[1])
  }

  deinit {
    ProcessTable.kill(session: terminal)
    // The server has a session of its own.
    ProcessTable.kill(session: server)
  }

  /// Runs a command of tmux on the server; returns its output.
  @discardableResult
  package func run(_ arguments: [String]) throws -> String {
    try Self.tmux(executable, folder.path, environment, arguments).output
  }

  private static func tmux(
    _ executable: String, _ folder: String, _ environment: [String: String],
    _ arguments: [String]
  ) throws -> ProgramRun {
    try ProgramRun(
      executable, ["-S", folder + "/tmux", "-f", "/dev/null"] + arguments,
      environment: environment)
  }
}

/// The error of a server that doesn't start, with tmux's message.
package struct TmuxError: Error {
  let said: String
}
