package import MoonValues

/// What a replay of a commit needs besides the state and the actions.
package struct CommitNotes: Sendable, Equatable {
  /// The ids of the actions that middleware and routings made besides, in order.
  package var made: [Int64] = []
  /// What people had entered on screens when `on_back` of their modules was called, in order: each
  /// a map of inputs by their ids.
  package var inputs: [Map] = []
  /// Whether middleware dropped all of it, so that no reducer was called.
  ///
  /// A replay finds that out itself; it is for those who read a recording.
  package var isDropped = false

  /// Whether what a mapper put in an action's place was queued, behind what the mapper started.
  ///
  /// Without this note, as in recordings of earlier versions, it was carried out at once.
  package var queuesReplacement = false

  /// Whether a screen that a module put in the place of another, or answered, got that module.
  ///
  /// Without this note, as in recordings of earlier versions, it kept the one that was given.
  package var ownsScreens = false

  /// A call of a module's code that failed because it exceeded a limit.
  package struct ExceededLimit: Sendable, Equatable {
    /// The number of the call among those of the commit, from 1.
    package let call: Int
    /// The limit.
    package let reason: Fault.Reason

    /// Makes the note of a call; nil if the reason is no limit.
    package init?(call: Int, _ reason: Fault.Reason) {
      switch reason {
      case .timedOut, .interrupted, .outOfQuota, .outOfMemory, .notRunning, .actionTimeSpent: break
      case .raised, .syntax, .lifetimeExceeded: return nil
      }
      self.call = call
      self.reason = reason
    }
  }

  /// The calls that failed because they exceeded a limit, in order.
  ///
  /// A replay lets them fail again, since its memory and its time aren't those of the recorded run.
  /// Without this note, as in recordings of earlier versions, they are called.
  package var limits: [ExceededLimit] = []

  /// Makes empty notes.
  package init() {}

  /// Whether there is nothing to note.
  package var isEmpty: Bool {
    made.isEmpty && inputs.isEmpty && !isDropped && !queuesReplacement && !ownsScreens
      && limits.isEmpty
  }
}
