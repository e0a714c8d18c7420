package import MoonActions
import MoonServiceKit
import MoonSession
package import MoonValues
import Synchronization

/// The handling of states that a reader hasn't received yet.
public enum StateBuffering: Sendable, Hashable {
  /// Keeps only the latest state, so a slow reader misses those in between.
  case latest
  /// Keeps the newest states, up to a number from 1 to ``countMax``, and drops older ones.
  case newest(Int)
  /// Keeps the oldest states, up to a number from 1 to ``countMax``, and drops newer ones.
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

/// The streams of a session's states.
///
/// Each begins with the current state and ends when the session closes. A stream for an unknown
/// session is empty.
extension Host {
  /// Returns a stream of the state of a session, which has the state after each commit that changes
  /// it.
  package func states(of id: SessionID, buffering: StateBuffering = .latest) -> AsyncStream<Value> {
    states(of: id, buffering: buffering) { $0 }
  }

  /// Returns a stream of a value computed from the state, which has the value after each change of
  /// it.
  ///
  /// `select` runs on the host's thread at each commit and blocks the host meanwhile.
  package func states<Selected: Sendable & Equatable>(
    of id: SessionID, buffering: StateBuffering = .latest,
    selecting select: @escaping @Sendable (Value) -> Selected
  ) -> AsyncStream<Selected> {
    buffering.stream(of: session(id), selecting: select)
  }
}

extension StateBuffering {
  /// Returns a stream of a value computed from the state, which has the value after each change of
  /// it.
  fileprivate func stream<Selected: Sendable & Equatable>(
    of session: Session?, selecting select: @escaping @Sendable (Value) -> Selected
  ) -> AsyncStream<Selected> {
    AsyncStream(bufferingPolicy: policy(of: Selected.self)) { continuation in
      guard let session else { return continuation.finish() }
      let first = select(session.stateValue)
      let last = Mutex(first)
      continuation.yield(first)
      session.readers.feed(continuation) { state in
        let selected = select(state)
        let isNew = last.withLock { last in
          defer { last = selected }
          return selected != last
        }
        if isNew { continuation.yield(selected) }
      }
    }
  }
}
