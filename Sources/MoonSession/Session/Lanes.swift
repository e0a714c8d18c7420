/// A queue, and another one that is before it for a while.
struct Lanes<Queue> {
  /// The queue that is in use.
  var front: Queue
  /// What gives way to it; nil if nothing does.
  private(set) var behind: Queue?

  init(front: Queue) { self.front = front }

  /// Puts an empty queue before the one that is in use.
  mutating func open(_ empty: Queue) { behind = exchange(&front, with: empty) }

  /// Returns to the queue that has given way; returns the other one, with what is left in it.
  mutating func close() -> Queue? {
    guard let behind = behind.take() else { return nil }
    return exchange(&front, with: behind)
  }
}
