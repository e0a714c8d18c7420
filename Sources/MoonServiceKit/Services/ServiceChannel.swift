import DequeModule
import Synchronization

/// A place where tasks meet: a value that one sends is handed to one that asks for it.
///
/// It is a source of a stream (``ServiceFunction/stream(_:_:_:of:body:)``) for values that come by
/// calls and can be made to wait, such as the lines that a program writes.
///
/// A sender waits until its value is taken, so a source is never ahead of its reader by more than
/// one value. Nothing is kept but the values of the tasks that wait. Senders take their turns in
/// the order in which they came, and so do receivers.
public final class ServiceChannel<Element: Sendable>: Sendable {
  private let state = Mutex(State())

  /// Makes a channel for which no task waits.
  public init() {}

  /// Hands a value over, and returns when it has been taken.
  ///
  /// The value is dropped if the channel has ended or ends, and if this task is cancelled.
  public func send(_ element: Element) async {
    let id = state.withLock { $0.nextID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          // The handler below comes too early if the task was cancelled before it waits.
          state.send(
            Sender(id: id, element: element, continuation: continuation),
            isCancelled: _Concurrency.Task.isCancelled)
        }.resume()
      }
    } onCancel: {
      state.withLock { $0.removeSender(id) }?.resume()
    }
  }

  /// Returns the next value; nil at the end, and if this task is cancelled.
  ///
  /// - Throws: the error of ``fail(_:)``, to the receivers that wait then, or else to the next one.
  public func next() async throws -> Element? {
    let id = state.withLock { $0.nextID() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { state in
          state.receive(
            Receiver(id: id, continuation: continuation),
            isCancelled: _Concurrency.Task.isCancelled)
        }.resume()
      }
    } onCancel: {
      state.withLock { $0.removeReceiver(id) }?.resume(returning: nil)
    }
  }

  /// Ends the channel: all that wait go on, and later receivers get nil.
  public func finish() { end(.finished) }

  /// Ends the channel with an error.
  public func fail(_ error: any Error) { end(.failed(error)) }

  private func end(_ ending: Ending) {
    for step in state.withLock({ $0.end(ending) }) { step.resume() }
  }
}

extension ServiceChannel: AsyncSequence {
  /// Reads a channel, also beside other readers; each value goes to one of them.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let channel: ServiceChannel

    /// Returns the next value; nil at the end.
    public func next() async throws -> Element? { try await channel.next() }
  }

  /// Makes a reader.
  public func makeAsyncIterator() -> Iterator { Iterator(channel: self) }
}

extension ServiceChannel {
  fileprivate struct Sender: Sendable {
    let id: UInt64
    let element: Element
    let continuation: CheckedContinuation<Void, Never>
  }

  fileprivate struct Receiver: Sendable {
    let id: UInt64
    let continuation: CheckedContinuation<Element?, any Error>
  }

  fileprivate enum Ending {
    case finished
    case failed(any Error)
  }

  /// The tasks that go on after a change, which they do outside the lock.
  fileprivate struct Step: Sendable {
    var sender: Sender?
    var receiver: (Receiver, Result<Element?, any Error>)?

    func resume() {
      sender?.continuation.resume()
      receiver?.0.continuation.resume(with: receiver?.1 ?? .success(nil))
    }
  }

  /// Either senders wait or receivers, or none.
  fileprivate struct State {
    private var senders: Deque<Sender> = []
    private var receivers: Deque<Receiver> = []
    private var ending: Ending?
    private var lastID: UInt64 = 0

    mutating func nextID() -> UInt64 {
      lastID &+= 1
      return lastID
    }

    mutating func send(_ sender: Sender, isCancelled: Bool) -> Step {
      guard ending == nil, !isCancelled else { return Step(sender: sender) }
      guard let receiver = receivers.popFirst() else {
        senders.append(sender)
        return Step()
      }
      return Step(sender: sender, receiver: (receiver, .success(sender.element)))
    }

    mutating func receive(_ receiver: Receiver, isCancelled: Bool) -> Step {
      switch ending {
      case .finished: return Step(receiver: (receiver, .success(nil)))
      case .failed(let error):
        ending = .finished
        return Step(receiver: (receiver, .failure(error)))
      case nil: break
      }
      guard !isCancelled else { return Step(receiver: (receiver, .success(nil))) }
      guard let sender = senders.popFirst() else {
        receivers.append(receiver)
        return Step()
      }
      return Step(sender: sender, receiver: (receiver, .success(sender.element)))
    }

    mutating func end(_ ending: Ending) -> [Step] {
      guard self.ending == nil else { return [] }
      defer { (senders, receivers) = ([], []) }
      guard case .failed(let error) = ending, !receivers.isEmpty else {
        self.ending = ending
        return senders.map { Step(sender: $0) }
          + receivers.map { Step(receiver: ($0, .success(nil))) }
      }
      self.ending = .finished
      return receivers.map { Step(receiver: ($0, .failure(error))) }
    }

    mutating func removeSender(_ id: UInt64) -> CheckedContinuation<Void, Never>? {
      senders.firstIndex { $0.id == id }.map { senders.remove(at: $0).continuation }
    }

    mutating func removeReceiver(
      _ id: UInt64
    ) -> CheckedContinuation<Element?, any Error>? {
      receivers.firstIndex { $0.id == id }.map { receivers.remove(at: $0).continuation }
    }
  }
}
