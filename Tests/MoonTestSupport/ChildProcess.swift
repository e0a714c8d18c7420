package import Glibc

/// A process that a test has started, in a session of its own.
///
/// The process, and everything that it has started in its session, is killed when this value is
/// destroyed, even if the test fails. Signals have their default effect in it, whatever the test's
/// thread blocks. It inherits no descriptor but its standard streams.
package final class ChildProcess: Sendable {
  /// The process id, which is also the id of the session.
  package let id: pid_t

  /// The maximum number of descriptors open in the test.
  private static let descriptorCount: Int32 = 256
  /// `POSIX_SPAWN_SETSID` of glibc.
  private static let newSession: Int16 = 0x80

  /// Starts a program.
  ///
  /// `executable` is an absolute path. `streams` are descriptors of the test that become its
  /// standard input, output and error. Its environment is `environment` and the `TMPDIR` of the
  /// tests, by which `scripts/test` recognizes processes that were left running.
  ///
  /// - Throws: ``SpawnError``, or ``PoolThreadError`` since whoever starts a process waits for it.
  package init(
    _ executable: String, _ arguments: [String], environment: [String: String],
    directory: String = "/", streams: (Int32, Int32, Int32)
  ) throws {
    try OwnThread.require()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [streams.0, streams.1, streams.2].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    // A descriptor that isn't open is skipped.
    for number in 3..<Self.descriptorCount {
      posix_spawn_file_actions_addclose(&actions, number)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | Self.newSession
    posix_spawnattr_setflags(&attributes, flags)

    let command = ["/usr/bin/env", "-C", directory, executable] + arguments
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    var environment = environment
    environment["TMPDIR"] = getenv("TMPDIR").map { String(cString: $0) }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") }
    words.append(nil)
    variables.append(nil)
    defer { for word in words + variables { free(word) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, command[0], &actions, &attributes, words, variables)
    guard code == 0 else { throw SpawnError(executable: executable, code: code) }
    self.id = id
  }

  deinit {
    end()
    var status: Int32 = 0
    waitpid(id, &status, 0)
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

/// The reason that a process can't be started; `code` is the system's `errno`.
package struct SpawnError: Error {
  let executable: String
  let code: Int32
}
