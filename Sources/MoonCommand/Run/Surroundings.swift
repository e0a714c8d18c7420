import Dispatch
import Glibc

/// What the program needs of the process that it is, before anything else runs.
enum Surroundings {
  /// How many descriptors a run needs beside the standard ones: those of the runtime, the watcher
  /// and the signals, and some to read files.
  static let descriptorCountNeeded = 16
  /// How many threads a run needs beside the first.
  ///
  /// Those of the runtime, the host, the watchdog, the watcher, the signals and the lines. The
  /// runtime waits for ever for one that it can't have.
  static let threadCountNeeded = 12

  /// Makes failures of the system show as errors, where they would end the program or worse.
  ///
  /// - Throws: ``SurroundingsError``
  static func prepare() throws(SurroundingsError) {
    // A reader that leaves, or a file that may grow no more, shows as a failed write.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    occupyStandardDescriptors()
    try checkDescriptors()
    try checkThreads()
  }

  /// Lets no other file get the number of a standard stream that is closed.
  ///
  /// What stands in for it can't be read, or written, just as if it were closed.
  private static func occupyStandardDescriptors() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(number, F_GETFD) < 0 {
      // The lowest free number, which is this one.
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  private static func checkDescriptors() throws(SurroundingsError) {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<descriptorCountNeeded {
      let descriptor = open("/", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw .descriptors(left: opened.count, code: errno)
      }
      opened.append(descriptor)
    }
  }

  /// Has them all at once for a moment.
  private static func checkThreads() throws(SurroundingsError) {
    let gate = DispatchSemaphore(value: 0)
    var threads: [pthread_t] = []
    defer {
      for _ in threads { gate.signal() }
      for thread in threads { pthread_join(thread, nil) }
    }
    for _ in 0..<threadCountNeeded {
      var thread = pthread_t()
      let handle = Unmanaged.passRetained(gate)
      let code = pthread_create(
        &thread, nil,
        { context in
          if let context {
            Unmanaged<DispatchSemaphore>.fromOpaque(context).takeRetainedValue().wait()
          }
          return nil
        }, handle.toOpaque())
      guard code == 0 else {
        handle.release()
        throw .threads(left: threads.count, code: code)
      }
      threads.append(thread)
    }
  }
}

/// Why the program can't even begin; `code` is the system's `errno`.
enum SurroundingsError: Error, Equatable {
  /// It may open so few files.
  case descriptors(left: Int, code: Int32)
  /// It may start so few threads.
  case threads(left: Int, code: Int32)
}
