import Foundation
import Glibc
import Synchronization

/// The pipes between a test and a program that it runs.
struct Pipes: ~Copyable {
  /// Held while a pipe is made and while a program is started: one that inherited the pipe of
  /// another would keep it open.
  private static let lock = Mutex(())

  private let reading: ChildProcess.Reading
  // Ours and the program's ends; -1 when they are closed.
  private var input: (theirs: Int32, ours: Int32) = (-1, -1)
  private var results: (ours: Int32, theirs: Int32) = (-1, -1)
  private var complaints: (ours: Int32, theirs: Int32) = (-1, -1)
  private var outputBytes: [UInt8] = []
  private var errorBytes: [UInt8] = []

  init(_ reading: ChildProcess.Reading) throws(POSIXError) {
    self.reading = reading
    input = try Self.make()
    results = try Self.make()
    complaints = try Self.make()
  }

  deinit {
    for end in [input.ours, input.theirs, results.ours, results.theirs] where end >= 0 {
      Glibc.close(end)
    }
    for end in [complaints.ours, complaints.theirs] where end >= 0 { Glibc.close(end) }
  }

  var output: String { String(decoding: outputBytes, as: UTF8.self) }
  var errors: String { String(decoding: errorBytes, as: UTF8.self) }

  private static func make() throws(POSIXError) -> (Int32, Int32) {
    try lock.withLock { _ throws(POSIXError) in
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw failure(errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }
  }

  private static func failure(_ code: Int32) -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
  }

  // MARK: Starting

  /// Starts a program in a process group of its own, which bears its number.
  mutating func spawn(_ words: [String], _ environment: [String: String]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.theirs, 0)
    posix_spawn_file_actions_adddup2(&actions, results.theirs, 1)
    let errors = reading == .together ? results.theirs : complaints.theirs
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    // What runs the tests hasn't marked all that it has open.
    let inherited = TextFile.names(in: "/proc/self/fd").compactMap { Int32($0) }.filter { $0 > 2 }
    for descriptor in inherited { posix_spawn_file_actions_addclose(&actions, descriptor) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A thread of libdispatch's blocks nearly all signals, and a child inherits that: it would
    // never hear that it shall end.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id: pid_t = 0
    let code = Self.lock.withLock { _ in
      posix_spawnp(&id, words[0], &actions, &attributes, arguments, variables)
    }
    guard code == 0 else { throw Self.failure(code) }
    for end in [input.theirs, results.theirs, complaints.theirs] { Glibc.close(end) }
    (input.theirs, results.theirs, complaints.theirs) = (-1, -1, -1)
    return id
  }

  // MARK: Exchange

  /// Writes the input and reads what is printed until nobody can print any more; false if that
  /// isn't so at the deadline.
  mutating func exchange(input text: String, until deadline: ContinuousClock.Instant) -> Bool {
    var rest = Array(text.utf8)[...]
    _ = fcntl(input.ours, F_SETFL, O_NONBLOCK)
    while results.ours >= 0 || complaints.ours >= 0 {
      if rest.isEmpty { Self.close(&input.ours) }
      // Descriptors that are closed are negative, which poll skips.
      var ends = [
        pollfd(fd: results.ours, events: Int16(POLLIN), revents: 0),
        pollfd(fd: complaints.ours, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input.ours, events: Int16(POLLOUT), revents: 0),
      ]
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      guard left > 0 else { return false }
      let count = poll(&ends, 3, Int32(left.rounded(.up)))
      guard count > 0 || count < 0 && errno == EINTR else { return false }
      if ends[0].revents != 0 { Self.take(from: &results.ours, into: &outputBytes) }
      if ends[1].revents != 0 { Self.take(from: &complaints.ours, into: &errorBytes) }
      if ends[2].revents != 0 { Self.give(&rest, to: &input.ours) }
    }
    return true
  }

  private static func take(from end: inout Int32, into bytes: inout [UInt8]) {
    var part = [UInt8](repeating: 0, count: 65_536)
    let count = read(end, &part, part.count)
    if count > 0 { bytes += part[..<count] } else { close(&end) }
  }

  /// Writes as much as there is room for; when nobody reads any more, the rest is dropped.
  private static func give(_ rest: inout ArraySlice<UInt8>, to end: inout Int32) {
    // That nobody reads is no reason to end the tests.
    var brokenPipe = sigset_t()
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    var former = sigset_t()
    pthread_sigmask(SIG_BLOCK, &brokenPipe, &former)
    let count = rest.withUnsafeBytes { write(end, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if errno != EAGAIN && errno != EINTR {
      var now = timespec()
      sigtimedwait(&brokenPipe, nil, &now)
      close(&end)
      rest = []
    }
    pthread_sigmask(SIG_SETMASK, &former, nil)
  }

  private static func close(_ end: inout Int32) {
    if end >= 0 { Glibc.close(end) }
    end = -1
  }
}
