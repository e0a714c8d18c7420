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
