import Glibc
import Synchronization

/// A stream of text to a file descriptor.
package final class Output: Sendable {
  private let descriptor: Int32
  private let hasFailed = Mutex(false)

  /// Writes to `descriptor`, which the caller must keep open while this is in use, and close
  /// afterwards.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Writes all of `text`, waiting for a slow reader.
  ///
  /// Texts of several threads don't mix. A process must ignore `SIGPIPE` to get the error;
  /// otherwise the signal ends the process here.
  ///
  /// - Throws: ``OutputError``, once. Later texts are dropped silently, so that a program reports a
  ///   missing reader only once.
  package func write(_ text: String) throws(OutputError) {
    let failure = hasFailed.withLock { hasFailed -> OutputError? in
      guard !hasFailed else { return nil }
      let failure = Descriptor.write(text, to: descriptor)
      hasFailed = failure != nil
      return failure
    }
    if let failure { throw failure }
  }
}

/// The reason that text couldn't be written.
package enum OutputError: Error, Sendable, Equatable {
  /// The reader is gone, or the descriptor was closed.
  case closed
  /// Writing failed; `code` is the system's `errno`.
  case failed(code: Int32)
}

extension OutputError: CustomStringConvertible {
  /// One sentence.
  package var description: String {
    switch self {
    case .closed: "nobody reads the results any more"
    case .failed(let code): "the results can't be written: \(SystemText.error(code))"
    }
  }
}

/// The operating system's texts for its error numbers.
enum SystemText {
  /// Returns the text for a number of errno(3), such as `Permission denied`.
  static func error(_ code: Int32) -> String {
    // glibc's strerror has been thread-safe since 2.32: its buffer belongs to the thread.
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

/// Functions that write to file descriptors.
enum Descriptor {
  /// Writes all of `text`; returns the error if that fails.
  static func write(_ text: String, to descriptor: Int32) -> OutputError? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          var source = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&source, 1, -1)
        case EPIPE, EBADF, EIO: return .closed
        default: return .failed(code: errno)
        }
      }
      return nil
    }
  }
}
