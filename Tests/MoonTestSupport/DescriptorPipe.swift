import Foundation
import Glibc

/// A pipe whose ends are closed at the latest when it is destroyed.
package final class DescriptorPipe {
  private var ends: [Int32] = [-1, -1]
  /// What was read and not returned yet.
  private var rest: [UInt8] = []

  package init() {
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    closeReading()
    closeWriting()
  }

  package var reading: Int32 { ends[0] }
  package var writing: Int32 { ends[1] }

  package func closeReading() { close(0) }
  package func closeWriting() { close(1) }

  /// Writes all of a text.
  ///
  /// - Throws: `POSIXError` if there is no reader any more.
  package func write(_ text: String) throws {
    // A program that ends must not end the test too.
    signal(SIGPIPE, SIG_IGN)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Reads up to a text, which is left out.
  ///
  /// Returns everything if the text doesn't come within ``ProgramRun/secondsMax``.
  package func read(upTo end: String? = nil) -> String {
    let deadline = ContinuousClock.now + .seconds(ProgramRun.secondsMax)
    return end.flatMap { read(upTo: Array($0.utf8), until: deadline) } ?? takeAll(until: deadline)
  }

  /// Reads a line, without its end; nil if none comes until the deadline, or no writer is left.
  package func readLine(until deadline: ContinuousClock.Instant) -> String? {
    read(upTo: [UInt8(ascii: "\n")], until: deadline)
  }

  private func read(upTo end: [UInt8], until deadline: ContinuousClock.Instant) -> String? {
    var checked = 0
    repeat {
      if let range = rest[checked...].firstRange(of: end) {
        defer { rest.removeSubrange(..<range.upperBound) }
        return String(decoding: rest[..<range.lowerBound], as: UTF8.self)
      }
      checked = max(0, rest.count - end.count)
    } while readMore(until: deadline)
    return nil
  }

  private func takeAll(until deadline: ContinuousClock.Instant) -> String {
    while readMore(until: deadline) {}
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }

  /// Reads what is there, or waits for it; returns false if nothing comes until the deadline, or no
  /// writer is left.
  private func readMore(until deadline: ContinuousClock.Instant) -> Bool {
    var source = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    repeat {
      let left = max(.zero, deadline - .now) / .milliseconds(1)
      let count = poll(&source, 1, Int32(left.rounded(.up)))
      if count == 0 { return false }
      if count > 0 { break }
    } while errno == EINTR
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(reading, &chunk, chunk.count)
    rest += chunk.prefix(max(0, count))
    return count > 0
  }

  private func close(_ index: Int) {
    if ends[index] >= 0 { Glibc.close(ends[index]) }
    ends[index] = -1
  }
}
