import Glibc

/// A child process, with a pipe to its input and its output discarded.
final class Child {
  private var id = pid_t()
  private var input: Int32

  /// Starts the process; nil if it can't be started.
  init?(_ words: [String]) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    input = ends[1]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    for number in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let code = posix_spawnp(&id, words[0], &actions, nil, &arguments, environ)
    close(ends[0])
    guard code == 0 else {
      close(input)
      return nil
    }
  }

  /// Writes its input and closes it.
  func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      bytes = bytes.dropFirst(count)
    }
    close(input)
    input = -1
  }

  /// Sends a signal after a delay.
  func signal(_ number: Int32, afterMicroseconds time: Int) {
    usleep(UInt32(time))
    kill(id, number)
  }

  /// Waits for its end; returns the exit code, or 128 plus the number of the signal.
  func wait() -> Int32 {
    if input >= 0 { close(input) }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}
