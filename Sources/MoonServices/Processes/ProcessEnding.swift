import Glibc
import MoonFiles
import Subprocess

/// The ending of processes.
enum ProcessEnding {
  /// The time from SIGTERM to SIGKILL.
  static let grace: Duration = .seconds(1)

  /// SIGTERM to the process and its children, then SIGKILL to those left after ``grace``.
  static let steps: [TeardownStep] = [
    .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: grace)
  ]

  /// Waits for the end of a process; the library reaps it later.
  static func wait<Input, Output, Errors>(
    for execution: Execution<Input, Output, Errors>
  ) async {
    // Signal 0 has no effect; it only makes a step that waits as long as necessary.
    await execution.teardown(using: [
      .send(signal: Signal(rawValue: 0), allowedDurationToNextStep: .seconds(1_000_000_000))
    ])
  }

  /// The time between two looks at the children that are left.
  private static let pause: Duration = .milliseconds(10)

  /// Waits, at most ``grace``, for the ends of the children that a process has left in its group,
  /// after they were asked to end; the process must not have been reaped.
  static func waitForRest<Input, Output, Errors>(
    of execution: Execution<Input, Output, Errors>
  ) async {
    let group = execution.processIdentifier.value
    // A task of its own isn't cancelled.
    await Task {
      let end = ContinuousClock.now + grace
      while hasMembers(group), ContinuousClock.now < end { try? await Task.sleep(for: pause) }
    }.value
  }

  /// Returns whether a group has processes that haven't ended, besides its first one.
  private static func hasMembers(_ group: pid_t) -> Bool {
    guard let processes = try? Descriptor(opening: "/proc", O_RDONLY | O_DIRECTORY),
      let names = try? processes.names(max: .max)
    else { return false }
    return names.contains { name in
      guard let id = name.validText.flatMap({ pid_t($0) }), id != group, getpgid(id) == group
      else { return false }
      return !hasEnded(id)
    }
  }

  /// Returns whether a process is gone, or only waits for its parent to take notice.
  private static func hasEnded(_ id: pid_t) -> Bool {
    guard let file = try? Descriptor(opening: "/proc/\(id)/stat", O_RDONLY),
      let bytes = try? file.read(max: 4_096),
      // The name before it may hold anything.
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return true }
    return bytes[end...].starts(with: ") Z".utf8)
  }

  /// Kills the children left in its group by a process that has ended.
  ///
  /// The process must not have been reaped, since its group's number can be reused after that.
  static func killRest<Input, Output, Errors>(
    of execution: Execution<Input, Output, Errors>
  ) {
    try? execution.send(signal: .kill, toProcessGroup: true)
  }

  /// Returns the name of a signal, such as `SIGKILL`.
  static func name(ofSignal number: Int) -> String {
    let names = [
      1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
      9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM",
      15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
    ]
    return names[number] ?? "signal \(number)"
  }
}
