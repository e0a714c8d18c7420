import NIOCore
import NIOWebSocket
import Synchronization

/// The messages that a WebSocket has received and no task has taken.
final class WebSocketMailbox: Sendable {
  /// The number of messages after which nothing more is read from the connection.
  static let messageCountMax = 64

  /// A message.
  struct Message: Sendable {
    let bytes: [UInt8]
    let isBinary: Bool
  }

  /// How the connection has ended; nil for the handshake that both sides expect.
  typealias End = HTTPFailure?

  fileprivate struct Contents {
    var messages: [Message] = []
    var byteCount = 0
    var waiting: [(id: Int, continuation: CheckedContinuation<Message?, any Error>)] = []
    var lastID = 0
    var cancelled: Set<Int> = []
    var end: End?
    var isDiscarding = false
    var isFull = false
  }

  private let contents = Mutex(Contents())
  private let bytesMax: Int

  init(bytesMax: Int) {
    self.bytesMax = bytesMax
  }

  /// The reason that the connection has ended, if it isn't the expected one.
  var failure: HTTPFailure? { contents.withLock { $0.end ?? nil } }

  /// Whether more should be read from the connection.
  ///
  /// If not, the task that makes room is told so by ``next()``.
  func askForRoom() -> Bool {
    contents.withLock { contents in
      contents.isFull =
        !contents.isDiscarding
        && (contents.messages.count >= Self.messageCountMax || contents.byteCount >= bytesMax)
      return !contents.isFull
    }
  }

  /// Adds a message, or gives it to the task that has waited for longest.
  func add(_ message: Message) {
    let waiting = contents.withLock { contents in
      guard !contents.isDiscarding else { return nil as CheckedContinuation<Message?, any Error>? }
      guard contents.waiting.isEmpty else { return contents.waiting.removeFirst().continuation }
      contents.messages.append(message)
      contents.byteCount += message.bytes.count
      return nil
    }
    waiting?.resume(returning: message)
  }

  /// Notes the end of the connection; only the first one counts.
  func end(_ end: End) {
    let waiting = contents.withLock { contents in
      guard contents.end == nil else { return [] as [CheckedContinuation<Message?, any Error>] }
      contents.end = .some(end)
      defer { contents.waiting = [] }
      return contents.waiting.map(\.continuation)
    }
    for continuation in waiting { continuation.resume(with: Self.result(of: end)) }
  }

  /// Drops all messages, also those to come.
  func discard() {
    contents.withLock { contents in
      contents.isDiscarding = true
      contents.messages = []
      contents.byteCount = 0
    }
  }

  /// Waits for a message, nil at the end, and says whether reading has stopped and may go on.
  ///
  /// - Throws: ``HTTPFailure/socketClosed(code:reason:)``, `CancellationError`.
  func next() async throws -> (Message?, hasRoomAgain: Bool) {
    let (taken, hasRoomAgain, id) = contents.withLock { contents in
      let taken = contents.take()
      let hasRoomAgain = contents.isFull
      contents.isFull = false
      contents.lastID += 1
      return (taken, hasRoomAgain, contents.lastID)
    }
    if let taken { return (taken, hasRoomAgain) }
    let message = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(id, $0) }
    } onCancel: {
      cancel(id)
    }
    return (message, hasRoomAgain)
  }

  private func wait(_ id: Int, _ continuation: CheckedContinuation<Message?, any Error>) {
    let result: Result<Message?, any Error>? = contents.withLock { contents in
      if contents.cancelled.remove(id) != nil { return .failure(CancellationError()) }
      if let message = contents.take() { return .success(message) }
      if let end = contents.end { return Self.result(of: end) }
      contents.waiting.append((id, continuation))
      return nil
    }
    if let result { continuation.resume(with: result) }
  }

  private func cancel(_ id: Int) {
    let continuation = contents.withLock { contents in
      guard let index = contents.waiting.firstIndex(where: { $0.id == id }) else {
        contents.cancelled.insert(id)
        return nil as CheckedContinuation<Message?, any Error>?
      }
      return contents.waiting.remove(at: index).continuation
    }
    continuation?.resume(throwing: CancellationError())
  }

  private static func result(of end: End) -> Result<Message?, any Error> {
    end.map { .failure($0) } ?? .success(nil)
  }
}

extension WebSocketMailbox.Contents {
  fileprivate mutating func take() -> WebSocketMailbox.Message? {
    guard !messages.isEmpty else { return nil }
    let message = messages.removeFirst()
    byteCount -= message.bytes.count
    return message
  }
}
