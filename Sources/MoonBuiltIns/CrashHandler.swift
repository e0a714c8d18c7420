import Dispatch
import Glibc
import Synchronization

/// The handler of crash signals.
///
/// Between the signal and its usual effect it calls only what is safe in a handler
/// (signal-safety(7)): atomics, `write`, `poll`, `sigaction` and `raise`.
enum CrashHandler {
  /// The time in milliseconds that another thread has to announce the crash.
  static let patience: Int32 = 500

  /// The maximum number of files that a number is written to.
  static let filesMax = 64

  // The descriptors of the files, -1 where there is none. The pointer never changes, and its memory
  // is never freed. Threads and the handler use the elements only as atomics. `add` comes before
  // any handler, so a handler never initializes this.
  nonisolated(unsafe) private static let files: UnsafeMutablePointer<Atomic<Int32>> = {
    let files = UnsafeMutablePointer<Atomic<Int32>>.allocate(capacity: filesMax)
    for index in 0..<filesMax { (files + index).initialize(to: Atomic(-1)) }
    return files
  }()
  // Written before the handlers are installed.
  private static let asked = Atomic<Int32>(-1)
  private static let answered = Atomic<Int32>(-1)
  private static let hasCrashed = Atomic(false)
  // The former actions of the signals, by number. The pointer never changes. `begin` zeroes an
  // element, and the kernel fills it as it installs the handler; `CrashMarker`, the only caller,
  // holds its lock during `begin` and `end`. A handler reads only the element of its own signal. If
  // it runs before the kernel has filled it, it finds zeros, which are the default.
  nonisolated(unsafe) private static let former = UnsafeMutablePointer<sigaction>.allocate(
    capacity: numberMax)
  private static let numberMax = 65
  private static let installed = Mutex<[Int32]>([])

  /// Has the numbers of signals written to a file; returns false if there are too many files.
  static func add(_ descriptor: Int32) -> Bool { exchange(-1, for: descriptor) }

  /// Undoes ``add(_:)``.
  static func remove(_ descriptor: Int32) { _ = exchange(descriptor, for: -1) }

  private static func exchange(_ former: Int32, for descriptor: Int32) -> Bool {
    (0..<filesMax).contains {
      files[$0].compareExchange(
        expected: former, desired: descriptor, ordering: .acquiringAndReleasing
      ).exchanged
    }
  }

  /// Handles signals until ``end()``: writes their number to the files, and passes it to
  /// `announce`.
  static func begin(
    _ numbers: [Int32], _ announce: @escaping @Sendable (Int32) async -> Void
  ) {
    connect(announce)
    hasCrashed.store(false, ordering: .releasing)
    installed.withLock { $0 = numbers }
    var action = sigaction()
    action.sa_flags = SA_ONSTACK
    action.__sigaction_handler.sa_handler = { CrashHandler.handle($0) }
    for number in numbers {
      former[Int(number)] = sigaction()
      sigaction(number, &action, &former[Int(number)])
    }
  }

  /// Whether a signal has come.
  static var isCrashing: Bool { hasCrashed.load(ordering: .acquiring) }

  /// Waits briefly for a signal that has come to take effect, which ends the program.
  static func waitForEffect() { _ = poll(nil, 0, 2 * patience) }

  /// Restores the former effects of the signals.
  static func end() {
    for number in installed.withLock({ $0 }) { sigaction(number, &former[Int(number)], nil) }
    installed.withLock { $0 = [] }
    // Ends the thread that waits for a signal.
    let pipe = asked.exchange(-1, ordering: .acquiringAndReleasing)
    if pipe >= 0 { close(pipe) }
  }

  /// Starts the thread that announces a crash for the handler.
  private static func connect(_ announce: @escaping @Sendable (Int32) async -> Void) {
    var (questions, answers): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    // Without descriptors, the crash is noted but not announced.
    guard pipe(&questions) == 0, pipe(&answers) == 0 else { return }
    for end in questions + answers { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    asked.store(questions[1], ordering: .releasing)
    answered.store(answers[0], ordering: .releasing)
    DispatchQueue(label: "moonwire.crash").async {
      [question = questions[0], answer = answers[1], read = answers[0]] in
      var byte: UInt8 = 0
      while true {
        let count = Glibc.read(question, &byte, 1)
        if count < 0, errno == EINTR { continue }
        guard count == 1 else { break }
        let number = Int32(byte)
        Task {
          await announce(number)
          var done: UInt8 = 1
          _ = write(answer, &done, 1)
        }
      }
      for descriptor in [question, answer, read] { close(descriptor) }
    }
  }

  private static func handle(_ number: Int32) {
    // Only the first crash counts; a second, while it is announced, ends the program at once.
    if !hasCrashed.exchange(true, ordering: .acquiringAndReleasing) {
      note(number)
      ask(number)
    }
    sigaction(number, former + Int(number), nil)
    raise(number)
  }

  /// Writes the number as two digits to all files.
  private static func note(_ number: Int32) {
    let digit = UInt8(ascii: "0")
    var tens = digit + UInt8(truncatingIfNeeded: number / 10)
    var ones = digit + UInt8(truncatingIfNeeded: number % 10)
    for index in 0..<filesMax {
      let descriptor = files[index].load(ordering: .acquiring)
      guard descriptor >= 0 else { continue }
      _ = write(descriptor, &tens, 1)
      _ = write(descriptor, &ones, 1)
    }
  }

  private static func ask(_ number: Int32) {
    let pipe = asked.load(ordering: .acquiring)
    guard pipe >= 0 else { return }
    var byte = UInt8(truncatingIfNeeded: number)
    guard write(pipe, &byte, 1) == 1 else { return }
    var source = pollfd(
      fd: answered.load(ordering: .acquiring), events: Int16(POLLIN), revents: 0)
    _ = poll(&source, 1, patience)
  }
}
