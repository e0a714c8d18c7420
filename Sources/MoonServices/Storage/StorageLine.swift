import DequeModule
import Synchronization

/// The calls that use the database: a few of each module at a time, and its others in line.
///
/// The database serves calls in the order in which they come. All of a busy module's calls would
/// otherwise be served before another module's next one.
final class StorageLine: Sendable {
  /// The number of calls of one module that are served at a time: half of those that read at a
  /// time.
  static let servedMax = StorageLimits.readerCountMax / 2

  private struct Line {
    var servedCount = 0
    var waiting: Deque<(number: Int, continuation: CheckedContinuation<Bool, Never>)> = []
  }

  private struct Contents {
    var lines: [StorageOwner: Line] = [:]
    var lastNumber = 0
  }

  private let contents = Mutex(Contents())

  /// Performs a function once it is the call's turn.
  ///
  /// - Throws: What the function does, or `CancellationError`.
  func pass<Content: Sendable>(
    as owner: StorageOwner, _ body: () async throws -> Content
  ) async throws -> Content {
    guard await enter(owner) else { throw CancellationError() }
    defer { leave(owner) }
    // A call that comes late, after its host was closed, would open the database again.
    try Task.checkCancellation()
    return try await body()
  }

  /// The number of calls of a module that wait.
  func waitingCount(of owner: StorageOwner) -> Int {
    contents.withLock { $0.lines[owner]?.waiting.count ?? 0 }
  }

  /// Waits for the turn; returns false if the task was cancelled before.
  private func enter(_ owner: StorageOwner) async -> Bool {
    let number = contents.withLock { contents -> Int? in
      if contents.lines[owner, default: Line()].servedCount < Self.servedMax {
        contents.lines[owner, default: Line()].servedCount += 1
        return nil
      }
      contents.lastNumber &+= 1
      return contents.lastNumber
    }
    guard let number else { return true }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mayPass = contents.withLock { contents -> Bool? in
          // The handler below comes too early if the task was cancelled before it waits.
          if Task.isCancelled { return false }
          if contents.lines[owner, default: Line()].servedCount < Self.servedMax {
            contents.lines[owner, default: Line()].servedCount += 1
            return true
          }
          contents.lines[owner]?.waiting.append((number, continuation))
          return nil
        }
        if let mayPass { continuation.resume(returning: mayPass) }
      }
    } onCancel: {
      let found = contents.withLock { contents in
        contents.lines[owner]?.waiting.firstIndex { $0.number == number }.flatMap {
          contents.lines[owner]?.waiting.remove(at: $0)
        }
      }
      found?.continuation.resume(returning: false)
    }
  }

  private func leave(_ owner: StorageOwner) {
    let next = contents.withLock { contents in
      guard let next = contents.lines[owner]?.waiting.popFirst() else {
        contents.lines[owner]?.servedCount -= 1
        if contents.lines[owner]?.servedCount == 0 { contents.lines[owner] = nil }
        return CheckedContinuation<Bool, Never>?.none
      }
      return next.continuation
    }
    next?.resume(returning: true)
  }
}
