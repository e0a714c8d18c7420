import Glibc
import MoonPrompt
import Moonwire

/// The preparation of the process, before anything else runs.
enum ProcessSetup {
  /// The number of descriptors that a run needs in addition to the standard ones: for the runtime,
  /// the watcher, the signals and the files that are read.
  static let descriptorCountNeeded = 16
  /// The number of threads that a run needs in addition to the first: for the runtime, the host,
  /// the watchdog, the watcher, the signals and the lines.
  ///
  /// Without this check, the runtime could wait forever for a thread that it can't create.
  static let threadCountNeeded = 12

  /// Turns failures of the system that would otherwise end the program into errors.
  ///
  /// - Throws: ``ProcessSetupError``
  static func prepare() throws(ProcessSetupError) {
    // A closed pipe, or a file that has reached its size limit, then causes a failed write.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    occupyStandardDescriptors()
    raiseDescriptorLimit()
    try checkDescriptors()
    try checkThreads()
  }

  /// Keeps the number of a closed standard stream from being given to another file.
  ///
  /// Reading or writing the replacement fails as it does for the closed stream.
  private static func occupyStandardDescriptors() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(number, F_GETFD) < 0 {
      // The lowest free number, which is this one.
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The number of descriptors that a host with many modules can use.
  private static let descriptorCountMax: rlim_t = 65_536

  /// Allows the process as many descriptors as the system lets it: the usual 1,024 are fewer than a
  /// few modules may open together.
  private static func raiseDescriptorLimit() {
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { return }
    let wanted = min(limit.rlim_max, descriptorCountMax)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    // What can't be raised stays as it is.
    setrlimit(kind, &limit)
  }

  private static func checkDescriptors() throws(ProcessSetupError) {
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

  /// Starts this number of threads at once for a moment.
  private static func checkThreads() throws(ProcessSetupError) {
    let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(gate, 0, 0)
    var threads: [pthread_t] = []
    defer {
      for _ in threads { sem_post(gate) }
      for thread in threads { pthread_join(thread, nil) }
      sem_destroy(gate)
      gate.deallocate()
    }
    for _ in 0..<threadCountNeeded {
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { gate in
          // A signal may end the wait; the thread then ends early, which does no harm.
          if let gate { sem_wait(gate.assumingMemoryBound(to: sem_t.self)) }
          return nil
        }, gate)
      guard code == 0 else { throw .threads(left: threads.count, code: code) }
      threads.append(thread)
    }
  }
}

/// The reason that the program can't start; `code` is the system's `errno`.
enum ProcessSetupError: Error, Equatable {
  /// Only `left` more files may be opened.
  case descriptors(left: Int, code: Int32)
  /// Only `left` more threads may be started.
  case threads(left: Int, code: Int32)
}

extension ProcessSetupError {
  /// The report for people.
  var report: Report {
    switch self {
    case .descriptors(let left, let code):
      Report(
        "the program may open only \(Wording.counted(left, "file")) more, and needs"
          + " \(ProcessSetup.descriptorCountNeeded): \(SystemError(code: code))",
        rows: [.init("help", "raise the limit: ulimit -n 256")])
    case .threads(let left, let code):
      Report(
        "the program may start only \(Wording.counted(left, "thread")) more, and needs"
          + " \(ProcessSetup.threadCountNeeded): \(SystemError(code: code))",
        rows: [.init("help", "raise the limit: ulimit -u, or that of the service or container")])
    }
  }
}
