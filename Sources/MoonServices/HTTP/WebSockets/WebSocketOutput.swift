/// Names a message that is to be sent.
final class OutgoingMessage: Sendable {}

/// The bytes that a WebSocket is to send, frame by frame.
struct WebSocketOutput {
  private struct Entry {
    let bytes: [UInt8]
    var message: OutgoingMessage?
    var sent: CheckedContinuation<Bool, Never>?
  }

  private var entries: [Entry] = []
  /// The bytes of the first entry that the system has taken.
  private var sentCount = 0

  var isEmpty: Bool { entries.isEmpty }

  /// What is to be sent next; nil if there is nothing.
  var next: ArraySlice<UInt8>? { entries.first?.bytes[sentCount...] }

  /// Adds a frame; `sent` is told whether the system has taken a message.
  mutating func add(
    _ bytes: [UInt8], of message: OutgoingMessage? = nil,
    sent: CheckedContinuation<Bool, Never>? = nil
  ) {
    entries.append(Entry(bytes: bytes, message: message, sent: sent))
  }

  /// Notes that the system has taken so many bytes of ``next``.
  mutating func note(sent count: Int) {
    sentCount += count
    guard let first = entries.first, sentCount >= first.bytes.count else { return }
    sentCount = 0
    entries.removeFirst()
    first.sent?.resume(returning: true)
  }

  /// Forgets a message for which nobody waits any more, unless a part of it is sent already.
  mutating func abandon(_ message: OutgoingMessage) {
    guard let index = entries.firstIndex(where: { $0.message === message }) else { return }
    entries[index].sent?.resume(returning: false)
    entries[index].sent = nil
    if index > 0 || sentCount == 0 { entries.remove(at: index) }
  }

  /// Forgets everything, and tells those that wait.
  mutating func removeAll() {
    for entry in entries { entry.sent?.resume(returning: false) }
    entries = []
    sentCount = 0
  }
}
