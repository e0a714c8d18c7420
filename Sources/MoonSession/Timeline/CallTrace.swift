import MoonModules
import MoonValues

/// The calls of modules' code for one action that is carried out again, and what it became.
///
/// Confined to the host.
final class CallTrace {
  private(set) var calls: [TracedCall] = []
  /// The actions that were reduced, with their listeners.
  private(set) var reduced: [ReducedActions.Element] = []
  /// The observers of what these may change.
  private(set) var observers: [Bound<Observer>] = []

  private let beginning = ContinuousClock.now

  /// The time since the beginning.
  var time: Duration { ContinuousClock.now - beginning }

  /// Notes a call that has ended; `start` is the ``time`` at which it began.
  func note(_ registration: BoundRegistration, since start: Duration) {
    calls.append(
      TracedCall(
        module: registration.owner, registration: registration.registration,
        time: time - start))
  }

  /// Notes a commit.
  func note(_ transaction: borrowing Transaction) {
    reduced += transaction.reduced
    observers = transaction.observers
  }

  /// Notes what the last call, of a reducer, has changed in its slice.
  func noteChanges(from old: Value, to new: Value, of slice: Key) {
    guard !calls.isEmpty else { return }
    calls[calls.count - 1].changes = Diff.changes(
      from: .map(Map([(slice, old)])), to: .map(Map([(slice, new)])))
  }
}
