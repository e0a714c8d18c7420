import Synchronization

/// The items that have arrived from a server and no task has taken: the messages of a WebSocket, or
/// the parts of a body.
///
/// Several tasks may wait. Each item goes to the one that has waited longest.
final class Mailbox<Item: Sendable>: Sendable {
  private struct Entry {
    let item: Item
    let size: Int
  }

  private struct Waiting {
    let id: Int
    let continuation: CheckedContinuation<Item?, any Error>
  }

  private struct Contents {
    var entries: [Entry] = []
    var byteCount = 0
    var waiting: [Waiting] = []
    var lastID = 0
    var cancelled: Set<Int> = []
    /// How it ended; the inner nil stands for the end that both sides expect.
    var end: HTTPFailure??
    var isDiscarding = false
    var isFull = false

    mutating func take() -> Item? {
      guard !entries.isEmpty else { return nil }
      let entry = entries.removeFirst()
      byteCount -= entry.size
      return entry.item
    }
  }

  private let contents = Mutex(Contents())
  private let countMax: Int
  private let bytesMax: Int

  /// Makes a mailbox that holds up to so many items, or so many bytes.
  init(countMax: Int, bytesMax: Int = .max) {
    self.countMax = countMax
    self.bytesMax = bytesMax
  }

  /// The reason for the end, unless it was expected.
  var failure: HTTPFailure? { contents.withLock { $0.end ?? nil } }

  /// Returns whether there is room for more.
  ///
  /// If not, ``next()`` tells the task that makes room.
  func askForRoom() -> Bool {
    contents.withLock { contents in
      contents.isFull =
        !contents.isDiscarding
        && (contents.entries.count >= countMax || contents.byteCount >= bytesMax)
      return !contents.isFull
    }
  }

  /// Adds an item of so many bytes, or gives it to the task that has waited longest.
  func add(_ item: Item, size: Int = 0) {
    let waiting = contents.withLock { contents -> Waiting? in
      guard !contents.isDiscarding else { return nil }
      guard contents.waiting.isEmpty else { return contents.waiting.removeFirst() }
      contents.entries.append(Entry(item: item, size: size))
      contents.byteCount += size
      return nil
    }
    waiting?.continuation.resume(returning: item)
  }

  /// Notes the end, nil for the expected one; only the first counts.
  func end(_ failure: HTTPFailure?) {
    let waiting = contents.withLock { contents -> [Waiting] in
      guard contents.end == nil else { return [] }
      contents.end = .some(failure)
      defer { contents.waiting = [] }
      return contents.waiting
    }
    for one in waiting { one.continuation.resume(with: Self.result(of: failure)) }
  }

  /// Drops all items, including later ones.
  func discard() {
    contents.withLock { contents in
      contents.isDiscarding = true
      contents.entries = []
      contents.byteCount = 0
    }
  }

  /// Waits for an item; nil at the end.
  ///
  /// Also returns whether a full mailbox has room again.
  ///
  /// - Throws: The ``HTTPFailure`` of the end, `CancellationError`.
  func next() async throws -> (Item?, hasRoomAgain: Bool) {
    let (taken, hasRoomAgain, id) = contents.withLock { contents in
      let taken = contents.take()
      let hasRoomAgain = contents.isFull
      contents.isFull = false
      contents.lastID += 1
      return (taken, hasRoomAgain, contents.lastID)
    }
    if let taken { return (taken, hasRoomAgain) }
    let item = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(id, $0) }
    } onCancel: {
      cancel(id)
    }
    return (item, hasRoomAgain)
  }

  private func wait(_ id: Int, _ continuation: CheckedContinuation<Item?, any Error>) {
    let result: Result<Item?, any Error>? = contents.withLock { contents in
      if contents.cancelled.remove(id) != nil { return .failure(CancellationError()) }
      if let item = contents.take() { return .success(item) }
      if let end = contents.end { return Self.result(of: end) }
      contents.waiting.append(Waiting(id: id, continuation: continuation))
      return nil
    }
    if let result { continuation.resume(with: result) }
  }

  private func cancel(_ id: Int) {
    let waiting = contents.withLock { contents -> Waiting? in
      guard let index = contents.waiting.firstIndex(where: { $0.id == id }) else {
        contents.cancelled.insert(id)
        return nil
      }
      return contents.waiting.remove(at: index)
    }
    waiting?.continuation.resume(throwing: CancellationError())
  }

  private static func result(of end: HTTPFailure?) -> Result<Item?, any Error> {
    end.map { .failure($0) } ?? .success(nil)
  }
}
