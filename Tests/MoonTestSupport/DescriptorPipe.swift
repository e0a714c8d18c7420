import Foundation
import Glibc

/// A pipe whose ends are closed at the latest when it is destroyed.
package final class DescriptorPipe {
  private var ends: [Int32] = [-1, -1]

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
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    var source = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    while ContinuousClock.now < deadline {
      guard poll(&source, 1, 1_000) > 0 else { continue }
      guard Glibc.read(reading, &byte, 1) == 1 else { break }
      bytes.append(byte)
      if let end, bytes.suffix(end.utf8.count).elementsEqual(end.utf8) {
        return String(decoding: bytes.dropLast(end.utf8.count), as: UTF8.self)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func close(_ index: Int) {
    if ends[index] >= 0 { Glibc.close(ends[index]) }
    ends[index] = -1
  }
}
