import MoonStore
import MoonValues

/// The calls of modules' code for one action that is carried out again, and what it became.
///
/// Confined to the host.
final class CallTrace {
  private(set) var calls: [TracedCall] = []
  /// The actions that were reduced, with their listeners.
  private(set) var reduced: [Transaction.Reduced] = []
  /// The observers of what these may change.
  private(set) var observers: [Bound<Observer>] = []

  /// Measures a call.
  func measure<Result>(
    _ registration: BoundRegistration, _ body: () throws -> Result
  ) throws -> Result {
    let start = ContinuousClock.now
    defer {
      calls.append(
        TracedCall(
          module: registration.owner, registration: registration.registration,
          time: ContinuousClock.now - start))
    }
    return try body()
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
