import Glibc
import MoonProtocol
import Synchronization

/// A client at a socket, with what waits to be sent to it.
///
/// Any thread may send; only the server's thread reads and closes.
final class ServedClient: ClientOutput {
  /// The number of bytes that wait for a client, above which its connection is ended.
  static let waitingBytesMax = 16 << 20
  /// The number of bytes that wait for a client, above which subscriptions hold back.
  static let congestionBytesMax = 1 << 20

  private struct Contents {
    var waiting: [UInt8] = []
    /// The number of bytes of `waiting` that were sent.
    var sent = 0
    var isEnding = false
    var isClosed = false

    var count: Int { waiting.count - sent }

    /// Gives up what waits, since the client is gone or reads nothing.
    mutating func drop() {
      isEnding = true
      (waiting, sent) = ([], 0)
    }
  }

  let descriptor: Int32
  private let wake: @Sendable () -> Void
  private let contents = Mutex(Contents())

  /// `wake` has the server's thread look at the client again.
  init(_ descriptor: Int32, wake: @escaping @Sendable () -> Void) {
    (self.descriptor, self.wake) = (descriptor, wake)
  }

  func send(_ line: [UInt8]) { add(line, isWritten: true) }

  func post(_ line: [UInt8]) { add(line, isWritten: false) }

  /// Adds a line; if none waits already, it is written here or by the server's thread.
  private func add(_ line: [UInt8], isWritten: Bool) {
    let needsThread = contents.withLock { contents in
      guard !contents.isClosed, !contents.isEnding else { return false }
      if contents.count > Self.waitingBytesMax {
        contents.drop()
        return true
      }
      let wasEmpty = contents.count == 0
      contents.waiting += line
      contents.waiting.append(UInt8(ascii: "\n"))
      return wasEmpty && !(isWritten && write(&contents))
    }
    if needsThread { wake() }
  }

  var isCongested: Bool { contents.withLock { $0.count > Self.congestionBytesMax } }

  func end() {
    contents.withLock { $0.isEnding = true }
    wake()
  }

  // MARK: The server's thread

  /// Whether something waits until the client reads.
  var isWaiting: Bool { contents.withLock { $0.count > 0 } }

  /// Whether the connection is to be closed now.
  var isOver: Bool { contents.withLock { $0.isEnding && $0.count == 0 } }

  /// Sends what the client has room for; returns whether it was congested and isn't any more.
  func sendMore() -> Bool {
    contents.withLock { contents in
      let before = contents.count
      _ = write(&contents)
      return before > Self.congestionBytesMax && contents.count <= Self.congestionBytesMax
    }
  }

  func close() {
    contents.withLock { contents in
      contents.isClosed = true
      contents.drop()
      UnixSocket(accepted: descriptor).close()
    }
  }

  /// Sends as much as the system takes; returns whether that was all.
  private func write(_ contents: inout Contents) -> Bool {
    while contents.count > 0 {
      let sent = contents.sent
      let count = contents.waiting.withUnsafeBytes { bytes in
        Glibc.send(
          descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent,
          Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return false }
      guard count > 0 else {
        contents.drop()
        return false
      }
      contents.sent += count
    }
    (contents.waiting, contents.sent) = ([], 0)
    return true
  }
}
