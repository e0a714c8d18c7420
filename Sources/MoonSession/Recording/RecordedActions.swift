package import MoonActions
package import MoonModules
import MoonServiceKit

/// Recorded actions that are carried out again, as one.
package struct RecordedActions {
  private let actions: [Action]
  private let isMapped: Bool
  private let notes: CommitNotes

  /// Makes them of actions with the recorded notes of the host.
  ///
  /// `isMapped` says whether a module mapper made them. `notes` is what was noted when
  /// they were recorded.
  package init(_ actions: [Action], isMapped: Bool, noting notes: CommitNotes) {
    self.actions = actions
    self.isMapped = isMapped
    self.notes = notes
  }

  /// Carries the actions out.
  ///
  /// - Throws: ``DispatchError`` if one fails; nothing has changed then.
  package func carryOut(in session: Session) throws(DispatchError) {
    guard let first = actions.first else { return }
    session.current.begin()
    session.environment.interruption.clear()
    session.current.calls.repeatNotes(notes)
    defer {
      session.current.calls.repeatNotes(nil)
      session.current.end()
    }
    try session.pipeline.process(
      first, with: actions.others, isMapped: isMapped, after: nil, of: nil, bytes: 0)
  }
}
