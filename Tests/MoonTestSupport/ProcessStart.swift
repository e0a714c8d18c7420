import Glibc

/// A program to start, in a session of its own.
///
/// Signals have their default effect in it, whatever the test's thread blocks. It inherits no
/// descriptor but its standard streams.
struct ProcessStart {
  /// The absolute path of the program, and its arguments.
  let words: [String]
  let environment: [String: String]
  /// The descriptors of the test that become its standard input, output and error.
  let streams: (Int32, Int32, Int32)

  /// The maximum number of descriptors open in the test.
  private static let descriptorCount: Int32 = 256
  /// `POSIX_SPAWN_SETSID` of glibc.
  private static let newSession: Int16 = 0x80

  /// Starts the program; returns its process id, which is also that of its session.
  ///
  /// - Throws: ``SpawnError``
  func callAsFunction() throws(SpawnError) -> pid_t {
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

    var words: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") }
    words.append(nil)
    variables.append(nil)
    defer { for word in words + variables { free(word) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, self.words[0], &actions, &attributes, words, variables)
    guard code == 0 else { throw SpawnError(executable: self.words[0], code: code) }
    return id
  }
}

/// The reason that a process can't be started; `code` is the system's `errno`.
package struct SpawnError: Error {
  let executable: String
  let code: Int32
}
