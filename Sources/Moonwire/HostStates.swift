import MoonSession
public import MoonValues
import Synchronization

/// What becomes of states that a reader hasn't taken yet.
public enum StateBuffering: Sendable, Hashable {
  /// Only the latest waits: a slow reader misses those in between.
  case latest
  /// So many wait, from 1 to ``countMax``; then the oldest are dropped.
  case newest(Int)
  /// So many wait, from 1 to ``countMax``; then those that come are dropped.
  case oldest(Int)

  /// The maximum number of states that wait for one reader.
  public static let countMax = 1_000

  fileprivate func policy<Element>(
    of type: Element.Type
  ) -> AsyncStream<Element>.Continuation.BufferingPolicy {
    switch self {
    case .latest: .bufferingNewest(1)
    case .newest(let count): .bufferingNewest(min(max(count, 1), Self.countMax))
    case .oldest(let count): .bufferingOldest(min(max(count, 1), Self.countMax))
    }
  }
}

/// Following a session's state.
///
/// Each sequence begins with what there is, and ends with the session; at once if there is none.
extension Host {
  /// The state of a session as it is, then after each commit that changes it.
  public func states(of id: SessionID, buffering: StateBuffering = .latest) -> AsyncStream<Value> {
    states(of: id, buffering: buffering) { $0 }
  }

  /// What a session's state has at a path, such as a module's slice, as it is and then whenever it
  /// has changed; nil where there is nothing.
  public func states(
    of id: SessionID, at path: Path, buffering: StateBuffering = .latest
  ) -> AsyncStream<Value?> {
    states(of: id, buffering: buffering) { $0.value(at: path) }
  }

  /// What a function makes of a session's state, now and then whenever that differs from the last
  /// time; it runs on the host's thread at each commit, which waits for it.
  public func states<Selected: Sendable & Equatable>(
    of id: SessionID, buffering: StateBuffering = .latest,
    selecting select: @escaping @Sendable (Value) -> Selected
  ) -> AsyncStream<Selected> {
    buffering.stream(of: session(id), selecting: select)
  }
}

extension StateBuffering {
  /// What a function makes of the states of a session, each time that it differs from the last.
  fileprivate func stream<Selected: Sendable & Equatable>(
    of session: Session?, selecting select: @escaping @Sendable (Value) -> Selected
  ) -> AsyncStream<Selected> {
    AsyncStream(bufferingPolicy: policy(of: Selected.self)) { continuation in
      guard let session else { return continuation.finish() }
      let first = select(session.stateValue)
      let last = Mutex(first)
      continuation.yield(first)
      let readers = session.readers
      let number = readers.add(
        .init(
          tell: { state in
            let selected = select(state)
            let isNew = last.withLock { last in
              defer { last = selected }
              return selected != last
            }
            if isNew { continuation.yield(selected) }
          }, finish: { continuation.finish() }))
      continuation.onTermination = { _ in readers.remove(number) }
    }
  }
}
