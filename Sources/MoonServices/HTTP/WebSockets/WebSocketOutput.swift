import Moonwire

/// An identity for a message to be sent.
final class OutgoingMessage: Sendable {}

/// The bytes that a WebSocket has to send, frame by frame.
struct WebSocketOutput {
  private struct Entry {
    let bytes: [UInt8]
    var message: OutgoingMessage?
    /// What holds the bytes, also of a message that nobody waits for any more.
    var share: HeldMemory.Share?
    var sent: CheckedContinuation<Bool, Never>?
  }

  private var entries: [Entry] = []
  /// The number of bytes of the first entry that the system has taken.
  private var sentCount = 0

  var isEmpty: Bool { entries.isEmpty }

  /// The bytes to send next; nil if there are none.
  var next: ArraySlice<UInt8>? { entries.first?.bytes[sentCount...] }

  /// Adds a frame; `sent` learns whether the system has taken a message.
  mutating func add(
    _ bytes: [UInt8], of message: OutgoingMessage? = nil, holding share: HeldMemory.Share? = nil,
    sent: CheckedContinuation<Bool, Never>? = nil
  ) {
    entries.append(Entry(bytes: bytes, message: message, share: share, sent: sent))
  }

  /// Notes that the system has taken so many bytes of ``next``.
  mutating func note(sent count: Int) {
    sentCount += count
    guard let first = entries.first, sentCount >= first.bytes.count else { return }
    sentCount = 0
    entries.removeFirst()
    first.sent?.resume(returning: true)
  }

  /// Forgets a message that nobody waits for any more, unless a part of it has been sent.
  mutating func abandon(_ message: OutgoingMessage) {
    guard let index = entries.firstIndex(where: { $0.message === message }) else { return }
    entries[index].sent?.resume(returning: false)
    entries[index].sent = nil
    if index > 0 || sentCount == 0 { entries.remove(at: index) }
  }

  /// Forgets everything, and tells everyone who waits.
  mutating func removeAll() {
    for entry in entries { entry.sent?.resume(returning: false) }
    entries = []
    sentCount = 0
  }
}
