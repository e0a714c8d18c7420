import Glibc

/// One complete run of a program, with its output.
package struct ProgramRun {
  /// The standard output; including standard error if the two are combined.
  package let output: String
  /// The standard error.
  package let errors: String
  /// The code that a shell would give in `$?`.
  package let code: Int32

  /// The time after which a run counts as hanging and is killed, and anything else that a test waits
  /// for as missing.
  ///
  /// Nothing depends on it: even a machine with many other things to do needs a fraction of it.
  package static let secondsMax = 120

  /// Runs a program to its end.
  ///
  /// If it hangs, it is killed with everything that it has started.
  ///
  /// If combined, results and errors keep the order in which they were written.
  ///
  /// - Throws: ``SpawnError``
  package init(
    _ executable: String, _ arguments: [String], input: [UInt8] = [],
    environment: [String: String], directory: String = "/", areTogether: Bool = false
  ) throws {
    let (stdin, stdout, stderr) = (DescriptorPipe(), DescriptorPipe(), DescriptorPipe())
    let child = try ChildProcess(
      executable, arguments, environment: environment, directory: directory,
      streams: (stdin.reading, stdout.writing, (areTogether ? stdout : stderr).writing))
    stdin.closeReading()
    stdout.closeWriting()
    stderr.closeWriting()
    var exchange = Exchange(input: input[...], to: stdin, from: [stdout, stderr])
    exchange.run(until: ContinuousClock.now + .seconds(Self.secondsMax)) { child.end() }
    output = String(decoding: exchange.bytes[0], as: UTF8.self)
    errors = String(decoding: exchange.bytes[1], as: UTF8.self)
    code = child.wait()
  }
}

/// Writes to one pipe and reads from others at the same time.
private struct Exchange {
  var input: ArraySlice<UInt8>
  let typed: DescriptorPipe
  let shown: [DescriptorPipe]
  var bytes: [[UInt8]]

  init(input: ArraySlice<UInt8>, to typed: DescriptorPipe, from shown: [DescriptorPipe]) {
    self.input = input
    self.typed = typed
    self.shown = shown
    bytes = shown.map { _ in [] }
    // A program that ends must not end the test too.
    signal(SIGPIPE, SIG_IGN)
    _ = fcntl(typed.writing, F_SETFL, O_NONBLOCK)
    if input.isEmpty { typed.closeWriting() }
  }

  /// Continues until all writers are gone; calls `onTimeout` once if that takes too long.
  mutating func run(until deadline: ContinuousClock.Instant, onTimeout: () -> Void) {
    var deadline: ContinuousClock.Instant? = deadline
    while shown.contains(where: { $0.reading >= 0 }) {
      if let limit = deadline, ContinuousClock.now >= limit {
        onTimeout()
        deadline = nil
      }
      var sources = (shown.map { ($0.reading, POLLIN) } + [(typed.writing, POLLOUT)]).map {
        pollfd(fd: $0.0, events: Int16($0.1), revents: 0)
      }
      _ = poll(&sources, nfds_t(sources.count), 1_000)
      for (index, pipe) in shown.enumerated() where sources[index].revents != 0 {
        read(from: pipe, index)
      }
      if sources[shown.count].revents != 0 { writeMore() }
    }
  }

  private mutating func read(from pipe: DescriptorPipe, _ index: Int) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(pipe.reading, &chunk, chunk.count)
    if count > 0 { bytes[index] += chunk[..<count] }
    if count == 0 || (count < 0 && errno != EINTR) { pipe.closeReading() }
  }

  private mutating func writeMore() {
    let count = input.withUnsafeBytes { write(typed.writing, $0.baseAddress, $0.count) }
    if count > 0 { input = input.dropFirst(count) }
    if input.isEmpty || (count < 0 && errno != EAGAIN && errno != EINTR) { typed.closeWriting() }
  }
}
