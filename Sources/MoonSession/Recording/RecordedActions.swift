package import MoonStore

/// Recorded actions that are carried out again, as one.
package struct RecordedActions {
  private let actions: [Action]
  private let isMapped: Bool
  private let made: [Int64]

  /// Makes them of actions with the recorded notes of the host.
  ///
  /// `isMapped` says whether a module mapper made them. `made` are the ids of the actions that the
  /// host made of them.
  package init(_ actions: [Action], isMapped: Bool, making made: [Int64]) {
    self.actions = actions
    self.isMapped = isMapped
    self.made = made
  }

  /// Carries the actions out.
  ///
  /// - Throws: ``DispatchError`` if one fails; nothing has changed then.
  package func carryOut(in session: Session) throws(DispatchError) {
    guard let first = actions.first else { return }
    session.work.begin()
    session.environment.interruption.clear()
    session.work.calls.repeatIDs(made)
    defer {
      session.work.calls.repeatIDs([])
      session.work.end()
    }
    try session.pipeline.process(
      first, with: actions.count > 1 ? Array(actions.dropFirst()) : nil, isMapped: isMapped,
      after: nil, of: nil, bytes: 0)
  }
}
