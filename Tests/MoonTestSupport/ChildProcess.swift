package import Glibc

/// A process that a test has started, in a session of its own.
///
/// The process, and everything that it has started in its session, is killed when this value is
/// destroyed, even if the test fails. Signals have their default effect in it, whatever the test's
/// thread blocks. It inherits no descriptor but its standard streams.
package final class ChildProcess: Sendable {
  /// The process id, which is also the id of the session.
  package let id: pid_t

  /// Starts a program.
  ///
  /// `executable` is an absolute path. `streams` are descriptors of the test that become its
  /// standard input, output and error. Its environment is `environment`, the mark of the `reaper`,
  /// and the `TMPDIR` of the tests, by which `scripts/test` recognizes processes that were left
  /// running.
  ///
  /// - Throws: ``SpawnError``, or ``PoolThreadError``, since who starts a process waits for it.
  package init(
    _ executable: String, _ arguments: [String], environment: [String: String],
    directory: String = "/", streams: (Int32, Int32, Int32), reaper: Reaper? = nil
  ) throws {
    try OwnThread.require()
    var environment = (reaper ?? Reaper.own)?.marked(environment) ?? environment
    environment["TMPDIR"] = getenv("TMPDIR").map { String(cString: $0) }
    id = try ProcessStart(
      words: ["/usr/bin/env", "-C", directory, executable] + arguments, environment: environment,
      streams: streams)()
  }

  deinit {
    end()
    ProcessTable.reap(id)
  }

  /// Kills the process and the rest of its session.
  ///
  /// Harmless if none are left.
  package func end() { ProcessTable.kill(session: id) }

  /// Waits until the process has ended, without reaping it; returns the code that a shell would
  /// give in `$?`.
  package func wait() -> Int32 {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    let status = information._sifields._sigchld.si_status
    return information.si_code == CLD_EXITED ? status : 128 + status
  }
}
