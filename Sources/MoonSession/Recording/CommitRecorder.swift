package import MoonActions
package import MoonModules
package import MoonValues

/// The record of one commit of a session.
package struct Commit {
  /// The actions as they were taken in: one, or those that were carried out as one.
  package let actions: [Action]
  /// Whether a module mapper made the action.
  package let isMapped: Bool
  /// What else a replay needs.
  package let notes: CommitNotes
  /// The slices before and after.
  package let before: Map
  package let after: Map

  /// Makes the record of a transaction.
  init(_ transaction: borrowing Transaction) {
    let arrival = transaction.arrival
    actions = [transaction.taken] + (arrival?.others ?? [])
    isMapped = arrival?.isMapped ?? false
    var notes = transaction.notes
    notes.isDropped = transaction.isDropped
    self.notes = notes
    before = transaction.before
    after = transaction.state
  }
}

/// The receiver of a session's commits, which keeps them.
///
/// Confined to the host.
package protocol CommitRecorder: AnyObject {
  /// Takes a commit in, which isn't kept yet.
  func record(_ commit: Commit)

  /// Takes an entry about durable tasks in, which isn't kept yet.
  func record(task entry: Value)

  /// Whether all commits taken in are kept.
  var isKept: Bool { get }

  /// Keeps all commits taken in, and returns when that is done.
  ///
  /// - Throws: ``JournalError``. The commits are still taken in, so that a later call can keep
  ///   them.
  func keep() throws(JournalError)

  /// Notes that slices were put aside, or changed otherwise, outside of any action.
  func noteSlices()
}
