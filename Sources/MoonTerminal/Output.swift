import Glibc
import Synchronization

/// A stream of text to a file descriptor.
package final class Output: Sendable {
  /// The time in milliseconds that a text for a log waits for a slow reader.
  private static let patience: Int32 = 1_000

  private struct State {
    var hasFailed = false
    /// The number of texts in a row that nobody read in time, and that were dropped.
    var missedCount = 0
  }

  private let descriptor: Int32
  /// Returns the line that says how many texts were dropped; nil for a stream that drops none.
  private let missing: (@Sendable (Int) -> String)?
  private let state = Mutex(State())

  /// Writes to `descriptor`, which the caller must keep open while this is in use, and close
  /// afterwards.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    missing = nil
  }

  /// Writes a log, whose reader holds nothing up for long.
  ///
  /// Once it has kept a text waiting for a second, texts are dropped until it reads on. `missing`
  /// returns the line that then says how many.
  package init(log descriptor: Int32, missing: @escaping @Sendable (Int) -> String) {
    self.descriptor = descriptor
    self.missing = missing
  }

  /// Writes all of `text`, waiting for a slow reader.
  ///
  /// Texts of several threads don't mix. A process must ignore `SIGPIPE` to get the error;
  /// otherwise the signal ends the process here.
  ///
  /// - Throws: ``OutputError``, once. Later texts are dropped silently, so that a program reports a
  ///   missing reader only once.
  package func write(_ text: String) throws(OutputError) {
    let failure = state.withLock { state -> OutputError? in
      guard !state.hasFailed else { return nil }
      let failure = missing.map { write(text, &state, missing: $0) } ?? write(text, waiting: -1)
      if failure == .late { return nil }
      state.hasFailed = failure != nil
      return failure
    }
    if let failure { throw failure }
  }

  /// Writes a text of a log, and before it how many were dropped.
  private func write(
    _ text: String, _ state: inout State, missing: (Int) -> String
  ) -> OutputError? {
    var failure: OutputError?
    if state.missedCount > 0 { failure = write(missing(state.missedCount), waiting: 0) }
    if failure == nil {
      failure = write(text, waiting: state.missedCount == 0 ? Self.patience : 0)
      if failure != .late { state.missedCount = 0 }
    }
    if failure == .late { state.missedCount += 1 }
    return failure
  }

  private func write(_ text: String, waiting milliseconds: Int32) -> OutputError? {
    Descriptor.write(text, to: descriptor, waiting: milliseconds)
  }
}

/// The reason that text couldn't be written.
package enum OutputError: Error, Sendable, Equatable {
  /// The reader is gone, or the descriptor was closed.
  case closed
  /// Writing failed; `code` is the system's `errno`.
  case failed(code: Int32)

  /// The failure of a text whose reader didn't read in time.
  fileprivate static let late = OutputError.failed(code: EAGAIN)
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
  ///
  /// Waits for a slow reader, each time as long as `milliseconds` says; -1 means without end.
  static func write(
    _ text: String, to descriptor: Int32, waiting milliseconds: Int32 = -1
  ) -> OutputError? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        // A pipe or terminal that is ready takes this much without a wait.
        let part = milliseconds < 0 ? rest.count : min(rest.count, Int(PIPE_BUF))
        if milliseconds >= 0, !isReady(descriptor, within: milliseconds) { return .late }
        let count = Glibc.write(descriptor, rest.baseAddress, part)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          if milliseconds < 0 { _ = isReady(descriptor, within: -1) }
        case EPIPE, EBADF, EIO: return .closed
        default: return .failed(code: errno)
        }
      }
      return nil
    }
  }

  /// Waits until something can be written, or writing fails.
  private static func isReady(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var source = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while true {
      let count = poll(&source, 1, milliseconds)
      // A signal ends the wait, which then begins again until its time is over.
      if count >= 0 || errno != EINTR { return count != 0 }
      if milliseconds >= 0, ContinuousClock.now >= end { return false }
    }
  }
}
